// Package stagetest runs the scripts of a program in the process of its test, so that they count
// for coverage. The tools on PATH are the test binary under other names; nothing is built.
package stagetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"doppel/pkg/front"
	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// Main is called by TestMain.
func Main(m *testing.M) {
	programs := map[string]func(){"doppel": func() { os.Exit(front.Run(tool.OS())) }}
	for _, command := range toolbox.All {
		programs[command().Name] = func() { os.Exit(tool.Run(command(), tool.OS())) }
	}
	testscript.Main(m, programs)
}

// Scripts runs testdata/*.txtar with all tools on PATH. UPDATE=1 rewrites the expected
// outputs. $DOCS is the directory of the records that the manual uses.
func Scripts(t *testing.T) {
	t.Helper()
	docs, err := docs()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			Need(t, file, string(archive.Comment))
			testscript.Run(t, testscript.Params{
				Files:               []string{file},
				UpdateScripts:       os.Getenv("UPDATE") != "",
				RequireExplicitExec: true,
				Setup: func(env *testscript.Env) error {
					env.Setenv("DOCS", docs)
					env.Setenv("TMPDIR", t.TempDir())
					return nil
				},
			})
		})
	}
}

// docs returns the directory of the examples, below the directory with go.mod.
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
