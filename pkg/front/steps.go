package front

import (
	"io"
	"os"

	"github.com/spf13/pflag"

	"doppel/pkg/chain"
	"doppel/pkg/config"
	"doppel/pkg/record"
)

// steps are a pipeline: stages through which the records run, then a job that
// decides on all of them and applies that.
type steps struct {
	names       []string // of the steps, for statistics
	front       oldChain
	fuzzy       plan // nil: none
	output      string
	compression record.Compression // Plain: as the name of the output says
	stats       []*os.File         // of the steps, as the stages write them
}

var compressions = map[string]record.Compression{"gzip": record.Gzip, "zstd": record.Zstd}

// newSteps returns the steps of a file; shared are flags for all stages.
func newSteps(c *config.Config, shared []string) (*steps, error) {
	s := &steps{compression: compressions[c.Output.Compression]}
	if x := c.Deduplication.Exact; x != nil {
		s.add("exact", stage("recuniq", x.Args(), shared))
	}
	for _, args := range c.Filters.Args() {
		s.add("filters", stage("recfilter", []string{"--apply"}, args, shared))
	}
	if f := c.Deduplication.Fuzzy; f != nil {
		var err error
		s.names = append(s.names, "fuzzy")
		s.fuzzy, err = fuzzyPlan(append(f.Args(), shared...))
		return s, err
	}
	return s, nil
}

func (s *steps) add(name string, st oldStage) {
	s.names, s.front = append(s.names, name), append(s.front, st)
}

// fuzzyPlan returns the plan of doppel fuzzy with these arguments.
func fuzzyPlan(args []string) (plan, error) {
	var f fuzzyFlags
	fs := pflag.NewFlagSet("fuzzy", pflag.ContinueOnError)
	f.register(fs)
	fs.StringArray("field", nil, "")
	fs.Int("jobs", 0, "")
	fs.Bool("keep-going", false, "")
	return f.stages, fs.Parse(args)
}

// run runs all steps. Without a fuzzy one the records run through one chain.
func (s *steps) run(r *running, args []string) error {
	r.job.once = len(s.front) > 0
	if s.fuzzy == nil {
		return s.runFront(r, args, s.out(r))
	}
	data := args
	if len(s.front) > 0 {
		f, name, err := r.scratch()
		if err != nil {
			return err
		}
		if err := s.runFront(r, args, f); err != nil {
			return err
		}
		data = []string{name}
	}
	data, err := r.data(data)
	if err != nil {
		return err
	}
	decide, apply := s.fuzzy(data)
	if err := r.decide(decide); err != nil {
		return err
	}
	apply = append(apply, "--decisions="+r.lastName())
	if apply, err = s.counted(r, apply); err != nil {
		return err
	}
	return r.launch(oldChain{append(apply, data...)}, s.out(r))
}

// runFront runs the stages through which the records pass.
func (s *steps) runFront(r *running, args []string, w io.Writer) (err error) {
	c := make(oldChain, len(s.front))
	for i := range c {
		if c[i], err = s.counted(r, s.front[i]); err != nil {
			return err
		}
	}
	c[0] = append(c[0], args...)
	return r.launch(c, w)
}

// counted makes a stage write its statistics.
func (s *steps) counted(r *running, st oldStage) (oldStage, error) {
	f, name, err := r.scratch()
	s.stats = append(s.stats, f)
	return append(st, "--stats="+name), err
}

// out is where the last stage writes: standard output itself where it can.
func (s *steps) out(r *running) io.Writer {
	if r.e.OutputName == "" && s.compression == record.Plain {
		return r.e.Stdout
	}
	return r.e.Out
}

// print writes the steps as shell text.
func (s *steps) print(w io.Writer, args []string) error {
	const scratch = "t=$(mktemp) && trap 'rm -f \"$t\"' EXIT &&\n"
	fromStdin := len(args) == 0 || len(args) == 1 && args[0] == "-"
	before, last := "", s.front
	if len(s.front) > 0 {
		s.front[0] = append(s.front[0], args...)
	}
	if s.fuzzy != nil {
		switch {
		case len(s.front) > 0:
			before, args = scratch+shellText(s.front)+" > \"$t\" &&\n", []string{mark}
		case fromStdin:
			before, args = scratch+"cat > \"$t\" &&\n", []string{mark}
		}
		decide, apply := s.fuzzy(args)
		last = append(decide, append(append(apply, "--decisions=-"), args...))
	}
	_, err := io.WriteString(w, before+shellText(last)+s.into()+"\n")
	return err
}

// into is the shell text that writes the output, by the programs that compress
// as doppel itself does.
func (s *steps) into() (text string) {
	how := s.compression
	if how == record.Plain {
		how = record.CompressionOf(s.output)
	}
	switch how {
	case record.Gzip:
		text = " | gzip -c"
	case record.Zstd:
		text = " | zstd -qc"
	}
	if s.output != "" {
		text += " > " + chain.Quote(s.output)
	}
	return text
}
