package cmd_test

import (
	"os/exec"
	"testing"
)

// Where few files may be open, a tool says so; the runtime says nothing.
func TestFewFiles(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		c := exec.Command("sh", "-c", "ulimit -n 7; exec "+name+" --version")
		c.Env = append(c.Environ(), toolPath())
		want := name + ": only 7 files may be open\n" + name + ": hint: ulimit -n 64 allows what a run needs\n"
		if r := run(c, ""); r.status != 2 || r.stdout != "" || r.stderr != want {
			t.Errorf("%+v", r)
		}
	})
}
