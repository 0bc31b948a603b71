// Package pairs writes the pairs of records that share keys, and reports pairs and keys that were
// left out.
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

// A Layout says how pairs are written.
type Layout struct {
	line.Format
	Count bool // write the number of keys that each pair shares
}

// Append appends the line of a pair to dst. shared is the number of keys that the pair shares.
func (f Layout) Append(dst []byte, p line.Pair, shared int) []byte {
	if f.Count {
		return line.PairCount{Pair: p, Shared: int64(shared)}.Append(dst, f.Format)
	}
	return p.Append(dst, f.Format)
}

// Header writes the names of the columns if --header is given.
func (f Layout) Header(e *tool.Env) error {
	if f.Count {
		return lineio.Header(e, line.PairCount{})
	}
	return lineio.Header(e, line.Pair{})
}

// Ranks holds ids by rank. The rank of an id is its position in the order in which pairs are
// sorted.
type Ranks struct {
	IDs   *ids.List
	Order []uint32 // for each rank, the index in IDs; nil if ranks are indexes
}

// Append appends the id with the given rank to dst.
func (r Ranks) Append(dst []byte, rank uint32) []byte {
	if r.Order != nil {
		rank = r.Order[rank]
	}
	return r.IDs.Append(dst, int(rank))
}

// Unique returns an error if two signatures have the same id, because it would be unclear which of
// them a pair names. Ranks must be in the order of ids.
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

// TwoSignatures returns the error for an id that two signatures share.
func TwoSignatures(id []byte) error {
	return msg.WithHint(fmt.Errorf("duplicate id %q: two signatures have this id", id),
		"sign all files in one run of {recsign}, or with -H, or with a unique --id")
}

// Pairing is a stage that passes its pairs to the next stage as values, not as lines.
type Pairing interface {
	// Pair finds all pairs and passes them to fn in ascending order, several at a time. The upper
	// half of each word of run is the lower rank of a pair, and the lower half is the higher rank.
	// A pair that shares several keys is repeated. The argument names is valid until fn returns,
	// and fn may modify run.
	Pair(fn func(names Ranks, run [][1]uint64) error) error
}

// Write writes each pair of ranks in s once, as a pair of ids. The number of keys that a pair
// shares is the number of times that it occurs in s.
func Write(e *tool.Env, s *lsh.PairSorter, r Ranks, f Layout) error {
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

// A writer formats pairs of ranks as lines.
type writer struct {
	ranks Ranks
	form  Layout
	first uint32 // rank of the first id of the last pair
	a, b  []byte // the two ids of the last pair; empty before the first pair
	size  int    // average length of the lines in the last call of formatLines
}

// formatLines returns the lines of sorted pairs, one for each distinct pair.
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
