package plan

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestProgram checks that programInShell returns the program next to this one, the program on
// PATH, or this program, for the name of a tool. For any other name, and if a shell finds the same
// program under the bare name, programInShell returns the bare name.
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
		{onPath, filepath.Base(self), []string{self}},
		{filepath.Dir(self), filepath.Base(self), []string{filepath.Base(self)}},
	} {
		t.Setenv("PATH", tc.path)
		if got := programInShell(tc.name); !slices.Equal(got, tc.shell) {
			t.Errorf("%s on %q for a shell: %q, want %q", tc.name, tc.path, got, tc.shell)
		}
	}
}
