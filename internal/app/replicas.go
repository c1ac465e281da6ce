package app

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bureau/internal/store"
)

// replicaMetrics tell, when they are scraped, how the replicas do.
type replicaMetrics struct{ db *store.DB }

var (
	replicaUsed = prometheus.NewDesc("bureau_replica_used",
		"Whether a replica would be asked now.", []string{"replica"}, nil)
	replicaAge = prometheus.NewDesc("bureau_replica_age_seconds",
		"How old what a replica answers may be; nothing while that is not known.", []string{"replica"}, nil)
	replicaReads = prometheus.NewDesc("bureau_replica_reads_total",
		"What was read from a replica.", []string{"replica"}, nil)
	replicaFailed = prometheus.NewDesc("bureau_replica_failures_total",
		"What a replica failed to answer, and the primary answered.", []string{"replica"}, nil)
)

func (replicaMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{replicaUsed, replicaAge, replicaReads, replicaFailed} {
		to <- d
	}
}

func (m replicaMetrics) Collect(to chan<- prometheus.Metric) {
	for _, r := range m.db.Replicas() {
		used := 0.0
		if r.Used {
			used = 1
		}
		to <- prometheus.MustNewConstMetric(replicaUsed, prometheus.GaugeValue, used, r.Name)
		if r.Age >= 0 {
			to <- prometheus.MustNewConstMetric(replicaAge, prometheus.GaugeValue, r.Age.Seconds(), r.Name)
		}
		to <- prometheus.MustNewConstMetric(replicaReads, prometheus.CounterValue, float64(r.Reads), r.Name)
		to <- prometheus.MustNewConstMetric(replicaFailed, prometheus.CounterValue, float64(r.Failed), r.Name)
	}
}

// examineReplicas looks at each replica once. One that cannot be used is no harm:
// the primary answers.
func examineReplicas(ctx context.Context, c Config, db *store.DB, say func(subject, state, format string, args ...any)) {
	if err := db.UseReplicas(c.replicas(), c.DBReplicaLag); err != nil {
		say("replicas", "bad", "%s", Explain(err))
		return
	}
	if _, err := db.StepReplicas(ctx); err != nil {
		say("replicas", "bad", "%s", Explain(err))
		return
	}
	for _, r := range db.Replicas() {
		if r.Age >= 0 {
			say("replica", "ok", "%s has all that was committed %s ago", r.Name, r.Age.Round(time.Millisecond))
		} else {
			say("replica", "note", "%s is not used, and the primary answers instead: %s", r.Name, r.Why)
		}
	}
}
