package pipeline

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// command makes a tool of a plan, so that it runs as tools do.
type command struct {
	flags.Common
	plan func(e *tool.Env) Plan
}

func (c *command) Flags(*pflag.FlagSet) {}

func (c *command) Run(e *tool.Env, _ []string) error {
	r := newRun(e, false)
	return r.plan(c.plan(e), e.Stdout)
}

// running runs a plan as a tool does.
func running(t *testing.T, stdin string, plan func(*tool.Env) Plan) (stdout string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := &tool.Command{Name: "test", Options: &command{plan: plan}}
	status = tool.Run(c, tool.Std{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs})
	return out.String(), status
}

// inShell returns what a shell makes of the text of a plan.
func inShell(t *testing.T, stdin, text string) string {
	t.Helper()
	sh := exec.Command("sh", "-c", text)
	sh.Stdin = strings.NewReader(stdin)
	out, err := sh.Output()
	if err != nil {
		t.Errorf("%s: %v", text, err)
	}
	return string(out)
}

func TestPlan(t *testing.T) {
	t.Chdir(t.TempDir())
	odd := `it's "$t" -o`
	if err := os.WriteFile(odd, []byte("odd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		plan  func(*tool.Env) Plan
		shell string
		want  string
	}{
		"a chain": {func(*tool.Env) Plan {
			return Plan{{stdin: true, stages: []Stage{stage("cat"), stage("tr", plain("a-z", "A-Z"))}}}
		}, "failed=$(mktemp) && trap 'rm -f \"$failed\"' EXIT &&\n" + try + "try cat | tr a-z A-Z && test ! -s \"$failed\"\n", "INPUT\n"},
		"a file that is read twice": {func(e *tool.Env) Plan {
			data, copies, err := again(e, []string{odd, "-"})
			if err != nil {
				t.Fatal(err)
			}
			return append(copies, step{stages: []Stage{stage("cat").on(data).with(data)}})
		}, "t=$(mktemp) && trap 'rm -f \"$t\"' EXIT &&\ncat > \"$t\" &&\ncat 'it'\\''s \"$t\" -o' \"$t\" 'it'\\''s \"$t\" -o' \"$t\"\n", "odd\ninput\nodd\ninput\n"},
		"what is held back": {func(*tool.Env) Plan {
			held := &scratch{}
			return Plan{{stages: []Stage{stage("echo", plain("x"))}, into: held}, {stages: []Stage{stage("cat", []word{{scratch: held}})}}}
		}, "t=$(mktemp) && trap 'rm -f \"$t\"' EXIT &&\necho x > \"$t\" &&\ncat \"$t\"\n", "x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			run, status := running(t, "input\n", c.plan)
			shell := inShell(t, "input\n", c.plan(&tool.Env{}).Shell())
			if status != 0 || run != c.want || shell != c.want {
				t.Errorf("status %d, run %q, shell %q, want %q", status, run, shell, c.want)
			}
			if d := cmp.Diff(c.shell, c.plan(&tool.Env{}).Shell()); d != "" {
				t.Error(d)
			}
		})
	}
}

// An output stays as it was when a stage fails, even if the one that writes it
// saw the end of its input and took it for success.
func TestPlanFails(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		script, want string
		status       int
	}{{"exit 3", "old", 2}, {"echo new", "new\n", 0}} {
		if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, status := running(t, "", func(*tool.Env) Plan {
			writer := stage("sh", plain("-c", `cat > "$1"`, "sh"), []word{{output: out}})
			return Plan{{stages: []Stage{stage("sh", plain("-c", c.script)), writer}}}
		})
		if got, err := os.ReadFile(out); err != nil || string(got) != c.want || status != c.status {
			t.Errorf("%s: %q, %v, status %d, want %q", c.script, got, err, status, c.want)
		}
	}
}

// What was read first must be what is read last.
func TestUnchanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "data")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	if _, err := identities([]word{{text: name}, {text: "/no/such/file"}}); err == nil || err.Error() != "open /no/such/file: no such file or directory" {
		t.Error(err)
	}
	before, err := identities([]word{{text: name}, {scratch: &scratch{}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := unchanged(before); err != nil {
		t.Error(err)
	}
	write("three")
	if err := unchanged(before); err == nil {
		t.Error("a file that has grown is no error")
	}
	write("one")
	if err := os.Rename(name, name+"2"); err != nil {
		t.Fatal(err)
	}
	if err := unchanged(before); err == nil {
		t.Error("a file that is gone is no error")
	}
}

func TestAgain(t *testing.T) {
	if _, _, err := again(&tool.Env{}, []string{"-", "a", "-"}); err == nil {
		t.Error("standard input twice is no error")
	}
	for operand, copied := range map[string]bool{"-": true, "/dev/fd/9": true, "/no/such/file": false, ".": false, "plan_test.go": false} {
		if once(operand) != copied {
			t.Errorf("%s: read once: %v", operand, once(operand))
		}
	}
}

func TestPrintJSON(t *testing.T) {
	file := &scratch{}
	given := &scratch{given: "/dev/fd/5"}
	p := Plan{
		{source: &source{Stage: stage("find", plain("."))}, stages: []Stage{stage("recsign", plain("-a", `<"$t">`), laterReader([]word{{scratch: given}}))}, into: file},
		{stages: []Stage{stage("keepdrop", from("decisions", file), []word{{scratch: given}}, into("removed", "x y"))}},
	}
	var out bytes.Buffer
	e := &tool.Env{Out: bufio.NewWriter(&out)}
	if err := jsonForm.print(e, p); err != nil {
		t.Fatal(err)
	}
	if err := e.Out.Flush(); err != nil {
		t.Fatal(err)
	}
	want := `{"steps":[{"source":["find","."],"stages":[["recsign","-a","\u003c\"$t\"\u003e"]],"into":"t"},` +
		`{"stages":[["keepdrop",{"text":"--decisions=","scratch":"t"},"/dev/fd/5","--removed=x y"]]}]}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	var f form
	if err := f.Set("yaml"); err == nil {
		t.Error("yaml is a form")
	}
}

// TestPlaces keeps find(1) from taking a directory for an action: find -delete.
func TestPlaces(t *testing.T) {
	got := places([]string{"a", "/b", ".", "", "-delete", "--", "!", "(", "é"})
	want := []string{"a", "/b", ".", "", "./-delete", "./--", "./!", "./(", "é"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
