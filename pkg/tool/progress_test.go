package tool

import (
	"strings"
	"testing"
	"time"

	"doppel/pkg/tool/flags"
)

func TestStateAfter(t *testing.T) {
	for _, tc := range []struct {
		state
		seconds int
		want    string
	}{
		{state{items: 10, bytes: 4e6}, 2, "10 done, 4.0 MB, 5/s, 2.0 MB/s"},
		{state{items: 10, bytes: 4e6, read: 25, total: 100}, 4, "25 %, 10 done, 4.0 MB, 2/s, 1.0 MB/s, 12s left"},
		{state{items: 10, bytes: 4e6, read: 100, total: 100}, 4, "100 %, 10 done, 4.0 MB, 2/s, 1.0 MB/s"},
		{state{items: 10, read: 1, total: 7200}, 1, "0 %, 10 done, 0.0 MB, 10/s, 0.0 MB/s, 1h59m59s left"},
	} {
		if got := tc.after(time.Duration(tc.seconds) * time.Second); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// What a stage tells is shown as the progress of the chain.
func TestTold(t *testing.T) {
	var out strings.Builder
	e := &Env{Name: "doppel fuzzy", Std: Std{Stderr: &out}}
	for _, report := range []string{"recsign\t5\t1000\t10\t40", "recsign\t9\t2000\t20\t40", "lshpairs\t2\t0\t0\t0"} {
		if err := e.Progress.Told(report); err != nil {
			t.Fatal(err)
		}
	}
	e.progressLine(time.Now())
	if got := out.String(); !strings.HasPrefix(got, "doppel fuzzy: recsign: 50 %, 9 done, ") || !strings.HasSuffix(got, " left\n") {
		t.Errorf("%q", got)
	}
	for _, bad := range []string{"", "recsign", "recsign\t1\t2\t3", "recsign\t1\t2\t3\tx"} {
		if err := e.Progress.Told(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// Short work is done in silence, even where progress is forced.
func TestShortWorkIsSilent(t *testing.T) {
	c := doing(flags.Watch, func(e *Env, _ []string) error {
		e.Progress.Add(5, 100)
		return nil
	})
	if status, _, errs := try(c, "", "--progress"); status != 0 || errs != "" {
		t.Errorf("%d, %q", status, errs)
	}
}
