package plan

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestProgram checks that, for the name of a tool, programInShell returns the program next to this
// one, the program on PATH, or this program. For any other name, programInShell must return the
// bare name. It must also return the bare name if a shell finds the same program under that name.
func TestProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	onPath := t.TempDir()
	found := filepath.Join(onPath, "recsign")
	if err := os.WriteFile(found, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path, name string
		shell      []string
	}{
		{onPath, "recsign", []string{"recsign"}},
		{"", "recsign", []string{self, "recsign"}},
		{"", "sort", []string{"sort"}},
	} {
		t.Setenv("PATH", tc.path)
		if got := programInShell(tc.name); !slices.Equal(got, tc.shell) {
			t.Errorf("%s on %q for a shell: %q, want %q", tc.name, tc.path, got, tc.shell)
		}
	}
}
