// Package stagetest runs the scripts of a program in the process of its test,
// so that what they cover is counted. All tools are on PATH, made of the test's
// own binary; nothing is built.
package stagetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"doppel/pkg/front"
	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// Main is what a TestMain calls.
func Main(m *testing.M) {
	programs := map[string]func(){"doppel": func() { os.Exit(front.Run(tool.OS())) }}
	for _, command := range toolbox.All {
		programs[command().Name] = func() { os.Exit(tool.Run(command(), tool.OS())) }
	}
	testscript.Main(m, programs)
}

// Scripts runs testdata/*.txtar. UPDATE=1 rewrites what they expect. $DOCS is
// the directory of the records that the manual uses. A script that needs a
// program of the system calls it without a condition, so that it fails where
// the program is missing.
func Scripts(t *testing.T) {
	t.Helper()
	docs, err := docs()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DOCS", docs)
			env.Setenv("TMPDIR", t.TempDir())
			return nil
		},
	})
}

// docs returns the directory of the examples: it is below the one that holds
// go.mod.
func docs() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return filepath.Join(dir, "testdata", "docs"), nil
		}
		if dir == filepath.Dir(dir) {
			return "", os.ErrNotExist
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
