package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/files"
	"doppel/pkg/msg"
	"doppel/pkg/output"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// A Builder builds the plan of a command, and runs or prints it.
type Builder struct {
	Env     *tool.Env
	Print   Syntax     // syntax in which the plan is printed; None to run it
	Dry     bool       // the run writes no data
	Verbose bool       // print the command of each pipeline when it starts
	Data    []string   // files that must not change while the plan runs
	Copies  []*Scratch // copies of inputs that can be read only once

	plan   Plan
	files  []*Scratch
	before []os.FileInfo // sizes and times, at the start of the run, of the files in Data
	named  []string      // alternately the temporary path of an output and the name that the user gave it
	err    error         // the first error passed to Fail
}

func (b *Builder) Add(steps ...Step) { b.plan = append(b.plan, steps...) }

// Fail records an error, which Do returns. It ignores all errors after the first one.
func (b *Builder) Fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// Scratch returns a new scratch file. If display is not empty, messages and ids show it instead of
// the path.
func (b *Builder) Scratch(display string) *Scratch {
	s := &Scratch{number: len(b.files) + 1, Display: display}
	b.files = append(b.files, s)
	if b.Print == None {
		f, err := spill.Create()
		if err != nil {
			b.Fail(err)
			return s
		}
		s.File = f
	}
	if b.Env.Called == nil {
		b.Env.Called = map[string]string{}
	}
	if display != "" {
		b.Env.Called[s.Path()] = display
	}
	return s
}

// Output returns the temporary path of an output. One stage writes the output there, and later
// stages can read it. After a successful run, package tool gives the file its final name. The
// output may have the name of an input only if replaces is true. If the plan is printed, or if name
// is empty, "-" or a file descriptor, Output returns name.
func (b *Builder) Output(name string, replaces bool) string {
	if name == "" || name == "-" || b.Print != None || output.IsDescriptor(name) {
		return name
	}
	at, err := b.Env.Delegate(name, replaces)
	if err != nil {
		b.Fail(err)
	}
	b.named = append(b.named, at, name)
	return at
}

// Target returns the path to which the last stage writes the output with the given name. In a dry
// run, the path is os.DevNull.
func (b *Builder) Target(name string) string {
	if b.Dry {
		return os.DevNull
	}
	if (&flags.Destination{OutputName: name}).Directory() {
		return name // a directory: Preflight reserves the names of the files in it
	}
	return b.Output(name, true)
}

// Stdin is the operand for standard input.
const Stdin = "-"

