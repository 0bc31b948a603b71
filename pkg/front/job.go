package front

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/chain"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
)

// A job runs a chain over a dataset: stages that decide, then one that applies
// the decisions. The decisions go to a scratch file first, so that no byte is
// written before all stages have succeeded.
type job struct {
	print   bool
	dryRun  bool
	verbose bool
	stats   string
	removed string
	output  string // handed to the last stage, which writes it
	once    bool   // the data are read once, so standard input need not be copied
}

func (j *job) register(fs *pflag.FlagSet) {
	fs.BoolVar(&j.print, "print", false, "print the chain as shell text, and run nothing")
	fs.BoolVar(&j.dryRun, "dry-run", false, "count, but write nothing")
	fs.BoolVarP(&j.verbose, "verbose", "v", false, "show each chain on standard error as it starts")
	fs.StringVar(&j.stats, "stats", "text", "report at the end on standard error as `FORM`: text, json or none")
	fs.StringVarP(&j.output, "output", "o", "", "write to `FILE`, whole or not at all")
}

// A plan makes the stages for the given data files.
type plan func(data []string) (decide oldChain, apply oldStage)

func (j *job) run(e *tool.Env, fs *pflag.FlagSet, args []string, p plan) error {
	if err := j.checkStats(); err != nil {
		return err
	}
	if j.print {
		return printChain(e, args, p)
	}
	start := time.Now()
	r := &running{e: e, job: j}
	data, err := r.data(args)
	if err != nil {
		return err
	}
	decide, apply := p(data)
	if err := r.decide(decide); err != nil {
		return r.ended(err)
	}
	if err := r.apply(apply, len(decide) > 0, data); err != nil {
		return r.ended(err)
	}
	return r.report(time.Since(start))
}

func (j *job) checkStats() error {
	if j.stats != "text" && j.stats != "json" && j.stats != "none" {
		return tool.UsageError("--stats %q: want text, json or none", j.stats)
	}
	return nil
}

// printChain writes the shell text that does the same. Standard input, which
// is read more than once, is copied first.
func printChain(e *tool.Env, args []string, p plan) error {
	data, before := args, ""
	if len(args) == 0 || len(args) == 1 && args[0] == "-" {
		data = []string{mark}
		before = "t=$(mktemp) && trap 'rm -f \"$t\"' EXIT && cat > \"$t\" &&\n"
	}
	decide, apply := p(data)
	if decide == nil && before != "" {
		data, before = nil, ""
	}
	if decide != nil {
		apply = append(apply, "--decisions=-")
	}
	_, err := e.Out.WriteString(before + shellText(append(decide, append(apply, data...))) + "\n")
	return err
}

// mark stands for the scratch file, "$t", in the arguments of printed stages.
const mark = "\x00"

// shellText returns a chain as shell text, its programs as a shell finds them.
func shellText(c oldChain) string {
	for _, s := range c {
		s[0] = shellPath(s[0])
	}
	text := strings.ReplaceAll(c.String(), "'"+mark+"'", `"$t"`)
	return strings.ReplaceAll(text, "'--records="+mark+"'", `--records="$t"`)
}

// stage returns a command with all arguments.
func stage(name string, args ...[]string) oldStage {
	s := oldStage{name}
	for _, a := range args {
		s = append(s, a...)
	}
	return s
}

// given returns the flags of these names that the user gave, as arguments.
func given(fs *pflag.FlagSet, names ...string) (args []string) {
	for _, name := range names {
		f := fs.Lookup(name)
		switch {
		case f == nil || !f.Changed:
		case f.Value.Type() == "bool":
			args = append(args, "--"+name)
		case f.Value.Type() == "stringArray":
			for _, one := range f.Value.(pflag.SliceValue).GetSlice() {
				args = append(args, "--"+name+"="+one)
			}
		default:
			args = append(args, "--"+name+"="+f.Value.String())
		}
	}
	return args
}

// path returns the program of a tool: beside this one, or on PATH.
func path(name string) string {
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), name); exists(beside) {
			return beside
		}
	}
	return name
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// shellPath returns the name of a tool, or its path if a shell would not find
// the same program by name.
func shellPath(name string) string {
	found, err := exec.LookPath(name)
	if p := path(name); err != nil || p != name && !same(found, p) {
		return p
	}
	return name
}

func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// A running is a job under way.
type running struct {
	e         *tool.Env
	job       *job
	files     []*os.File // what stages see as /dev/fd/3, …
	stats     *os.File
	maxRSS    int64
	tolerated bool
}

// data returns the names of the data; standard input is spooled if it is to be
// read more than once.
func (r *running) data(args []string) ([]string, error) {
	if j := r.job; j.once || len(args) > 0 && !(len(args) == 1 && args[0] == "-") {
		return args, nil
	}
	f, name, err := r.scratch()
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, r.e.Stdin); err != nil {
		return nil, fmt.Errorf("spooling standard input: %w", err)
	}
	return []string{name}, nil
}

// scratch makes a file that stages can open by the name returned.
func (r *running) scratch() (*os.File, string, error) {
	f, err := spill.Create()
	if err != nil {
		return nil, "", err
	}
	r.files = append(r.files, f)
	return f, r.lastName(), nil
}

// lastName is the name by which stages open the newest scratch file.
func (r *running) lastName() string { return fmt.Sprintf("/dev/fd/%d", 2+len(r.files)) }

func (r *running) runner(stdout io.Writer) *chain.Runner {
	c := &chain.Runner{Stdout: stdout, Stderr: r.e.Stderr, Files: r.files}
	if r.job.once {
		c.Stdin = r.e.Stdin
	}
	if r.e.KeepGoing {
		c.Tolerate = tool.ExitTrouble
	}
	return c
}

func (r *running) launch(c oldChain, stdout io.Writer) error {
	if r.job.verbose {
		r.e.Note("running %s", c)
	}
	res, err := r.runner(stdout).Run(c.run())
	r.maxRSS = max(r.maxRSS, res.MaxRSS)
	r.tolerated = r.tolerated || res.Tolerated
	return err
}

// decide runs the deciding stages into a scratch file.
func (r *running) decide(c oldChain) error {
	if c == nil {
		return nil
	}
	f, _, err := r.scratch()
	if err != nil {
		return err
	}
	return r.launch(c, f)
}

// apply runs the last stage, whose output is the job's.
func (r *running) apply(s oldStage, decided bool, data []string) error {
	if decided {
		s = append(s, "--decisions="+r.lastName())
	}
	f, name, err := r.scratch()
	if err != nil {
		return err
	}
	r.stats = f
	s = append(s, "--stats="+name)
	if r.job.dryRun {
		s = append(s, "--output=/dev/null")
	}
	return r.launch(oldChain{append(s, data...)}, r.e.Stdout)
}

// ended turns the failure of a stage, which has told of it, into the status of
// the whole.
func (r *running) ended(err error) error {
	var se *chain.StageError
	if !errors.As(err, &se) {
		return err
	}
	if se.Signal == syscall.SIGPIPE {
		r.e.Stdout.Write([]byte{'\n'}) // nobody reads; this ends us as it ended the stage
	}
	if se.Status > 0 {
		return tool.Exit(se.Status)
	}
	return err
}
