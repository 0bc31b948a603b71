package hashset

import (
	"bytes"
	"math/bits"

	"doppel/pkg/digest"
	"doppel/pkg/spill"
)

// A Verdict says whether a hash occurred before.
type Verdict int

// The verdicts.
const (
	First Verdict = iota // no
	Again                // yes
	Later                // memory is full, so only Settle decides
)

// Options configures a Decider.
type Options struct {
	Mem    int64 // maximum bytes of the table; deferred hashes take an eighth more
	Counts bool  // report how often each hash occurs
	Keys   *Keys // store of the keys to compare; nil: equal hashes are equal keys
}

// A Decider decides which hashes of a stream occur for the first time, exactly and in bounded
// memory.
//
// While the table has room the answer is immediate. A full table no longer changes: a hash in
// it occurred before; any other is deferred, with its ordinal, to one of 64 partitions on disk
// by its leading bits. Settle then decides each partition in the same way, with a table of its
// own; if that is full again, the next six bits select the partition. Partitions keep the order
// of the stream, so the first of equal hashes is the first in the stream. All reading and
// writing is sequential.
//
// Cost: 24 bytes of disk per deferred hash, written and read once per level of partitions.
type Decider struct {
	opt       Options
	table     *Table
	shiftBits int // number of bits that have selected a partition
	later     *spill.Sorter[[3]uint64]

	deferred, collisions int64
}

const (
	partitionBits = 6
	// known is the reference of a hash from before the stream.
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

// Know adds a hash from before the stream. It must not be called after Decide.
func (d *Decider) Know(s digest.Sum) error {
	_, err := d.decideHash(s, known, nil)
	return err
}

// Decide takes the next hash of the stream, its ordinal, and, if keys are stored, the key.
func (d *Decider) Decide(s digest.Sum, ordinal int64, key []byte) (Verdict, error) {
	keys := d.opt.Keys
	if keys == nil {
		return d.decideHash(s, uint64(ordinal), nil)
	}
	v, err := d.decideHash(s, uint64(keys.log.Len()), key)
	if v != Again && err == nil {
		err = keys.addKey(ordinal, key)
	}
	return v, err
}

// decideHash decides one hash. Its reference is its ordinal, or the position of its key. If an
// equal hash has another key, the hash plus one takes its place, for all occurrences of this
// key.
func (d *Decider) decideHash(s digest.Sum, ref uint64, key []byte) (Verdict, error) {
	for {
		// The bits that still differ go first: hashes of a partition agree in the leading
		// bits, by which the table sorts.
		values, o := d.table.Put(digest.Sum{Hi: bits.RotateLeft64(s.Hi, d.shiftBits), Lo: s.Lo})
		switch {
		case o == NoRoom:
			if d.later == nil {
				d.later = spill.NewSorter[[3]uint64](1<<partitionBits, d.opt.Mem/8)
			}
			d.deferred++
			word := [2]uint64{s.Hi, s.Lo}[d.shiftBits/64%2] // the second only for crafted hashes
			part := word << (d.shiftBits % 64) >> (64 - partitionBits)
			return Later, d.later.Add(int(part), [3]uint64{s.Hi, s.Lo, ref})
		case o == Added && len(values) > 0:
			values[0] = ref
		case o == Found && d.opt.Keys != nil:
			first, err := d.opt.Keys.readKey(int64(values[0]))
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

// Settle decides the deferred hashes. It calls first with the ordinal of each deferred hash
// that occurs for the first time, and its count; with Options.Counts, for all hashes that occur
// for the first time. The order is arbitrary, but reproducible. The decider is empty
// afterwards.
func (d *Decider) Settle(first func(ordinal, count int64) error) error {
	if d.opt.Counts {
		if err := d.table.Each(func(v []uint64) error { return d.reportFirst(v[0], int64(v[1]), first) }); err != nil {
			return err
		}
	}
	later, shift := d.later, d.shiftBits
	if later == nil {
		return nil
	}
	defer later.Close()
	for p := range later.Partitions() {
		d.later, d.shiftBits = nil, shift+partitionBits
		d.table.Reset(int64(later.PartLen(p)))
		err := later.Each(p, func(e [3]uint64) error {
			var key []byte
			if d.opt.Keys != nil {
				k, err := d.opt.Keys.readKey(int64(e[2]))
				if err != nil {
					return err
				}
				key = bytes.Clone(k) // decideHash reads other keys
			}
			v, err := d.decideHash(digest.Sum{Hi: e[0], Lo: e[1]}, e[2], key)
			if err != nil || v != First || d.opt.Counts {
				return err
			}
			return d.reportFirst(e[2], 1, first)
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

// reportFirst calls first with the ordinal of a reference, unless the hash is from before the
// stream.
func (d *Decider) reportFirst(ref uint64, count int64, first func(ordinal, count int64) error) error {
	if ref == known {
		return nil
	}
	if d.opt.Keys == nil {
		return first(int64(ref), count)
	}
	ordinal, _, err := d.opt.Keys.readHeader(int64(ref))
	if err != nil {
		return err
	}
	return first(ordinal, count)
}
