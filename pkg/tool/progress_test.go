package tool

import (
	"strings"
	"testing"
	"time"

	"doppel/pkg/record"
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
		if got := tc.describe(time.Duration(tc.seconds) * time.Second); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// A run shows the progress of the first stage whose input has a known size; once that stage has
// ended, it shows the last stage that has done any work.
func TestFollow(t *testing.T) {
	var out strings.Builder
	e := &Env{Name: "doppel fuzzy", Std: Std{Stderr: &out}}
	sign, pair := e.Stage("recsign", e.Std), e.Stage("lshpairs", e.Std)
	e.Follow(sign, pair)
	sign.Progress.Add(9, 2000)
	pair.Progress.Add(2, 0)
	in := record.Input{Names: []string{"progress_test.go"}}
	if !sign.Progress.Meter.Expect(&in) {
		t.Fatal("the size of a file is not known")
	}
	e.progressLine(time.Now())
	if got := out.String(); !strings.HasPrefix(got, "doppel fuzzy: recsign: 0 %, 9 done, ") {
		t.Errorf("%q", got)
	}
	out.Reset()
	e.Follow(pair)
	e.progressLine(time.Now())
	if got := out.String(); !strings.HasPrefix(got, "doppel fuzzy: lshpairs: 2 done, ") {
		t.Errorf("%q", got)
	}
	out.Reset()
	e.Follow()
	if e.progressLine(time.Now()); out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}

// A run shorter than quiet prints no progress, even with --progress.
func TestShortWorkIsSilent(t *testing.T) {
	c := doing(flags.Watch, func(e *Env, _ []string) error {
		e.Progress.Add(5, 100)
		return nil
	})
	if status, _, errs := runCommand(c, "", "--progress"); status != 0 || errs != "" {
		t.Errorf("%d, %q", status, errs)
	}
}
