package plan

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

	"doppel/pkg/record"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// command holds the options of a tool that runs or prints a plan.
type command struct {
	flags.Common
	print Syntax
	plan  func(b *Builder)
}

func (c *command) Flags(*pflag.FlagSet) {}

func (c *command) Run(e *tool.Env, _ []string) error {
	b := &Builder{Env: e, Print: c.print}
	c.plan(b)
	return b.Do(e.Stdout)
}

// running runs or prints a plan, like a tool. It returns the output, the messages and the exit
// status.
func running(t *testing.T, stdin string, print Syntax, plan func(*Builder)) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := &tool.Command{Name: "test", Options: &command{plan: plan, print: print}}
	status = tool.Run(c, tool.Std{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs})
	return out.String(), errs.String(), status
}

// inShell runs the shell text of a plan and returns its standard output.
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

// cat returns a stage that copies the named files or, without names, its input. If upper is true,
// the stage converts the text to upper case.
func cat(upper bool, files ...string) Stage {
	name, args := "cat", files
	if upper {
		name, args = "tr", []string{"a-z", "A-Z"}
	}
	return Tool(name, &System{Args: args, Do: func(e *tool.Env) error {
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
		plan  func(*Builder)
		shell string
		want  string
	}{
		"a chain": {func(b *Builder) {
			b.Add(Step{Stdin: true, Stages: []Stage{cat(false), cat(true)}})
		}, "failed=$(mktemp) && trap 'rm -f \"$failed\"' EXIT &&\n" + try + "try cat | tr a-z A-Z && ok\n", "INPUT\n"},
		"a file that is read twice": {func(b *Builder) {
			data := b.Reread([]string{odd, "-"}, record.Options{})
			b.Add(Step{Stages: []Stage{cat(false, append(data, data...)...)}})
		}, "t=$(mktemp) && trap 'rm -f \"$t\"' EXIT &&\ncat > \"$t\" &&\ncat 'it'\\''s \"$t\" -o' \"$t\" 'it'\\''s \"$t\" -o' \"$t\"\n", "odd\ninput\nodd\ninput\n"},
		"an output that is held back": {func(b *Builder) {
			held := b.Scratch("")
			b.Add(Step{Stages: []Stage{cat(false, odd)}, Into: held}, Step{Stages: []Stage{cat(false, held.Path())}})
		}, "t=$(mktemp) && trap 'rm -f \"$t\"' EXIT &&\ncat 'it'\\''s \"$t\" -o' > \"$t\" &&\ncat \"$t\"\n", "odd\n"},
	} {
		t.Run(name, func(t *testing.T) {
			run, errs, status := running(t, "input\n", "", c.plan)
			text, _, _ := running(t, "", Shell, c.plan)
			if shell := inShell(t, "input\n", text); status != 0 || run != c.want || shell != c.want {
				t.Errorf("status %d, %s, run %q, shell %q, want %q", status, errs, run, shell, c.want)
			}
			if d := cmp.Diff(c.shell, text); d != "" {
				t.Error(d)
			}
		})
	}
}

// failing returns a stage that writes a line and returns err.
func failing(err error) Stage {
	return Tool("failing", &System{Do: func(e *tool.Env) error {
		e.Out.WriteString("new\n")
		return err
	}})
}

// TestCopyChecked checks that a plan ends while it copies an input that no stage can read.
func TestCopyChecked(t *testing.T) {
	_, errs, status := running(t, "a\n\x00\nb\n", "", func(b *Builder) {
		data := b.Reread(nil, record.Options{Lines: true, MaxRecord: 1})
		b.Add(Step{Stages: []Stage{cat(false, data...)}})
	})
	if status != 0 || errs != "" {
		t.Errorf("lines of one byte: status %d, %q", status, errs)
	}
	_, errs, status = running(t, "\x00", "", func(b *Builder) {
		data := b.Reread(nil, record.Options{})
		b.Add(Step{Stages: []Stage{failing(errors.New("the stage ran"))}}, Step{Stages: []Stage{cat(false, data...)}})
	})
	if want := "test: <stdin>: the file is neither text lines nor a known format\n"; status != 2 || !strings.HasPrefix(errs, want) {
		t.Errorf("status %d, %q, want %q", status, errs, want)
	}
}

// TestPlanFails checks that an existing output file stays unchanged if any stage fails, even a
// stage that does not write the file, and that only the failing stage reports the error.
func TestPlanFails(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		err       error
		want, got string
		status    int
	}{{errors.New("no luck"), "test: no luck\n", "old", 2}, {nil, "", "new\n", 0}} {
		if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs, status := running(t, "", "", func(b *Builder) {
			writer := cat(false)
			writer.Options.SharedOptions().OutputName = b.Output(out, false)
			b.Add(Step{Stages: []Stage{failing(c.err), cat(false), writer}}, Step{Stages: []Stage{cat(false)}})
		})
		if got, err := os.ReadFile(out); err != nil || string(got) != c.got || status != c.status || errs != c.want {
			t.Errorf("%v: %q, %v, status %d, %q", c.err, got, err, status, errs)
		}
	}
}

// TestStagesEndTogether checks that a failed stage ends the stages before it and the stages after
// it.
func TestStagesEndTogether(t *testing.T) {
	endless := Tool("endless", &System{Do: func(e *tool.Env) error {
		for {
			if _, err := e.Out.WriteString("y\n"); err != nil {
				return err
			}
		}
	}})
	_, errs, status := running(t, "", "", func(b *Builder) {
		b.Add(Step{Stages: []Stage{endless, failing(errors.New("no luck")), cat(true)}})
	})
	if errs != "test: no luck\n" || status != 2 {
		t.Errorf("%q, %d", errs, status)
	}
}

// TestUnchanged checks that the run fails if a file is missing at the start, or changes between two
// readings.
func TestUnchanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "data")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	b := &Builder{Env: &tool.Env{}, Data: []string{name, "/no/such/file"}}
	if err := b.statData(); err == nil || err.Error() != "open /no/such/file: no such file or directory" {
		t.Error(err)
	}
	b = &Builder{Env: &tool.Env{}, Data: []string{name}}
	if err := b.statData(); err != nil {
		t.Fatal(err)
	}
	if err := b.unchanged(); err != nil {
		t.Error(err)
	}
	write("three")
	if err := b.unchanged(); err == nil {
		t.Error("a file that has grown: no error")
	}
	write("one")
	if err := os.Rename(name, name+"2"); err != nil {
		t.Fatal(err)
	}
	if err := b.unchanged(); err == nil {
		t.Error("a file that is gone: no error")
	}
}

