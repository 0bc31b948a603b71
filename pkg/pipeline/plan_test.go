package pipeline

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// command makes a tool of a plan, so that it runs as tools do.
type command struct {
	flags.Common
	plan func(b *builder)
	job  Job
}

func (c *command) Flags(*pflag.FlagSet) {}

func (c *command) Run(e *tool.Env, _ []string) error {
	b := c.job.build(e)
	c.plan(b)
	return c.job.do(b, nil)
}

// running runs a plan, or prints it, as a tool does.
func running(t *testing.T, stdin string, print form, plan func(*builder)) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := &tool.Command{Name: "test", Options: &command{plan: plan, job: Job{Print: print}}}
	status = tool.Run(c, tool.Std{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs})
	return out.String(), errs.String(), status
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

// cat returns the stage that copies files, or its input, and writes the bytes in upper case
// if that is asked for.
func cat(upper bool, files ...string) Stage {
	name, args := "cat", files
	if upper {
		name, args = "tr", []string{"a-z", "A-Z"}
	}
	return stage(name, &system{args: args, do: func(e *tool.Env) error {
		from := []io.Reader{e.Stdin}
		if len(files) > 0 {
			from = nil
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			from = append(from, bytes.NewReader(text))
		}
		text, err := io.ReadAll(io.MultiReader(from...))
		if upper {
			text = bytes.ToUpper(text)
		}
		e.Out.Write(text)
		return err
	}})
}

func TestPlan(t *testing.T) {
	t.Chdir(t.TempDir())
	odd := `it's "$t" -o`
	if err := os.WriteFile(odd, []byte("odd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		plan  func(*builder)
		shell string
		want  string
	}{
		"a chain": {func(b *builder) {
			b.add(step{stdin: true, stages: []Stage{cat(false), cat(true)}})
		}, "failed=$(mktemp) && trap 'rm -f \"$failed\"' EXIT &&\n" + try + "try cat | tr a-z A-Z && test ! -s \"$failed\"\n", "INPUT\n"},
		"a file that is read twice": {func(b *builder) {
			data := b.reread([]string{odd, "-"})
			b.add(step{stages: []Stage{cat(false, append(data, data...)...)}})
		}, "t=$(mktemp) && trap 'rm -f \"$t\"' EXIT &&\ncat > \"$t\" &&\ncat 'it'\\''s \"$t\" -o' \"$t\" 'it'\\''s \"$t\" -o' \"$t\"\n", "odd\ninput\nodd\ninput\n"},
		"an output that is held back": {func(b *builder) {
			held := b.scratch("")
			b.add(step{stages: []Stage{cat(false, odd)}, into: held}, step{stages: []Stage{cat(false, held.path())}})
		}, "t=$(mktemp) && trap 'rm -f \"$t\"' EXIT &&\ncat 'it'\\''s \"$t\" -o' > \"$t\" &&\ncat \"$t\"\n", "odd\n"},
	} {
		t.Run(name, func(t *testing.T) {
			run, errs, status := running(t, "input\n", "", c.plan)
			text, _, _ := running(t, "", shellForm, c.plan)
			if shell := inShell(t, "input\n", text); status != 0 || run != c.want || shell != c.want {
				t.Errorf("status %d, %s, run %q, shell %q, want %q", status, errs, run, shell, c.want)
			}
			if d := cmp.Diff(c.shell, text); d != "" {
				t.Error(d)
			}
		})
	}
}

// failing returns a stage that writes a line and fails with this error, if it is one.
func failing(err error) Stage {
	return stage("failing", &system{do: func(e *tool.Env) error {
		e.Out.WriteString("new\n")
		return err
	}})
}

// An output stays as it was when a stage fails, even if the one that writes it has ended
// well. The stage that fails reports it, alone.
func TestPlanFails(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		err       error
		want, got string
		status    int
	}{{errors.New("no luck"), "failing: no luck\n", "old", 2}, {nil, "", "new\n", 0}} {
		if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs, status := running(t, "", "", func(b *builder) {
			writer := cat(false)
			writer.options.SharedOptions().OutputName = b.output(out, false)
			b.add(step{stages: []Stage{failing(c.err), cat(false), writer}}, step{stages: []Stage{cat(false)}})
		})
		if got, err := os.ReadFile(out); err != nil || string(got) != c.got || status != c.status || errs != c.want {
			t.Errorf("%v: %q, %v, status %d, %q", c.err, got, err, status, errs)
		}
	}
}

// A stage that fails ends those before it, which write to nobody, and those behind it.
func TestStagesEndTogether(t *testing.T) {
	endless := stage("endless", &system{do: func(e *tool.Env) error {
		for {
			if _, err := e.Out.WriteString("y\n"); err != nil {
				return err
			}
		}
	}})
	_, errs, status := running(t, "", "", func(b *builder) {
		b.add(step{stages: []Stage{endless, failing(errors.New("no luck")), cat(true)}})
	})
	if errs != "failing: no luck\n" || status != 2 {
		t.Errorf("%q, %d", errs, status)
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
	b := &builder{e: &tool.Env{}, data: []string{name, "/no/such/file"}}
	if err := b.guard(); err == nil || err.Error() != "open /no/such/file: no such file or directory" {
		t.Error(err)
	}
	b = &builder{e: &tool.Env{}, data: []string{name}}
	if err := b.guard(); err != nil {
		t.Fatal(err)
	}
	if err := b.unchanged(); err != nil {
		t.Error(err)
	}
	write("three")
	if err := b.unchanged(); err == nil {
		t.Error("a file that has grown is no error")
	}
	write("one")
	if err := os.Rename(name, name+"2"); err != nil {
		t.Fatal(err)
	}
	if err := b.unchanged(); err == nil {
		t.Error("a file that is gone is no error")
	}
}

func TestReadsOnce(t *testing.T) {
	for operand, copied := range map[string]bool{"-": true, "/dev/fd/9": true, "/no/such/file": false, ".": false, "plan_test.go": false} {
		if readsOnce(operand) != copied {
			t.Errorf("%s: read once: %v", operand, readsOnce(operand))
		}
	}
}

func TestPrintJSON(t *testing.T) {
	out, _, _ := running(t, "", jsonForm, func(b *builder) {
		file, o, sign := b.scratch(""), keepdrop.Default(), recsign.Default()
		o.Decisions, o.Removed, sign.Without = file.path(), "x y", `<"$t">`
		b.add(
			step{source: &source{command: []string{"find", "."}}, stages: []Stage{stage("recsign", &sign)}, into: file},
			step{stages: []Stage{stage("keepdrop", &o).on("/dev/fd/5")}},
		)
	})
	want := `{"steps":[{"source":["find","."],"stages":[["recsign","--without=\u003c\"$t\"\u003e"]],"into":"t"},` +
		`{"stages":[["keepdrop","--removed=x y",{"text":"--decisions=","scratch":"t"},"/dev/fd/5"]]}]}` + "\n"
	if diff := cmp.Diff(want, out); diff != "" {
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
