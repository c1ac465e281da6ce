package sourcetest

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"bureau/internal/importer/invented"
)

// A Stream makes a file of n records while it is read.
type Stream = invented.Stream

// Flat checks that a source holds no more of a long file than of a short one.
// Each record of the stream must make one statement.
func Flat(t *testing.T, src Source, s Stream) {
	t.Helper()
	held := func(n int) uint64 {
		in := s
		in.N = n
		var most uint64
		count := 0
		for _, err := range src.Read(&in, "stream") {
			if err != nil {
				t.Fatal(err)
			}
			if count++; count%(n/4) == 0 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
		if count != n {
			t.Fatalf("%d statements of %d records", count, n)
		}
		return most
	}
	const spare = 4 << 20 // what the collector and other tests leave about
	short, long := held(2_000), held(s.N)
	if long > short+spare {
		t.Errorf("holds %d KB of %d records, %d KB of 2000", long>>10, s.N, short>>10)
	}
	t.Logf("holds %d KB of %d records, %d KB of 2000", long>>10, s.N, short>>10)
}

// Speed measures how many records a second a source reads.
func Speed(b *testing.B, src Source, s Stream) {
	b.Helper()
	s.N = 20_000
	file, err := io.ReadAll(&s)
	if err != nil {
		b.Fatal(err)
	}
	count := 0
	before := processorTime()
	b.ResetTimer()
	for b.Loop() {
		for _, err := range src.Read(bytes.NewReader(file), "stream") {
			if err != nil {
				b.Fatal(err)
			}
			count++
		}
	}
	b.ReportMetric(float64(count)/b.Elapsed().Seconds(), "records/s")
	// On a busy machine the first figure says more about the others.
	if used := processorTime() - before; used > 0 {
		b.ReportMetric(float64(count)/used.Seconds(), "records/cpu-s")
	}
}
