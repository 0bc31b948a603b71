package pipeline

import (
	"bufio"
	"io"

	"doppel/pkg/line"
	"doppel/pkg/record"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// A Trial is what a chain makes of some records: JSON lines of which no more
// than the text is looked at. Ids are ordinals.
type Trial struct {
	Records  io.Reader
	Decision func(line.Decision) error // is called with each decision
	Pair     func(line.Pair) error     // is called with each candidate, also of equal records
}

// Try runs the chain over the records of a trial as it would over a dataset.
func (f *Fuzzy) Try(e *tool.Env, t Trial) error {
	c := f.onTexts()
	b := c.Job.build(e)
	defer b.close()
	records, decisions, pairs := b.scratch("the sample"), b.scratch(""), b.scratch("")
	if b.err != nil {
		return b.err
	}
	if _, err := io.Copy(records.file, t.Records); err != nil {
		return err
	}
	all := c.pair()
	all.options.(*lshpairs.Options).Pairing.All = true // equal records are not collapsed
	data := records.path()
	err := (&runner{e, c.Job.Verbose}).run(Plan{
		{stages: c.chain([]string{data}), into: decisions},
		{stages: []Stage{c.sign().on(data), all}, into: pairs},
	}, io.Discard)
	if err == nil {
		err = each(decisions, (*line.Decision).Parse, t.Decision)
	}
	if err == nil {
		err = each(pairs, (*line.Pair).Parse, t.Pair)
	}
	return err
}

// WriteDecisions runs the stages that decide over files, and writes their decisions,
// by ordinals, for those who want to look at them before anything is applied. What
// can be read only once is refused.
func (f *Fuzzy) WriteDecisions(e *tool.Env, names []string, w io.Writer) error {
	for _, name := range names {
		if readsOnce(name) {
			return tool.UsageError("%s can be read only once", name)
		}
	}
	defer e.ShowProgress()()
	return (&runner{e: e}).run(Plan{{stages: f.chain(names)}}, w)
}

// onTexts returns the chain for records that have nothing but a text.
func (f *Fuzzy) onTexts() *Fuzzy {
	c := *f
	plain := record.Options{Fields: []string{flags.Text}}
	c.Records = plain
	return &c
}

// each calls fn with what each line of a scratch file says: short ones, of ids that
// are numbers.
func each[L any](s *scratch, parse func(*L, []byte) error, fn func(L) error) error {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	lines := bufio.NewScanner(s.file)
	for lines.Scan() {
		var one L
		if err := parse(&one, lines.Bytes()); err != nil {
			return err
		}
		if err := fn(one); err != nil {
			return err
		}
	}
	return lines.Err()
}
