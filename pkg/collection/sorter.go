package collection

import (
	"math/bits"

	"doppel/pkg/spill"
)

// A sorter sorts the keys of a new segment by bucket, and keys of the same bucket by record.
type sorter interface {
	add(k Key) error
	each(fn func(Key) error) error
	Close() error
}

// newSorter returns a sorter of the keys of a scheme that uses about mem bytes.
func newSorter(s Scheme, mem int64) sorter {
	shift := uint(max(0, s.BucketBits-partitionBits))
	if s.BucketBits+bits.Len(mostRecords)-partitionBits <= 64 && !s.Rest {
		return &narrowSorter{spill.NewSorter[[1]uint64](partitions, mem), shift, mem / 32}
	}
	return &wideSorter{spill.NewSorter[[3]uint64](partitions, mem), shift, mem / 96}
}

const (
	partitionBits = 12
	partitions    = 1 << partitionBits
)

// A narrowSorter sorts keys in one word, which holds the bits of the bucket that the partition does
// not tell, and the record.
type narrowSorter struct {
	*spill.Sorter[[1]uint64]
	shift uint
	most  int64
}

func (s *narrowSorter) add(k Key) error {
	return s.Add(int(k.Bucket>>s.shift), [1]uint64{k.Bucket&(1<<s.shift-1)<<32 | uint64(k.Record)})
}

func (s *narrowSorter) each(fn func(Key) error) error {
	var room spill.Room[[1]uint64]
	for p := range s.Partitions() {
		err := s.Pieces(&room, p, int(s.most), func(entries [][1]uint64) error {
			var err error
			for i := 0; i < len(entries) && err == nil; i++ {
				err = fn(Key{Bucket: uint64(p)<<s.shift | entries[i][0]>>32, Record: uint32(entries[i][0])})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A wideSorter sorts keys in three words.
type wideSorter struct {
	*spill.Sorter[[3]uint64]
	shift uint
	most  int64
}

func (s *wideSorter) add(k Key) error {
	return s.Add(int(k.Bucket>>s.shift), [3]uint64{k.Bucket, uint64(k.Record), k.Rest})
}

func (s *wideSorter) each(fn func(Key) error) error {
	var room spill.Room[[3]uint64]
	for p := range s.Partitions() {
		err := s.Pieces(&room, p, int(s.most), func(entries [][3]uint64) error {
			var err error
			for i := 0; i < len(entries) && err == nil; i++ {
				err = fn(Key{Bucket: entries[i][0], Record: uint32(entries[i][1]), Rest: entries[i][2]})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
