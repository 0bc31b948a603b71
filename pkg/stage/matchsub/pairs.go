package matchsub

import (
	"fmt"
	"io"

	"doppel/pkg/ids"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// A pair is a line of the input.
type pair struct {
	a, b []byte
	err  error // why the line is none
}

// pairs are read as they are needed, so that matches appear while the tool
// before is still at work, or all at once for readRecords.
type pairs struct {
	rd   *record.Reader
	todo []pair
}

func openPairs(e *tool.Env, names []string) (*pairs, error) {
	rd, err := record.NewReader(e.Input(names), record.Options{Lines: true})
	return &pairs{rd: rd}, err
}

// next returns the next pair, or io.EOF.
func (p *pairs) next() (pair, error) {
	for len(p.todo) == 0 {
		var b record.Batch
		if err := p.rd.Next(&b); err != nil {
			return pair{}, err
		}
		p.todo = parse(&b)
	}
	first := p.todo[0]
	p.todo = p.todo[1:]
	return first, nil
}

func parse(b *record.Batch) (all []pair) {
	var columns [8][]byte
	for _, rec := range b.Records {
		ab, err := tsv.Pairs.Columns(columns[:0], rec.Raw)
		if err != nil {
			all = append(all, pair{err: &record.SyntaxError{Name: b.Name(), Line: rec.Line, Err: err}})
			continue
		}
		all = append(all, pair{a: tsv.Unescape(ab[0]), b: tsv.Unescape(ab[1])})
	}
	return all
}

// A result is what one pair gave.
type result struct {
	out []byte
	err error
}

// each runs work on every pair, in parallel, and writes the results in order.
func (p *pairs) each(e *tool.Env, newWork func() func(pair) result) error {
	return par.Ordered(e.Jobs, p.next, newWork, func(r result) error {
		if err := e.Skip(r.err); err != nil {
			return err
		}
		e.Progress.Add(1, int64(len(r.out)))
		_, err := e.Out.Write(r.out)
		return err
	})
}

// readRecords reads all pairs, and the texts of the records that they name,
// and returns the function that gives the text of a record.
func (p *pairs) readRecords(e *tool.Env, names []string) (func([]byte) ([]byte, error), error) {
	var wanted ids.Table
	var all []pair
	for {
		next, err := p.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		wanted.Intern(next.a)
		wanted.Intern(next.b)
		all = append(all, next)
	}
	p.todo = all
	rd, err := record.NewReader(record.Input{Names: names, Stdin: e.Stdin}, e.Records)
	if err != nil {
		return nil, err
	}
	texts := make([][]byte, wanted.Len())
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		if i, ok := wanted.Lookup(rec.ID); ok && texts[i] == nil {
			texts[i] = append([]byte{}, rec.Text...)
		}
		return nil
	})
	return func(id []byte) ([]byte, error) {
		if i, _ := wanted.Lookup(id); texts[i] != nil {
			return texts[i], nil
		}
		return nil, fmt.Errorf("no record %q", id)
	}, err
}
