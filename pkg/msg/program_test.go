package msg

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestProgram checks that Program returns the program next to this one, the program on PATH, or this
// program, and that Tools writes the name of a tool that this program does not include.
func TestProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	onPath, base := t.TempDir(), filepath.Base(self)
	if err := os.WriteFile(filepath.Join(onPath, "recsign"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path, name string
		words      []string
		text       string
	}{
		{onPath, "recsign", []string{"recsign"}, "recsign FILE"},
		{"", "recsign", []string{self, "recsign"}, "recsign FILE"},
		{filepath.Dir(self), "recsign", []string{self, "recsign"}, "recsign FILE"},
		{onPath, base, []string{self}, "{" + base + "} FILE"},
		{filepath.Dir(self), base, []string{base}, "{" + base + "} FILE"},
	} {
		t.Setenv("PATH", tc.path)
		if got := Program(tc.name); !slices.Equal(got, tc.words) {
			t.Errorf("%s on %q: %q, want %q", tc.name, tc.path, got, tc.words)
		}
		if got := Tools("{" + tc.name + "} FILE"); got != tc.text {
			t.Errorf("%s on %q: %q, want %q", tc.name, tc.path, got, tc.text)
		}
	}
}
