package hashset

import (
	"bytes"
	"math/bits"

	"doppel/pkg/digest"
	"doppel/pkg/spill"
)

// A Verdict tells whether a hash occurred earlier in the stream or was added by Know.
type Verdict int

// The verdicts.
const (
	First Verdict = iota // the hash did not occur before
	Again                // the hash occurred before
	Later                // the table is full, so only Settle can tell whether the hash occurred before
)

// Options configures a Decider.
type Options struct {
	Mem    int64 // maximum size of the table in bytes; deferred hashes take up to an eighth more
	Counts bool  // count the occurrences of each hash
	Often  int64 // number of occurrences that make a hash frequent; if not 0, Settle finds all frequent hashes
	Keys   *Keys // store of keys for comparison; if nil, equal hashes are assumed to have equal keys
}

// A Decider decides which hashes of a stream occur for the first time, exactly and in bounded
// memory.
//
// While the table has room, Decide answers immediately. A full table no longer changes. A hash in
// the full table occurred before; any other hash is deferred: its leading bits select one of 64
// partitions on disk, to which the hash and its ordinal are written. Settle then processes each
// partition in the same way, with an empty table. If the table fills up again, the next six bits
// select the partition. Partitions keep the order of the stream, so the first of equal hashes is
// the first in the stream. All reading and writing is sequential.
//
// With Options.Often, Decide defers all hashes, and Settle reads each partition twice: it counts the
// hashes, and then reports the frequent ones.
//
// Cost: 24 bytes per deferred hash, in memory or on disk, written and read once per level of
// partitions.
type Decider struct {
	opt       Options
	table     *Table
	shiftBits int   // number of leading bits that have selected the current partition
	buffer    int64 // bytes of deferred hashes in memory, per level of partitions
	later     *spill.Sorter[[3]uint64]

	deferred, collisions int64
}

const (
	partitionBits = 6
	// known takes the place of an ordinal or a key position for hashes that Know adds.
	known = ^uint64(0)
)

// NewDecider returns a Decider with an empty table.
func NewDecider(o Options) *Decider {
	d, values, mem := &Decider{opt: o, buffer: o.Mem / 8}, 0, o.Mem
	switch {
	case o.Often > 0:
		values, mem, d.buffer = 1, o.Mem/4, o.Mem/4 // count
	case o.Counts:
		values = 2 // reference, count
	case o.Keys != nil:
		values = 1 // reference
	}
	d.table = NewTable(values, mem)
	return d
}

// Know adds a hash that occurred before the stream began. It must not be called after Decide.
func (d *Decider) Know(s digest.Sum) error {
	_, err := d.decideHash(s, known, nil)
	return err
}

// Decide returns the verdict on s, the next hash of the stream. Settle refers to s by the given
// ordinal. Decide ignores the key unless Options.Keys is set.
func (d *Decider) Decide(s digest.Sum, ordinal int64, key []byte) (Verdict, error) {
	keys := d.opt.Keys
	switch {
	case d.opt.Often > 0:
		return Later, d.deferHash(s, uint64(ordinal))
	case keys == nil:
		return d.decideHash(s, uint64(ordinal), nil)
	}
	v, err := d.decideHash(s, uint64(keys.log.Len()), key)
	if v != Again && err == nil {
		err = keys.addKey(ordinal, key)
	}
	return v, err
}

// decideHash returns the verdict on one hash. The second argument is the hash's ordinal or, if keys
// are stored, the position of its key in the store. If the table has the same hash for another key,
// decideHash uses the hash plus one for the given key.
func (d *Decider) decideHash(s digest.Sum, ref uint64, key []byte) (Verdict, error) {
	for {
		values, o := d.put(s)
		switch {
		case o == NoRoom:
			return Later, d.deferHash(s, ref)
		case d.opt.Often > 0:
			values[0]++
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

// put puts a hash into the table. The hashes of a partition have equal leading bits, and the table
// sorts by leading bits, so put rotates the bits that differ to the front.
func (d *Decider) put(s digest.Sum) (values []uint64, o Outcome) {
	return d.table.Put(digest.Sum{Hi: bits.RotateLeft64(s.Hi, d.shiftBits), Lo: s.Lo})
}

// deferHash stores a hash for Settle.
func (d *Decider) deferHash(s digest.Sum, ref uint64) error {
	if d.later == nil {
		d.later = spill.NewSorter[[3]uint64](1<<partitionBits, d.buffer)
	}
	d.deferred++
	word := [2]uint64{s.Hi, s.Lo}[d.shiftBits/64%2] // the second word is used only for crafted hashes
	part := word << (d.shiftBits % 64) >> (64 - partitionBits)
	return d.later.Add(int(part), [3]uint64{s.Hi, s.Lo, ref})
}

// Settle finds the first occurrences among the deferred hashes, and passes the ordinal of each to
// the callback, with the count 1. With Options.Counts, it instead calls the callback once for every
// distinct hash of the stream that Know did not add, with the ordinal of the hash's first
// occurrence and the number of its occurrences. With Options.Often, it calls the callback for every
// occurrence of each frequent hash. The order of the calls is unspecified, but reproducible. The
// decider is empty afterwards.
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
				key = bytes.Clone(k) // decideHash reads other keys into the same buffer
			}
			v, err := d.decideHash(digest.Sum{Hi: e[0], Lo: e[1]}, e[2], key)
			if err != nil || v != First || d.opt.Counts || d.opt.Often > 0 {
				return err
			}
			return d.reportFirst(e[2], 1, first)
		})
		if err == nil && d.opt.Often > 0 {
			err = later.Each(p, func(e [3]uint64) error {
				if values, o := d.put(digest.Sum{Hi: e[0], Lo: e[1]}); o == Found && int64(values[0]) >= d.opt.Often {
					return first(int64(e[2]), int64(values[0]))
				}
				return nil
			})
		}
		if err != nil {
			return err
		}
		if err := d.Settle(first); err != nil {
			return err
		}
	}
	return nil
}

// reportFirst passes to the callback the ordinal of the hash that ref refers to, and the count. It
// does nothing if Know added the hash.
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
