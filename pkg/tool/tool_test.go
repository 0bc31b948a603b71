package tool

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/tool/flags"
)

// runCommand runs a command with the given standard input and arguments.
func runCommand(c *Command, stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Run(c, Std{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs})
	return status, out.String(), errs.String()
}

// options implements Options for a tool in a test. The field shared is the set of shared flags, and
// the field run is the work of the tool.
type options struct {
	flags.Common
	shared flags.Set
	run    func(*Env, []string) error
}

func (o *options) Flags(fs *pflag.FlagSet)             { o.Common.Flags(fs, o.shared) }
func (o *options) Run(e *Env, operands []string) error { return o.run(e, operands) }

func returning(err error) *Command {
	return doing(0, func(*Env, []string) error { return err })
}

func doing(shared flags.Set, run func(*Env, []string) error) *Command {
	return &Command{Name: "tool", Summary: "is tried", Options: &options{shared: shared, run: run}}
}

func TestStatus(t *testing.T) {
	for _, tc := range []struct {
		err    error
		status int
		stderr string
	}{
		{nil, 0, ""},
		{Exit(1), 1, ""},
		{errors.New("it broke"), 2, "tool: it broke\n"},
		{UsageError("no %q", "x"), 2, "tool: no \"x\"\ntool: hint: try 'tool --help'\n"},
		{msg.WithHint(errors.New("not sorted"), "sort it"), 2, "tool: not sorted\ntool: hint: sort it\n"},
		{&record.SyntaxError{Name: "f\x1b[1m\n", Line: 3, Err: errors.New("odd")}, 2, "tool: f\\x1b[1m\\n:3: odd\n"},
	} {
		status, stdout, stderr := runCommand(returning(tc.err), "")
		if status != tc.status || stdout != "" || stderr != tc.stderr {
			t.Errorf("%v: %d, %q, %q", tc.err, status, stdout, stderr)
		}
	}
}

func TestWarn(t *testing.T) {
	c := doing(flags.KeepGoing, func(e *Env, _ []string) error {
		e.Note("by the way")
		e.Warn(errors.New("one is bad"))
		return e.Skip(errors.New("two is bad"))
	})
	if status, _, stderr := runCommand(c, "", "-k"); status != 2 || stderr != "tool: by the way\ntool: one is bad\ntool: two is bad\n" {
		t.Errorf("%d, %q", status, stderr)
	}
}

// A tool has only the shared flags that it registers.
func TestShared(t *testing.T) {
	for _, tc := range []struct {
		shared flags.Set
		want   string
	}{
		{0, ""}, {flags.Jobs, "jobs"}, {flags.KeepGoing | flags.JSON, "json keep-going"}, {flags.Null | flags.Output, "null output no-sync"},
		{flags.Watch, "progress no-progress"}, {flags.IDs, "id lines csv separator quote encoding no-partitions max-record expect with-filename name"}, {flags.Records, "field missing id lines csv separator quote encoding no-partitions max-record expect with-filename name"},
		{flags.Whole, "field missing id lines csv separator quote encoding no-partitions max-record expect with-filename name"},
	} {
		_, table, _ := runCommand(doing(tc.shared, nil), "", "--flags")
		var names []string
		for line := range strings.Lines(table) {
			name, _, _ := strings.Cut(line, "\t")
			names = append(names, name)
		}
		if d := cmp.Diff(strings.Fields(tc.want+" help version"), names); d != "" {
			t.Errorf("%v: %s", tc.shared, d)
		}
	}
}

// upper returns a tool that writes every line in upper case, and treats the line "bad" as a bad
// record.
func upper() *Command {
	return doing(flags.Jobs|flags.KeepGoing|flags.Output, func(e *Env, args []string) error {
		rd, err := record.NewReader(e.Input(args), record.Options{Lines: true})
		if err != nil {
			return err
		}
		return MapRecords(e, rd, func() func([]byte, *record.Record) ([]byte, error) {
			return func(dst []byte, rec *record.Record) ([]byte, error) {
				if string(rec.Text) == "bad" {
					return dst, errors.New("bad line")
				}
				return append(append(dst, bytes.ToUpper(rec.Text)...), '\n'), nil
			}
		})
	})
}

func TestMapRecords(t *testing.T) {
	long := strings.Repeat("some line\n", 200000)
	for _, jobs := range []string{"-j1", "-j4"} {
		if status, out, stderr := runCommand(upper(), long, jobs); status != 0 || out != strings.ToUpper(long) || stderr != "" {
			t.Errorf("%s: %d, %d bytes, %q", jobs, status, len(out), stderr)
		}
		bad := "a\nbad\nb\n" + long + "bad\n"
		if status, out, _ := runCommand(upper(), bad, jobs); status != 2 || out != "A\n" {
			t.Errorf("%s: %d, %q", jobs, status, out)
		}
		status, out, stderr := runCommand(upper(), bad, jobs, "-k")
		if status != 2 || out != "A\nB\n"+strings.ToUpper(long) || strings.Count(stderr, "bad line") != 2 {
			t.Errorf("%s: %d, %d bytes, %q", jobs, status, len(out), stderr)
		}
	}
}

