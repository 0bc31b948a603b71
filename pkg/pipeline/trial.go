package pipeline

import (
	"bufio"
	"io"

	"doppel/pkg/line"
	"doppel/pkg/record"
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
	records, decisions, pairs := &scratch{of: "the sample"}, &scratch{}, &scratch{}
	data := []word{{scratch: records}}
	given := &source{stage("cat"), func() (io.ReadCloser, error) { return io.NopCloser(t.Records), nil }}
	err := newRun(e, c.Job.Verbose).plan(Plan{
		{source: given, into: records},
		{stages: c.decide(data), into: decisions},
		{stages: []Stage{c.sign(data), c.pairAll()}, into: pairs},
	}, io.Discard)
	if err == nil {
		err = each(decisions, (*line.Decision).Parse, t.Decision)
	}
	if err == nil {
		err = each(pairs, (*line.Pair).Parse, t.Pair)
	}
	return err
}

// onTexts returns the chain for records that have nothing but a text.
func (f *Fuzzy) onTexts() *Fuzzy {
	c := *f
	plain := record.Options{Fields: []string{flags.Text}}
	c.Sign.Common.Records, c.Verify.Common.Records, c.Group.Common.Records = plain, plain, plain
	c.Decide.Common.Records = record.Options{}
	return &c
}

// pairAll is the stage that pairs, without collapsing what is equal.
func (f *Fuzzy) pairAll() Stage {
	o := f.Pair
	o.Pairing.All = true
	return f.pairBy(o)
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
