package pipeline

import (
	"errors"
	"slices"
	"syscall"
	"testing"

	"doppel/pkg/chain"
	"doppel/pkg/tool"
)

// The failure of a stage is trouble, whatever the stage means by its status; a signal
// is told, for the stage had no time to.
func TestEnded(t *testing.T) {
	for script, want := range map[string]int{"exit 0": tool.ExitOK, "exit 1": tool.ExitTrouble, "exit 7": tool.ExitTrouble, "kill -KILL $$": tool.ExitTrouble} {
		out, status := running(t, "", func(*tool.Env) Plan { return Plan{{stages: []Stage{stage("sh", plain("-c", script))}}} })
		if out != "" || status != want {
			t.Errorf("%s: %d, %q, want %d", script, status, out, want)
		}
	}
	killed := &chain.StageError{Stage: "sh", Status: -1, Signal: syscall.SIGKILL}
	if err := new(run).ended(killed); err != error(killed) {
		t.Errorf("%v is told as %v", killed, err)
	}
	if other := errors.New("other"); new(run).ended(other) != other {
		t.Error("an error of no stage is another one")
	}
}

// What looks like an option stands behind --, and standard input does not.
func TestOn(t *testing.T) {
	for operand, want := range map[string][]string{"a": {"-x", "a"}, "-": {"-x", "-"}, "-a": {"-x", "--", "-a"}, "": {"-x", ""}} {
		var got []string
		for _, w := range stage("p", plain("-x")).on(plain(operand)).words {
			got = append(got, w.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", operand, got, want)
		}
	}
}
