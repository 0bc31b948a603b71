package cmd_test

import (
	"slices"
	"strings"
	"testing"
)

// TestCompleted checks that all tools, and no other names, have shell completions.
func TestCompleted(t *testing.T) {
	script := run(command("doppel", "completions", "bash"), "").stdout
	lines := strings.Split(strings.TrimSpace(script), "\n")
	completed := strings.Fields(lines[len(lines)-1])
	for _, name := range tools {
		if !slices.Contains(completed, name) {
			t.Errorf("%s is not completed", name)
		}
	}
	for _, name := range completed[slices.Index(completed, "doppel"):] {
		if !slices.Contains(tools, name) {
			t.Errorf("%s: completed, but not a tool", name)
		}
	}
}
