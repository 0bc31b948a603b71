package pipeline

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/pflag"

	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// A builder makes the plan of a command: to be run, or to be printed.
type builder struct {
	e       *tool.Env
	printed bool
	dry     bool // a run that writes nothing
	plan    Plan
	files   []*scratch
	data    []string
	copies  []*scratch    // of inputs that can be read only once
	before  []os.FileInfo // of data that is no scratch file
	err     error         // the first one of making a file
}

func (b *builder) add(steps ...step) { b.plan = append(b.plan, steps...) }

// fail keeps the first error.
func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// scratch returns a new scratch file. Messages and ids call it by the display name, if it
// has one.
func (b *builder) scratch(display string) *scratch {
	s := &scratch{number: len(b.files) + 1, display: display}
	b.files = append(b.files, s)
	if b.printed {
		return s
	}
	f, err := spill.Create()
	if err != nil {
		b.fail(err)
		return s
	}
	if s.file = f; display != "" {
		b.e.Called[s.path()] = display
	}
	return s
}

// close gives up the scratch files.
func (b *builder) close() {
	for _, s := range b.files {
		if s.file != nil {
			s.file.Close()
		}
	}
	if b.e.Places != nil {
		b.e.Places.Close()
	}
}

// output returns the name under which a stage writes an output, and later stages read it:
// it is put in its place when the run has succeeded. Only what replaces may be an input of
// the same name.
func (b *builder) output(name string, replaces bool) string {
	if name == "" || b.printed || tool.IsDescriptor(name) {
		return name
	}
	at, err := b.e.Delegate(name, replaces)
	if err != nil {
		b.fail(err)
	}
	return at
}

// target returns where the last stage writes: a file, or nowhere in a dry run.
func (b *builder) target(name string) string {
	if b.dry {
		return os.DevNull
	}
	return b.output(name, true)
}

// stdin is how an operand names standard input.
const stdin = "-"

// readsOnce reports whether an operand can be read only once. A file that does not exist is
// for a stage to report.
func readsOnce(name string) bool {
	if name == stdin || strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/") {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// reread returns operands that stages read more than once. It adds the steps that copy
// those that can be read only once, and has the first reading keep what it decodes. They
// must not be what the run writes, nor change.
func (b *builder) reread(operands []string) []string {
	if len(operands) == 0 {
		operands = []string{stdin}
	}
	if n := slices.Index(operands, stdin); n >= 0 && slices.Contains(operands[n+1:], stdin) {
		b.fail(tool.UsageError("standard input is named twice"))
		return nil
	}
	data, packed := slices.Clone(operands), false
	for i, name := range operands {
		if !readsOnce(name) {
			packed = packed || slices.Contains([]string{".gz", ".bz2", ".xz"}, filepath.Ext(name))
			continue
		}
		src, display := &source{[]string{"cat"}, func() (io.ReadCloser, error) { return io.NopCloser(b.e.Stdin), nil }}, "<stdin>"
		if name != stdin {
			src, display = &source{[]string{"cat", name}, func() (io.ReadCloser, error) { return os.Open(name) }}, name
		}
		copied := b.scratch(display)
		b.add(step{source: src, into: copied})
		b.copies = append(b.copies, copied)
		data[i], packed = copied.path(), true
	}
	switch {
	case b.printed:
	case packed:
		b.e.Decoded = record.NewDecodedInputs()
	case b.e.Places == nil:
		b.e.Places = new(record.Places)
	}
	b.fail(b.e.Reads(operands...))
	b.data = append(b.data, data...)
	return data
}

// guard notes what the files are that must not change while they are read. All must exist,
// else each stage would complain.
func (b *builder) guard() error {
	for _, name := range b.data {
		info, err := os.Stat(name)
		if p := (*os.PathError)(nil); errors.As(err, &p) {
			p.Op = "open" // as a stage would have reported it
		}
		if err != nil {
			return err
		}
		b.before = append(b.before, info)
	}
	return nil
}

// unchanged returns an error if one of the files is another one, or has changed: decisions
// are good for what was read first.
func (b *builder) unchanged() error {
	for i, name := range b.data {
		now, err := os.Stat(name)
		if err != nil {
			return err
		}
		was := b.before[i]
		if _, copied := b.e.Called[name]; !copied && (!os.SameFile(was, now) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime())) {
			return fmt.Errorf("%s: changed while it was read", name)
		}
	}
	return nil
}

// A runner runs plans as stages of a command.
type runner struct {
	e       *tool.Env
	verbose bool // each chain is shown as it starts
}

