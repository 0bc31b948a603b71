package dupgroup

import (
	"fmt"
	"math"
	"strconv"

	"doppel/pkg/group"
	"doppel/pkg/ids"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// scored are the scored pairs, by the numbers of their ids: in a scratch file,
// since no edge can be ranked before all ids are known.
type scored struct {
	e     *tool.Env
	ids   ids.Table
	spool spill.Spool[[2]uint64]
	sizes []float64 // by number, where the pairs have the columns
}

const noSize = -1

func readScored(e *tool.Env, o *options, names []string) (*scored, error) {
	rd, err := record.NewReader(e.Input(names), record.Options{Lines: true})
	if err != nil {
		return nil, err
	}
	s := &scored{e: e}
	return s, tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := s.line(rec.Raw, o); err != nil {
			return e.Skip(&record.SyntaxError{Name: rec.Name, Line: rec.Line, Err: err})
		}
		return nil
	})
}

// line takes a pair with its score, and the sizes if it has them.
func (s *scored) line(line []byte, o *options) error {
	var store [8][]byte
	columns, err := tsv.Estimated.Columns(store[:], line)
	if err != nil {
		return err
	}
	score, err := strconv.ParseFloat(string(columns[2]), 64)
	if err != nil || math.IsNaN(score) {
		return fmt.Errorf("%q is no score", columns[2])
	}
	if o.cutting && score < o.cut {
		return nil
	}
	a, b := s.ids.Intern(tsv.Unescape(columns[0])), s.ids.Intern(tsv.Unescape(columns[1]))
	if a == b {
		return fmt.Errorf("%q is paired with itself", columns[0])
	}
	s.spool.Add([2]uint64{uint64(a)<<32 | uint64(b), math.Float64bits(score)})
	return s.size(a, b, columns)
}

// size notes the sizes of both records.
func (s *scored) size(a, b uint32, columns [][]byte) error {
	for len(s.sizes) < s.ids.Len() {
		s.sizes = append(s.sizes, noSize)
	}
	if len(columns) < len(tsv.Scored) {
		return nil
	}
	for i, n := range []uint32{a, b} {
		size, err := strconv.ParseFloat(string(columns[5+i]), 64)
		if err != nil {
			return fmt.Errorf("%q is no size", columns[5+i])
		}
		s.sizes[n] = size
	}
	return nil
}

// each calls fn with every pair as an edge between ranks.
func (s *scored) each(ranks []uint32, fn func(group.Edge) error) error {
	return s.spool.Each(func(p [2]uint64) error {
		a, b := uint32(p[0]>>32), uint32(p[0])
		if ranks != nil {
			a, b = ranks[a], ranks[b]
		}
		return fn(group.Edge{Better: min(a, b), Worse: max(a, b), Score: math.Float64frombits(p[1])})
	})
}
