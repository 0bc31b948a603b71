package collection

import "doppel/pkg/spill"

// A sorter sorts the keys of a new segment by bucket, and keys of the same bucket by record.
type sorter interface {
	add(k Key) error
	each(fn func(Key) error) error
	Close() error
}

// newSorter returns a sorter of the keys of a scheme that uses about mem bytes.
func newSorter(s Scheme, mem int64) sorter {
	if s.isNarrow() {
		narrow := newNarrowSorter(s, mem)
		return &narrow
	}
	return &wideSorter{spill.NewSorter[[3]uint64](partitions, mem), s.partitionShift(), mem / 96}
}

// partitionShift returns the number of bits of a bucket that do not tell its partition.
func (s Scheme) partitionShift() uint { return uint(max(0, s.BucketBits-partitionBits)) }

// isNarrow reports whether a narrowSorter can sort the keys of a scheme.
func (s Scheme) isNarrow() bool { return s.BucketBits <= mostNarrow && !s.Rest }

const (
	partitionBits = 12
	partitions    = 1 << partitionBits
	mostNarrow    = 64 - 32 + partitionBits // most bits of a bucket that a narrowSorter can sort
)

// A narrowSorter sorts keys in one word, which holds the bits of the bucket that the partition does
// not tell, and the record.
type narrowSorter struct {
	*spill.Sorter[[1]uint64]
	shift uint
	most  int64
}

func newNarrowSorter(s Scheme, mem int64) narrowSorter {
	return narrowSorter{spill.NewSorter[[1]uint64](partitions, mem), s.partitionShift(), mem / 32}
}

func (s *narrowSorter) add(k Key) error {
	return s.Add(int(k.Bucket>>s.shift), [1]uint64{k.Bucket&(1<<s.shift-1)<<32 | uint64(k.Record)})
}

// keyOf returns the key of an entry of a partition.
func (s *narrowSorter) keyOf(partition int, entry uint64) Key {
	return Key{Bucket: uint64(partition)<<s.shift | entry>>32, Record: uint32(entry)}
}

func (s *narrowSorter) each(fn func(Key) error) error {
	return s.eachPiece(func(partition int, entries [][1]uint64) error {
		for _, e := range entries {
			if err := fn(s.keyOf(partition, e[0])); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachPiece calls fn with the entries, sorted, in pieces of one partition each.
func (s *narrowSorter) eachPiece(fn func(partition int, entries [][1]uint64) error) error {
	var room spill.Room[[1]uint64]
	for p := range s.Partitions() {
		err := s.Pieces(&room, p, int(s.most), func(entries [][1]uint64) error { return fn(p, entries) })
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
