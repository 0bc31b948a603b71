package hashset

import (
	"math/bits"

	"doppel/pkg/digest"
	"doppel/pkg/spill"
)

// A Counter finds the hashes that occur n times or more in a stream, exactly and in bounded
// memory.
//
// The leading bits of a hash select one of 256 partitions. Half of the memory buffers the hashes
// before they go to disk. Each partition is counted separately, in a table that usually fits
// into the processor's cache. A partition with too many different hashes for the table is
// divided by the next eight bits.
//
// Cost: 24 bytes per hash, in memory or on disk, written once and read twice.
type Counter struct {
	n, mem int64
	sorter *spill.Sorter[[3]uint64]
	table  *Table
}

const counterBits = 8

// NewCounter returns a counter of the hashes that occur n times or more. It uses about mem bytes
// of memory. n must be at least 1.
func NewCounter(n, mem int64) *Counter {
	return &Counter{n, mem, spill.NewSorter[[3]uint64](1<<counterBits, mem/2), NewTable(1, mem/4)}
}

// Add adds the next hash, with a number that Settle passes to its callback.
func (c *Counter) Add(s digest.Sum, number int64) error {
	return c.sorter.Add(int(s.Hi>>(64-counterBits)), [3]uint64{s.Hi, s.Lo, uint64(number)})
}

// Settle finds the hashes that were added n times or more, and passes to fn the numbers with which
// they were added. The order of the numbers is unspecified, but reproducible. The counter is empty
// afterwards.
func (c *Counter) Settle(fn func(number int64) error) error {
	return c.settlePartitions(c.sorter, counterBits, fn)
}

// settlePartitions does what Settle does, for the partitions of a sorter. shift is the number of
// leading bits in which all hashes of a partition agree. The last counterBits of these bits select
// the partition.
func (c *Counter) settlePartitions(s *spill.Sorter[[3]uint64], shift int, fn func(int64) error) error {
	defer s.Close()
	for p := range s.Partitions() {
		if s.PartLen(p) == 0 {
			continue
		}
		fits, err := c.countPartition(s, p, shift)
		if err != nil {
			return err
		}
		if !fits {
			err = c.settleDivided(s, p, shift, fn)
		} else {
			err = s.Each(p, func(e [3]uint64) error {
				if n, _ := c.table.Put(rotated(e, shift)); int64(n[0]) >= c.n {
					return fn(int64(e[2]))
				}
				return nil
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// countPartition counts the hashes of a partition in c.table; fits is false if the table has no
// room for all of them.
func (c *Counter) countPartition(s *spill.Sorter[[3]uint64], p, shift int) (fits bool, err error) {
	c.table.Reset(int64(s.PartLen(p)))
	fits = true
	err = s.Each(p, func(e [3]uint64) error {
		if !fits {
			return nil
		}
		n, o := c.table.Put(rotated(e, shift))
		if fits = o != NoRoom; fits {
			n[0]++
		}
		return nil
	})
	return fits, err
}

// settleDivided divides a partition whose hashes do not fit into the table, and calls
// settlePartitions with the smaller partitions.
func (c *Counter) settleDivided(s *spill.Sorter[[3]uint64], p, shift int, fn func(int64) error) error {
	sub := spill.NewSorter[[3]uint64](1<<counterBits, c.mem/4)
	err := s.Each(p, func(e [3]uint64) error {
		return sub.Add(int(rotated(e, shift).Hi>>(64-counterBits)), e)
	})
	if err != nil {
		sub.Close()
		return err
	}
	return c.settlePartitions(sub, shift+counterBits, fn)
}

// rotated returns the hash of an entry, rotated left by shift bits. The leading bits of a hash,
// which are equal in the whole partition, then come last.
func rotated(e [3]uint64, shift int) digest.Sum {
	if shift >= 64 { // happens only with crafted hashes
		return digest.Sum{Hi: bits.RotateLeft64(e[1], shift), Lo: e[0]}
	}
	return digest.Sum{Hi: bits.RotateLeft64(e[0], shift), Lo: e[1]}
}
