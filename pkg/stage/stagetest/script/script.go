// Package script runs test scripts. In a script, each of doppel's programs is the test binary under
// another name, so nothing has to be built and the scripts count for coverage. Such a test binary
// contains all programs, and takes 1.4 processor seconds to link, four times as long as another.
package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"doppel/pkg/cli"
	"doppel/pkg/stage/stagetest"
	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// Main runs the tests of a package or, if the test binary was invoked under the name of a program,
// this program. A package with scripts calls it from TestMain.
func Main(m *testing.M) {
	programs := map[string]func(){"doppel": func() { os.Exit(cli.Run(tool.OS())) }}
	for _, command := range toolbox.All {
		programs[command().Name] = func() { os.Exit(tool.Run(command(), tool.OS())) }
	}
	testscript.Main(m, programs)
}

// RunAll runs the scripts testdata/*.txtar in a directory of a package, which find all of doppel's
// programs in PATH. In a script, $DOCS is the directory of the example records in the
// documentation. If the environment variable UPDATE is set, RunAll rewrites the expected outputs in
// the scripts.
func RunAll(t *testing.T, dir string) {
	t.Helper()
	docs, err := docs()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			stagetest.Need(t, file, string(archive.Comment))
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

// docs returns the directory of the example records, testdata/docs in the root of the module.
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
