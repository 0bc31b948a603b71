package jaccard

import (
	"doppel/pkg/ids"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// pairs are the pairs to be scored, by the numbers of their ids: in a scratch
// file, since only the ids must be in memory to know which texts are wanted.
type pairs struct {
	ids   ids.Table
	spool spill.Spool[[1]uint64]
}

func readPairs(e *tool.Env, names []string) (*pairs, error) {
	rd, err := record.NewReader(e.Input(names), record.Options{Lines: true})
	if err != nil {
		return nil, err
	}
	p := &pairs{}
	var columns [8][]byte
	return p, tool.EachRecord(e, rd, func(rec *record.Record) error {
		ab, err := tsv.Pairs.Columns(columns[:], rec.Raw)
		if err != nil {
			return e.Skip(&record.SyntaxError{Name: rec.Name, Line: rec.Line, Err: err})
		}
		a, b := p.ids.Intern(tsv.Unescape(ab[0])), p.ids.Intern(tsv.Unescape(ab[1]))
		p.spool.Add([1]uint64{uint64(a)<<32 | uint64(b)})
		return nil
	})
}

// chunkPairs is how many pairs one thread scores at a time.
const chunkPairs = 1024

// each runs score on all pairs, in parallel, and writes what it appends, in
// the order of the pairs.
func (p *pairs) each(e *tool.Env, newScore func() func(dst []byte, a, b uint32) ([]byte, error)) error {
	read := p.spool.Reader()
	next := func() ([][1]uint64, error) {
		chunk := make([][1]uint64, chunkPairs)
		n, err := read(chunk)
		return chunk[:n], err
	}
	type scored struct {
		text []byte
		n    int
		err  error
	}
	worker := func() func([][1]uint64) scored {
		score := newScore()
		return func(chunk [][1]uint64) (s scored) {
			s.n = len(chunk)
			for _, pair := range chunk {
				if s.text, s.err = score(s.text, uint32(pair[0]>>32), uint32(pair[0])); s.err != nil {
					break
				}
			}
			return s
		}
	}
	return par.Ordered(e.Jobs, next, worker, func(s scored) error {
		if s.err != nil {
			return s.err
		}
		e.Progress.Add(s.n, 0)
		_, err := e.Out.Write(s.text)
		return err
	})
}
