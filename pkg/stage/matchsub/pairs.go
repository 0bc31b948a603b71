package matchsub

import (
	"doppel/pkg/line"
	"doppel/pkg/par"
	"doppel/pkg/record"
	stagelines "doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// A pair is a line of the input.
type pair struct {
	line.Pair
	err error // why the line is none
}

// pairs are read as they are needed, so that matches appear while the tool
// before is still at work, or all at once for readRecords.
type pairs struct {
	rd    *record.Reader
	queue []pair
}

func openPairs(e *tool.Env, names []string) (*pairs, error) {
	rd, err := stagelines.Open(e, names)
	return &pairs{rd: rd}, err
}

// next returns the next pair, or io.EOF.
func (p *pairs) next() (pair, error) {
	for len(p.queue) == 0 {
		var b record.Batch // a new one, for the pairs point into it
		if err := p.rd.Next(&b); err != nil {
			return pair{}, err
		}
		p.queue = parse(&b)
	}
	first := p.queue[0]
	p.queue = p.queue[1:]
	return first, nil
}

func parse(b *record.Batch) []pair {
	all := make([]pair, len(b.Records))
	for i, rec := range b.Records {
		if err := all[i].Parse(rec.Raw); err != nil {
			all[i].err = rec.At(err)
		}
	}
	return all
}

// A result is what one pair gave: lines, or an error.
type result struct {
	out  []byte
	rest rest // nil for none
	err  error
}

// A rest is the lines of a pair that are too many to be held: they are made
// when it is their turn.
type rest interface {
	write(e *tool.Env) error
}

// each runs work on every pair, in parallel, and writes the results in order.
func (p *pairs) each(e *tool.Env, newWork func() func(pair) result) error {
	return par.Ordered(e.Jobs, p.next, newWork, func(r result) error {
		if err := e.Skip(r.err); err != nil {
			return err
		}
		e.Progress.Add(1, int64(len(r.out)))
		if _, err := e.Out.Write(r.out); err != nil || r.rest == nil {
			return err
		}
		return r.rest.write(e)
	})
}
