package fault_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"bureau/internal/fault"
)

func TestKindIsFoundHoweverDeep(t *testing.T) {
	err := fmt.Errorf("rename: %w", fmt.Errorf("load: %w", fault.Missing.Errorf("no portfolio %d", 7)))
	if !errors.Is(err, fault.Missing) || errors.Is(err, fault.Conflict) {
		t.Fatalf("errors.Is(%v) does not tell its kind", err)
	}
	v, ok := fault.Of(err)
	if !ok || v.Text != "no portfolio 7" || v.Kind != fault.Missing {
		t.Fatalf("Of = %+v, %v; want only the fault's own text", v, ok)
	}
}

func TestPlainErrorIsNoFault(t *testing.T) {
	if v, ok := fault.Of(errors.New("disk on fire")); ok {
		t.Fatalf("Of a plain error = %+v, want none", v)
	}
}

func TestWaitAndDetailsAreKept(t *testing.T) {
	v, _ := fault.Of(fault.Exhausted.After(3*time.Second, "slow down"))
	if v.Wait != 3*time.Second {
		t.Errorf("wait = %v, want 3s", v.Wait)
	}
	v, _ = fault.Of(fault.Invalid.Details("bad request", "page: not a number"))
	if len(v.Details) != 1 || v.Details[0] != "page: not a number" {
		t.Errorf("details = %q", v.Details)
	}
}

func TestCauseInsideAFaultIsFound(t *testing.T) {
	cause := errors.New("cause")
	if err := fault.Invalid.Errorf("bad: %w", cause); !errors.Is(err, cause) {
		t.Fatal("the cause inside a fault is lost")
	}
}