// A failed run leaves the file of -o unchanged.
func TestOutputUntouched(t *testing.T) {
	name := t.TempDir() + "/out"
	if err := os.WriteFile(name, []byte("before"), 0o640); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := runCommand(upper(), "a\nbad\n", "-o", name); status != 2 {
		t.Errorf("status %d", status)
	}
	if got, _ := os.ReadFile(name); string(got) != "before" {
		t.Errorf("after a failed run: %q", got)
	}
	if status, _, stderr := runCommand(upper(), "a\n", "-o", name); status != 0 {
		t.Errorf("status %d, %s", status, stderr)
	}
	info, err := os.Stat(name)
	if got, _ := os.ReadFile(name); string(got) != "A\n" || err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, %v, %v", got, info.Mode(), err)
	}
}

// Help shows defaults as users type them, but no default that means that the flag is absent. A brief
// description ends at the first semicolon.
func TestDescribeFlag(t *testing.T) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.StringArrayP("field", "f", []string{"text"}, "read `PATH`; may be repeated")
	fs.Int("head", -1, "copy `N` records (default: all)")
	fs.Int("most", 0, "stop after `N`")
	fs.Int("hot", 1000, "limit to `N`")
	fs.Int("near", -1, "near `N`")
	fs.Bool("json", false, "write JSON")
	fs.String("print", "", "print the chain")
	fs.Lookup("print").NoOptDefVal = "sh"
	flagset.AtLeast(fs, 1, "most")
	flagset.AtLeast(fs, -1, "near")
	for name, want := range map[string][2]helpItem{
		"field": {{"  -f, --field PATH", "read PATH (default text)"}, {"  -f, --field PATH", "read PATH; may be repeated (default text)"}},
		"head":  {{"  --head N", "copy N records (default: all)"}, {"      --head N", "copy N records (default: all)"}},
		"most":  {{"  --most N", "stop after N"}, {"      --most N", "stop after N"}},
		"hot":   {{"  --hot N", "limit to N (default 1000)"}, {"      --hot N", "limit to N (default 1000)"}},
		"near":  {{"  --near N", "near N (default -1)"}, {"      --near N", "near N (default -1)"}},
		"json":  {{"  --json", "write JSON"}, {"      --json", "write JSON"}},
		"print": {{"  --print[=sh]", "print the chain"}, {"      --print[=sh]", "print the chain"}},
	} {
		f := fs.Lookup(name)
		if got := [2]helpItem{describeFlag(f, true), describeFlag(f, false)}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestHeaderOfObjects(t *testing.T) {
	c := doing(flags.JSON|flags.Header, func(*Env, []string) error { return nil })
	if status, _, errs := runCommand(c, "", "--header", "--json"); status != 2 || !strings.Contains(errs, "--header and --json cannot be used together") {
		t.Errorf("%d, %s", status, errs)
	}
}

// A lastStep is a Commit that notes which files are in place.
type lastStep struct {
	steps []string
	err   error
}

func (l *lastStep) Commit() error {
	_, err := os.Stat("out")
	l.steps = append(l.steps, fmt.Sprint("commit, output in place: ", err == nil))
	return l.err
}

func (l *lastStep) Close() error {
	l.steps = append(l.steps, "close")
	return nil
}

// The last step of a run is taken when the outputs are in place. If the run fails, it is only closed;
// if it fails itself, the outputs stay.
func TestCommitLast(t *testing.T) {
	t.Chdir(t.TempDir())
	broken := errors.New("it broke")
	for _, tc := range []struct {
		run, commit error
		status      int
		want        []string
		out         bool
	}{
		{nil, nil, 0, []string{"commit, output in place: true", "close"}, true},
		{broken, nil, 2, []string{"close"}, false},
		{nil, broken, 2, []string{"commit, output in place: true", "close"}, true},
	} {
		l := &lastStep{err: tc.commit}
		status, _, stderr := runCommand(doing(flags.Output, func(e *Env, _ []string) error {
			e.Stage("stage", e.Std).CommitLast(l)
			e.Out.WriteString("x")
			return tc.run
		}), "", "-o", "out")
		_, err := os.Stat("out")
		if d := cmp.Diff(tc.want, l.steps); d != "" || status != tc.status || (err == nil) != tc.out {
			t.Errorf("%+v: status %d, %s, output in place: %v\n%s", tc, status, stderr, err == nil, d)
		}
		os.Remove("out")
	}
}
