// Package cli_test runs the scripts of all commands, those of a command with -run TestScripts/NAME.
// One test binary runs them all, because a binary that contains all programs takes long to link.
package cli_test

import (
	"path/filepath"
	"testing"

	"doppel/pkg/stage/stagetest/script"
)

func TestMain(m *testing.M) { script.Main(m) }

func TestScripts(t *testing.T) {
	dirs, err := filepath.Glob("*/testdata/*.txtar")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	script.RunAll(t, ".")
	for i, file := range dirs {
		dir := filepath.Dir(filepath.Dir(file))
		if i == 0 || dir != filepath.Dir(filepath.Dir(dirs[i-1])) {
			t.Run(dir, func(t *testing.T) {
				t.Parallel()
				script.RunAll(t, dir)
			})
		}
	}
}
