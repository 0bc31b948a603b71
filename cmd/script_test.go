package cmd_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs cmd/*/testdata/*.txtar with the tools on PATH. UPDATE=1
// rewrites what they expect. $DOCS is the directory of the examples. A script
// that needs a program of the system calls it without a condition, so that it
// fails where the program is missing.
func TestScripts(t *testing.T) {
	docs, err := filepath.Abs("../testdata/docs")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tools {
		dir := filepath.Join(name, "testdata")
		if scripts, _ := filepath.Glob(dir + "/*.txtar"); len(scripts) == 0 {
			t.Errorf("%s has no scripts", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir:                 dir,
				UpdateScripts:       os.Getenv("UPDATE") != "",
				RequireExplicitExec: true,
				Setup: func(env *testscript.Env) error {
					env.Setenv("PATH", bin+":"+os.Getenv("PATH"))
					env.Setenv("DOCS", docs)
					env.Setenv("TMPDIR", t.TempDir())
					return nil
				},
			})
		})
	}
}
