// Package pairsets reads candidate pairs, and the shingle sets of the records that they
// name.
package pairsets

import (
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/msg"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// Pairs stores pairs by the numbers of their ids, in a scratch file. Memory holds only the ids,
// to know which texts are wanted.
type Pairs struct {
	IDs      ids.Table
	Distinct bool // a record paired with itself is an error
	spool    spill.Spool[[1]uint64]
	read     [][1]uint64 // the pairs read last, which are not yet in the spool
	last     []byte      // the first id of the last pair: pairs come sorted
	number   uint32      // of last
}

// flushPairs is the number of pairs that go to the spool at a time.
const flushPairs = 1 << 10

// Read reads the pairs of the named files, of standard input, or of the previous stage as
// values.
func (p *Pairs) Read(e *tool.Env, names []string) error {
	pairing, ok := e.Upstream.(pairs.Pairing)
	if !ok || len(names) > 0 {
		defer p.flush()
		return lineio.Each(e, names, p.addLine)
	}
	e.Upstream = nil     // free the memory
	var numbers []uint32 // by rank: the number of the id, plus 1
	var id []byte
	number := func(names pairs.Ranks, rank uint32) uint64 {
		if numbers[rank] == 0 {
			id = names.Append(id[:0], rank)
			numbers[rank] = p.IDs.Intern(id) + 1
		}
		return uint64(numbers[rank] - 1)
	}
	return pairing.Pair(func(names pairs.Ranks, run [][1]uint64) error {
		if numbers == nil {
			numbers = make([]uint32, names.IDs.Len())
		}
		run = slices.Compact(run)
		for i, pair := range run {
			a := number(names, uint32(pair[0]>>32)) // first, as in a line
			run[i][0] = a<<32 | number(names, uint32(pair[0]))
		}
		p.spool.Add(run...) // a write error is returned when the spool is read
		return p.IDs.Full()
	})
}

// flush moves the pairs read last to the spool. A write error is returned when the spool is
// read.
func (p *Pairs) flush() {
	p.spool.Add(p.read...)
	p.read = p.read[:0]
}

// addLine adds the pair on a line.
func (p *Pairs) addLine(text []byte) error {
	var pair line.Pair
	if err := pair.Parse(text); err != nil {
		return err
	}
	if p.Distinct && string(pair.A) == string(pair.B) {
		return fmt.Errorf("%q is paired with itself", pair.A)
	}
	if p.last == nil || string(pair.A) != string(p.last) {
		p.number, p.last = p.IDs.Intern(pair.A), append(p.last[:0], pair.A...)
	}
	a, b := p.number, p.IDs.Intern(pair.B)
	if p.read = append(p.read, [1]uint64{uint64(a)<<32 | uint64(b)}); len(p.read) == flushPairs {
		p.flush()
	}
	return p.IDs.Full()
}

// Len returns the number of pairs.
func (p *Pairs) Len() int64 { return p.spool.Len() }

// Reader returns a function that reads the pairs in order, each as a<<32 | b: it fills its
// argument as far as there are pairs, and returns io.EOF when none are left.
func (p *Pairs) Reader() func([][1]uint64) (int, error) { return p.spool.Reader() }

// Each calls fn with every pair in order.
func (p *Pairs) Each(fn func(a, b uint32) error) error {
	return p.spool.Each(func(pair [1]uint64) error { return fn(uint32(pair[0]>>32), uint32(pair[0])) })
}

// Close removes the scratch file.
func (p *Pairs) Close() error { return p.spool.Close() }

// Missing returns an error if some id of the pairs is unknown.
func (p *Pairs) Missing(known func(number uint32) bool, where string) error {
	n, first := 0, -1
	for i := range p.IDs.Len() {
		if !known(uint32(i)) {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if n > 0 {
		err := fmt.Errorf("%s of the pairs %s not among the %s, such as %q", msg.Number(n, "id"), msg.Are(n), where, p.IDs.Append(nil, first))
		return msg.WithHint(err, "make both from the same files, with the same --id and -H")
	}
	return nil
}
