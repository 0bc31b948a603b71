package hashset

import (
	"bytes"
	"math/bits"

	"doppel/pkg/digest"
	"doppel/pkg/spill"
)

// A Verdict says whether a hash came before.
type Verdict int

// The verdicts.
const (
	First Verdict = iota // no
	Again                // yes
	Later                // Settle will tell: memory is full
)

// Options say what a Decider holds.
type Options struct {
	Mem    int64 // bytes of the table at most; deferred hashes take an eighth more
	Counts bool  // how often each hash came is wanted
	Keys   *Keys // where keys are kept that are compared; nil: equal hashes are equal keys
}

// A Decider says of a stream of hashes which came for the first time, exactly
// and in bounded memory.
//
// While the table has room the answer is immediate. When it is full it stays
// as it is: a hash in it came before; any other one is deferred, with its
// ordinal, to one of 64 partitions by the leading bits of the hash, on disk.
// Settle then decides each partition by itself in the same way, by a table of
// its own, which may again be full, and the next six bits then tell partitions
// apart. The order within a partition is that of the stream, so the first of
// equal hashes is the first that came. All reading and writing is sequential.
//
// Cost: 24 bytes of disk a deferred hash, written and read once, or as often
// as the deferred hashes outnumber 64 tables, to the base of 64.
type Decider struct {
	opt   Options
	table *Table
	shift int // of the bits that choose a partition
	later *spill.Sorter[[3]uint64]

	deferred, collisions int64
}

const (
	partitionBits = 6
	// known is the reference of a hash that came before the stream.
	known = ^uint64(0)
)

// NewDecider returns a decider.
func NewDecider(o Options) *Decider {
	values := 0
	switch {
	case o.Counts:
		values = 2 // reference, count
	case o.Keys != nil:
		values = 1
	}
	return &Decider{opt: o, table: NewTable(values, o.Mem)}
}

// Know adds a hash that came before the stream. All come before the first
// call of Decide.
func (d *Decider) Know(s digest.Sum) error {
	_, err := d.put(s, known, nil)
	return err
}

// Decide takes the next hash of the stream, its ordinal, and, where keys are
// kept, the key.
func (d *Decider) Decide(s digest.Sum, ordinal int64, key []byte) (Verdict, error) {
	keys := d.opt.Keys
	if keys == nil {
		return d.put(s, uint64(ordinal), nil)
	}
	v, err := d.put(s, uint64(keys.log.Len()), key)
	if v != Again && err == nil {
		err = keys.add(ordinal, key)
	}
	return v, err
}

// put decides one hash. What refers to it is its ordinal, or the place of its
// key. Where a key differs though the hash is equal, the next hash is taken in
// its stead, for all that have this key.
func (d *Decider) put(s digest.Sum, ref uint64, key []byte) (Verdict, error) {
	for {
		// In front are the bits that still differ: those of a partition agree in the
		// first ones, and the table goes by them.
		values, o := d.table.Put(digest.Sum{Hi: bits.RotateLeft64(s.Hi, d.shift), Lo: s.Lo})
		switch {
		case o == NoRoom:
			if d.later == nil {
				d.later = spill.NewSorter[[3]uint64](1<<partitionBits, d.opt.Mem/8)
			}
			d.deferred++
			word := [2]uint64{s.Hi, s.Lo}[d.shift/64%2] // the second for crafted hashes only
			part := word << (d.shift % 64) >> (64 - partitionBits)
			return Later, d.later.Add(int(part), [3]uint64{s.Hi, s.Lo, ref})
		case o == Added && len(values) > 0:
			values[0] = ref
		case o == Found && d.opt.Keys != nil:
			first, err := d.opt.Keys.key(int64(values[0]))
			if err != nil {
				return Again, err
			}
			if !bytes.Equal(first, key) {
				s.Lo++
				d.collisions++
				continue
			}
		}
		if d.opt.Counts {
			values[1]++
		}
		if o == Found {
			return Again, nil
		}
		return First, nil
	}
}

// Settle decides what was deferred. It calls first with the ordinal of each
// deferred hash that came for the first time and its count; where counts are
// wanted, with all hashes that came for the first time. The order is arbitrary,
// but always the same. The decider is empty then.
func (d *Decider) Settle(first func(ordinal, count int64) error) error {
	if d.opt.Counts {
		if err := d.table.Each(func(v []uint64) error { return d.report(v[0], int64(v[1]), first) }); err != nil {
			return err
		}
	}
	later, shift := d.later, d.shift
	if later == nil {
		return nil
	}
	defer later.Close()
	for p := range later.Partitions() {
		d.later, d.shift = nil, shift+partitionBits
		d.table.Reset(int64(later.PartLen(p)))
		err := later.Each(p, func(e [3]uint64) error {
			var key []byte
			if d.opt.Keys != nil {
				k, err := d.opt.Keys.key(int64(e[2]))
				if err != nil {
					return err
				}
				key = bytes.Clone(k) // put reads other keys
			}
			v, err := d.put(digest.Sum{Hi: e[0], Lo: e[1]}, e[2], key)
			if err != nil || v != First || d.opt.Counts {
				return err
			}
			return d.report(e[2], 1, first)
		})
		if err != nil {
			return err
		}
		if err := d.Settle(first); err != nil {
			return err
		}
	}
	return nil
}

// report calls first with the ordinal that a reference stands for, unless it
// stands for none of the stream.
func (d *Decider) report(ref uint64, count int64, first func(ordinal, count int64) error) error {
	if ref == known {
		return nil
	}
	if d.opt.Keys == nil {
		return first(int64(ref), count)
	}
	ordinal, _, err := d.opt.Keys.header(int64(ref))
	if err != nil {
		return err
	}
	return first(ordinal, count)
}
