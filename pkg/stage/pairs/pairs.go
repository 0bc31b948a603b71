// Package pairs writes the pairs that share keys, and reports the pairs left out.
package pairs

import (
	"bytes"
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/msg"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// A Form says how pairs are written.
type Form struct {
	line.Format
	Count bool // with the number of keys that they share
}

// Append appends the line of a pair to dst.
func (f Form) Append(dst []byte, p line.Pair, shared int) []byte {
	if f.Count {
		return line.PairCount{Pair: p, Shared: int64(shared)}.Append(dst, f.Format)
	}
	return p.Append(dst, f.Format)
}

// Header writes the names of the columns under --header.
func (f Form) Header(e *tool.Env) error {
	if f.Count {
		return lineio.Header(e, line.PairCount{})
	}
	return lineio.Header(e, line.Pair{})
}

// Ranks holds ids by rank: their position in the order in which pairs are written.
type Ranks struct {
	IDs   *ids.List
	Order []uint32 // the number of the id of each rank; nil: 0, 1, 2, …
}

// Append appends the id of a rank to dst.
func (r Ranks) Append(dst []byte, rank uint32) []byte {
	if r.Order != nil {
		rank = r.Order[rank]
	}
	return r.IDs.Append(dst, int(rank))
}

// Unique returns an error if two signatures have one id, since a pair could not say which
// signature it means. The ranks must be in the order of ids.
func (r Ranks) Unique() error {
	var last, id []byte
	for rank := range r.IDs.Len() {
		id = r.Append(id[:0], uint32(rank))
		if rank > 0 && bytes.Equal(last, id) {
			return TwoSignatures(id)
		}
		last, id = id, last
	}
	return nil
}

// TwoSignatures returns the error for an id that two signatures have.
func TwoSignatures(id []byte) error {
	return msg.WithHint(fmt.Errorf("duplicate id %q: two signatures have this id", id),
		"sign all files in one run of recsign, or with -H, or with a unique --id")
}

// Pairing is a stage that passes its pairs on as values.
type Pairing interface {
	// Pair makes all pairs, and passes them to fn in the order of ranks: a rank in the
	// upper half of a word, and a higher one in the lower half. Repeats of a pair are
	// consecutive. names are valid until fn returns; fn may change run.
	Pair(fn func(names Ranks, run [][1]uint64) error) error
}

// Write writes sorted pairs of ranks as pairs of ids, each once. A pair shares as many keys
// as it has repeats.
func Write(e *tool.Env, s *lsh.PairSorter, r Ranks, f Form) error {
	if err := f.Header(e); err != nil {
		return err
	}
	newFormat := func() func([][1]uint64) []byte {
		w := &writer{ranks: r, form: f}
		return w.formatLines
	}
	return lsh.EachRun(s, e.Jobs, newFormat, func(text []byte) error {
		_, err := e.Out.Write(text)
		return err
	})
}

// A writer makes lines of pairs of ranks.
type writer struct {
	ranks Ranks
	form  Form
	first uint32 // the rank of a
	a, b  []byte // a is empty if it is not known
	size  int    // average size of the last lines
}

// formatLines returns the lines of sorted pairs.
func (w *writer) formatLines(pairs [][1]uint64) (text []byte) {
	if len(pairs) > 0 {
		text = make([]byte, 0, w.size*len(pairs))
		defer func(n int) { w.size = len(text)/n + 1 }(len(pairs))
	}
	for len(pairs) > 0 {
		first, n := pairs[0], 1
		for n < len(pairs) && pairs[n] == first {
			n++
		}
		if a := uint32(first[0] >> 32); a != w.first || len(w.a) == 0 {
			w.a, w.first = w.ranks.Append(w.a[:0], a), a
		}
		w.b = w.ranks.Append(w.b[:0], uint32(first[0]))
		text = w.form.Append(text, line.Pair{A: w.a, B: w.b}, n)
		pairs = pairs[n:]
	}
	return text
}