// ReadsOnce reports whether an operand can be read only once. It returns false for a missing file,
// which a stage reports later.
func ReadsOnce(name string) bool {
	if name == Stdin || files.NamesStream(name) {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// Reread returns operands for stages that read them more than once. For each operand that can be
// read only once, it adds a step that copies the input to a scratch file, and returns the path of
// that file. If an input is copied, or is compressed with gzip, bzip2 or xz, the decoded data of
// the first reading is kept for later readings. The copy ends with the error of a reader with these
// options, so the copy of an endless input ends if that is not a dataset. The operands must not be
// outputs of the run, and must not change during the run.
func (b *Builder) Reread(operands []string, opt record.Options) []string {
	if len(operands) == 0 {
		operands = []string{Stdin}
	}
	if n := slices.Index(operands, Stdin); n >= 0 && slices.Contains(operands[n+1:], Stdin) {
		b.Fail(tool.UsageError("standard input is named twice"))
		return nil
	}
	data, packed := slices.Clone(operands), false
	for i, name := range operands {
		if !ReadsOnce(name) {
			packing := dataform.PackingOf(name)
			packed = packed || packing != "" && packing != "zstd" // decoding zstd again is as fast as reading a copy
			continue
		}
		source, display := &Source{Command: []string{"cat"}, Open: func() (io.ReadCloser, error) { return io.NopCloser(b.Env.Stdin), nil }}, "<stdin>"
		if name != Stdin {
			source, display = &Source{Command: []string{"cat", name}, Open: func() (io.ReadCloser, error) { return os.Open(name) }}, name
		}
		copied := b.Scratch(display)
		source.Copy = func(w io.Writer, r io.Reader) error { return record.CopyInput(w, r, display, opt) }
		b.Add(Step{Source: source, Into: copied})
		b.Copies = append(b.Copies, copied)
		data[i], packed = copied.Path(), true
	}
	switch {
	case b.Print != None:
	case packed:
		b.Env.Decoded = record.NewDecodedInputs()
	case b.Env.Places == nil:
		b.Env.Places = new(record.Places)
	}
	b.Fail(b.Env.Reads(operands...))
	b.Data = append(b.Data, data...)
	return data
}

// Preflight checks whether stage s can write the records of the files. If not, Preflight calls Fail, so
// that no stage runs. Unless the plan is printed, Preflight also reserves the names of the output
// files if the output is a directory. If, in addition, all input files can be read again, it reads
// the beginning of each of them.
func (b *Builder) Preflight(s Stage, files []string) {
	if c := s.Options.SharedOptions(); b.err == nil {
		b.Fail(b.Env.ReserveShards(c, files, b.Print != None))
	}
	if b.Print != None || len(files) == 0 || slices.ContainsFunc(files, ReadsOnce) || b.err != nil {
		return
	}
	probe := b.Env.Stage(s.Tool, tool.Std{Stderr: b.Env.Stderr})
	probe.Common = s.Options.SharedOptions().Settled()
	if o, ok := s.Options.(interface {
		Preflight(e *tool.Env, files []string) error
	}); ok {
		b.Fail(o.Preflight(probe, files))
	} else {
		_, err := probe.Preflight(files)
		b.Fail(err)
	}
}

// Do prints the plan to b.Env.Out, or runs it. When the plan runs, steps whose output does not go
// to a scratch file write to out.
func (b *Builder) Do(out io.Writer) error {
	defer func() {
		for _, s := range b.files {
			if s.File != nil {
				s.File.Close()
			}
		}
		if b.Env.Places != nil {
			b.Env.Places.Close()
		}
	}()
	if b.Env.NoSync { // set --no-sync for exactly those stages that write files
		for _, step := range b.plan {
			for _, s := range step.Stages {
				fs := pflag.NewFlagSet("", pflag.ContinueOnError)
				s.Options.Flags(fs)
				s.Options.SharedOptions().NoSync = flags.Writes(fs)
			}
		}
	}
	switch {
	case b.err != nil:
		return b.err
	case b.Print == Shell && b.plan.skips():
		return errSkips()
	case b.Print == Shell:
		_, err := b.Env.Out.WriteString(b.plan.Shell())
		return err
	case b.Print != None:
		return json.NewEncoder(b.Env.Out).Encode(map[string]Plan{"steps": b.plan})
	}
	if err := b.statData(); err != nil {
		return err
	}
	for _, s := range b.plan {
		to := out
		if s.Into != nil {
			to = s.Into.File
		}
		if err := b.step(s, to); err != nil {
			return err
		}
		b.Env.Places.Seal()
	}
	return b.unchanged()
}

// statData records the sizes and times of the files in b.Data. It returns an error if a file is
// missing. Without this check, every stage would report the missing file.
func (b *Builder) statData() error {
	for _, name := range b.Data {
		info, err := os.Stat(name)
		if p := (*os.PathError)(nil); errors.As(err, &p) {
			p.Op = "open" // report the same error as a stage that opens the file
		}
		if err != nil {
			return err
		}
		b.before = append(b.before, info)
	}
	return nil
}

// unchanged returns an error if a file in b.Data was replaced or changed after statData. The
// decisions are valid only for the records that the first stage read.
func (b *Builder) unchanged() error {
	for i, name := range b.Data {
		now, err := os.Stat(name)
		if err != nil {
			return err
		}
		was := b.before[i]
		if _, copied := b.Env.Called[name]; !copied && (!os.SameFile(was, now) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime())) {
			return fmt.Errorf("%s: changed while it was read", name)
		}
	}
	return nil
}

// errSkips returns the error for -k (--keep-going) in a script. The script could not tell a tool that
// skipped a bad record from a tool that failed: both exit with status 2.
func errSkips() error {
	return msg.WithHint(tool.UsageError("-k applies only to a run in one process, not to --print=sh: a script stops when a tool reports a bad record"), "remove bad records first; {recsign} reports them")
}

// skips reports whether several tools follow one another, and one of them skips bad records.
func (p Plan) skips() bool {
	tools, skips := 0, false
	for _, step := range p {
		for _, s := range step.Stages {
			tools++
			skips = skips || s.Options.SharedOptions().KeepGoing
		}
	}
	return skips && tools > 1
}
