// Package pairsets reads candidate pairs and computes the shingle sets of the records that they
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

// Pairs stores pairs of id numbers in a scratch file. Only the ids are held in memory.
type Pairs struct {
	IDs      ids.Table
	Distinct bool // a record paired with itself is an error
	spool    spill.Spool[[1]uint64]
	read     [][1]uint64 // last pairs read, which are not in the spool yet
	last     []byte      // first id of the last pair; the next pair often has the same first id
	number   uint32      // number of the last pair's first id
}

// flushPairs is the number of pairs that are added to the spool at a time.
const flushPairs = 1 << 10

// Read reads the pairs in the named files, or in standard input if there are no names. If there are
// no names and the previous stage passes pairs as values, Read takes these instead.
func (p *Pairs) Read(e *tool.Env, names []string) error {
	pairing, ok := e.Upstream.(pairs.Pairing)
	if !ok || len(names) > 0 {
		defer p.flush()
		return lineio.Each(e, names, p.addLine)
	}
	e.Upstream = nil     // so that the garbage collector can free it
	var numbers []uint32 // for each rank, the id number plus 1; 0 if not known
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
			a := number(names, uint32(pair[0]>>32)) // gets a number before the second id does, as when pairs are read from lines
			run[i][0] = a<<32 | number(names, uint32(pair[0]))
		}
		p.spool.Add(run...) // reading the spool returns any write error
		return p.IDs.Full()
	})
}

// flush moves the pairs in p.read to the spool. Reading the spool returns any write error.
func (p *Pairs) flush() {
	p.spool.Add(p.read...)
	p.read = p.read[:0]
}

// addLine parses a line and adds the pair.
func (p *Pairs) addLine(text []byte) error {
	var pair line.Pair
	if err := pair.Parse(text); err != nil {
		return err
	}
	if p.IDs.Len() == 0 {
		if err := lineio.Refuse(text, "pairs", "groups", "signatures", "decisions", "keys"); err != nil {
			return err
		}
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

// Reader returns a function that reads the next pairs into its argument, each as a<<32 | b, and
// returns their number. The function reads as many pairs as fit, and returns io.EOF if no pairs are
// left.
func (p *Pairs) Reader() func([][1]uint64) (int, error) { return p.spool.Reader() }

// Each calls fn with every pair in order.
func (p *Pairs) Each(fn func(a, b uint32) error) error {
	return p.spool.Each(func(pair [1]uint64) error { return fn(uint32(pair[0]>>32), uint32(pair[0])) })
}

// Close removes the scratch file.
func (p *Pairs) Close() error { return p.spool.Close() }

// Missing returns an error if the function known returns false for the number of any id in the
// pairs. The argument where, such as "records", names in the error what the id is missing from.
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
		return msg.WithHint(err, "make the pairs from the files that are read here, with the same --id and -H")
	}
	return nil
}