func TestReadsOnce(t *testing.T) {
	for operand, copied := range map[string]bool{"-": true, "/dev/fd/9": true, "/no/such/file": false, ".": false, "plan_test.go": false} {
		if ReadsOnce(operand) != copied {
			t.Errorf("%s: read once: %v", operand, ReadsOnce(operand))
		}
	}
}

func TestPrintJSON(t *testing.T) {
	out, _, _ := running(t, "", JSON, func(b *Builder) {
		file, o, sign := b.Scratch(""), keepdrop.Default(), recsign.Default()
		o.Decisions, o.Removed, sign.Without = file.Path(), "x y", `<"$t">`
		b.Add(
			Step{Source: &Source{Command: []string{"find", "."}}, Stages: []Stage{Tool("recsign", &sign)}, Into: file},
			Step{Stages: []Stage{Tool("keepdrop", &o).On("/dev/fd/5")}},
		)
	})
	want := `{"steps":[{"source":["find","."],"stages":[["recsign","--without=\u003c\"$t\"\u003e"]],"into":"t"},` +
		`{"stages":[["keepdrop","--removed=x y",{"text":"--decisions=","scratch":"t"},"/dev/fd/5"]]}]}` + "\n"
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
	var f Syntax
	if err := f.Set("yaml"); err == nil {
		t.Error("yaml is a form")
	}
}