// The errors that a stage meets when its neighbour has failed, which reports why.
var (
	errNoWriter = errors.New("the stage before has failed")
	errNoReader = errors.New("the stage behind has ended")
)

// run runs all steps; the output of the last goes to out.
func (r *runner) run(p Plan, out io.Writer) error {
	for _, s := range p {
		to := out
		if s.into != nil {
			to = s.into.file
		}
		if err := r.step(s, to); err != nil {
			return err
		}
		r.e.Places.Seal()
	}
	return nil
}

// step runs one chain: a stage that can hand on values does so, and runs where they are
// taken; any other runs beside the next one, which reads its lines from a pipe.
func (r *runner) step(s step, out io.Writer) error {
	var in io.Reader = strings.NewReader("")
	if s.stdin {
		in = r.e.Stdin
	}
	if s.source != nil {
		opened, err := s.source.open()
		if err != nil {
			return err
		}
		defer opened.Close()
		in = opened
	}
	if len(s.stages) == 0 {
		_, err := io.Copy(out, in)
		return err
	}
	if r.verbose {
		r.e.Note("running %s", s.chain())
	}
	envs, errs := make([]*tool.Env, len(s.stages)), make([]error, len(s.stages))
	var stages sync.WaitGroup
	var values any
	first := 0 // of the stages that run in one goroutine
	for i, one := range s.stages {
		e := r.e.Stage(one.tool, tool.Std{Stdin: in, Stdout: out, Stderr: r.e.Stderr})
		e.Reported, e.Upstream = one.reported, values
		if envs[i], values = e, nil; i < len(s.stages)-1 {
			if values = handed(one, s.stages[i+1], e); values != nil {
				continue
			}
			in, e.Stdout = io.Pipe()
		}
		together := envs[first : i+1]
		stages.Go(func() {
			errs[i] = runStage(one, e)
			closePipes(together, errs[i])
		})
		first = i + 1
	}
	r.e.Follow(envs...)
	stages.Wait()
	r.e.Follow()
	return r.judge(s, envs, errs)
}

// handed returns the values that a stage hands to the next one; nil: it writes lines.
func handed(one, next Stage, e *tool.Env) any {
	producer, ok := one.options.(tool.Producer)
	if !ok || len(next.operands) > 0 {
		return nil
	}
	taker, ok := next.options.(tool.Taker)
	if !ok {
		return nil
	}
	if values := producer.Produce(e, one.operands); values != nil && taker.Takes(values) {
		return values
	}
	return nil
}

// runStage runs a stage to its end.
func runStage(s Stage, e *tool.Env) error {
	if s.begin != nil {
		s.begin()
	}
	if err := e.Begin(s.options, s.operands); err != nil {
		return err
	}
	return e.End(s.options.Run(e, s.operands))
}

// closePipes tells the neighbours of some stages that these have ended.
func closePipes(stages []*tool.Env, err error) {
	for _, e := range stages {
		if to, ok := e.Stdout.(*io.PipeWriter); ok && err != nil {
			to.CloseWithError(errNoWriter)
		} else if ok {
			to.Close()
		}
		if from, ok := e.Stdin.(*io.PipeReader); ok {
			from.CloseWithError(errNoReader)
		}
	}
}

// judge takes the counts of the stages, and returns the error of the last one that failed
// by itself; those of others are reported.
func (r *runner) judge(s step, envs []*tool.Env, errs []error) (failed error) {
	for i, err := range errs {
		if one := s.stages[i]; one.counts != nil && envs[i].Counted != nil {
			*one.counts = envs[i].Counted.Total()
		}
		if err == nil || errors.Is(err, errNoWriter) || errors.Is(err, errNoReader) {
			continue
		}
		if failed != nil {
			r.e.Warn(failed)
		}
		failed = err
	}
	return failed
}

// chain returns the commands of the stages.
func (s step) chain() string {
	all := make([]string, len(s.stages))
	for i, one := range s.stages {
		all[i] = shell{}.words(append(one.program(), one.args()...))
	}
	return strings.Join(all, " | ")
}

// peakMemory returns the most memory that the process has held, in bytes.
func peakMemory() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Maxrss * rssUnit
}

// system is a command of the system, such as cut, with its counterpart in this process. It
// has no flags.
type system struct {
	flags.Common
	args []string
	do   func(e *tool.Env) error
}

func (*system) Flags(*pflag.FlagSet) {}

// Run runs the counterpart.
func (s *system) Run(e *tool.Env, _ []string) error { return s.do(e) }

// Check: the arguments are those that a plan has chosen.
func (*system) Check() error { return nil }
