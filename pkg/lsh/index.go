package lsh

import (
	"io"
	"slices"
	"sync"

	"doppel/pkg/par"
	"doppel/pkg/spill"
)

// An Index collects the keys of all records, in input order, and returns the pairs of records
// that share a key.
//
// It uses 8 bytes of memory per record for the digest, 8 more if records have values, and mem bytes
// for keys. Further keys go to a spill file, which takes 16 bytes per key. Each thread sorts and
// pairs one partition at a time. A partition covers a 256th of the buckets of a band, or several
// 256ths if mem is small, so a partition is small unless many records share a bucket. In a large
// partition, each record of a large bucket takes 50 to 100 bytes of memory, so only one thread at a
// time may process a large partition.
type Index struct {
	parts   Partition
	shift   int                      // each partition of entries combines 1<<shift partitions of buckets
	entries *spill.Sorter[[2]uint64] // pairs of a bucket and a record number
	digests []uint64
	values  []uint64 // value of each record; nil unless only records with different values are paired
	fresh   int      // number of new records, which are paired only with old ones; 0 if there are no old records
	mem     int64
}

// leastKeys is the desired minimum number of bytes of memory per partition. If there is less
// memory, NewIndex combines up to 256 partitions into one.
const leastKeys = 1 << 11

var leastLarge int64 = 1 << 18 // minimum of bucketer.large; tests lower it

// NewIndex returns an empty index whose buckets are partitioned by p. It keeps up to mem bytes
// of keys in memory.
func NewIndex(p Partition, mem int64) *Index {
	x := &Index{parts: p, mem: mem}
	for x.shift < 8 && int64(p.Partitions()>>x.shift)*leastKeys > mem {
		x.shift++
	}
	x.entries = spill.NewSorter[[2]uint64]((p.Partitions()-1)>>x.shift+1, mem)
	return x
}

// AddApart is like Add, but also stores a value for the record. The index then pairs only records
// with different values. The records of an index must be added either all with Add or all with
// AddApart.
func (x *Index) AddApart(keys []Key, value uint64) error {
	x.values = append(x.values, value)
	return x.Add(keys)
}

// Add adds the next record, which may have no keys. All its keys must contain the digest of the
// record.
func (x *Index) Add(keys []Key) error {
	record, digest := uint64(len(x.digests)), uint64(0)
	for _, k := range keys {
		digest = k.Digest
		if err := x.entries.Add(x.parts.Partition(k.Bucket)>>x.shift, [2]uint64{k.Bucket, record}); err != nil {
			return err
		}
	}
	x.digests = append(x.digests, digest)
	return nil
}

// Fresh marks the records added so far as new and all later records as old. The index then pairs
// only new records with old ones.
func (x *Index) Fresh() { x.fresh = len(x.digests) }

// Spilled returns the number of bytes written to disk.
func (x *Index) Spilled() int64 { return x.entries.Spilled() }

// A tally is the result of pairing one partition. It does not include the pairs, which are added to
// a sorter.
type tally struct {
	skipped Skipped
	err     error
}

// Pairs adds the pairs of all buckets to dst, as pairs of ranks. The rank of record i is ranks[i]
// or, if ranks is nil, i. Pairs uses up to jobs goroutines and returns counts of the pairs skipped
// in hot buckets. Pairs may be called only once, because it closes the spill file.
func (x *Index) Pairs(dst *PairSorter, ranks []uint32, p Pairing, jobs int) (Skipped, error) {
	partition := 0
	next := func() (int, error) { // returns the next partition in which two records can share a bucket
		for ; partition < x.entries.Partitions(); partition++ {
			if x.entries.PartLen(partition) > 1 {
				partition++
				return partition - 1, nil
			}
		}
		return 0, io.EOF
	}
	p.Apart = x.values != nil
	shared, large := &sharedSorter{sorter: dst}, int(max(leastLarge, x.mem/16/16/int64(jobs)))
	worker := func() func(int) tally {
		w := &bucketer{x: x, ranks: ranks, pairing: p, dst: shared, large: large}
		return w.pairPartition
	}
	var skipped Skipped
	err := par.Ordered(jobs, next, worker, func(t tally) error {
		if t.err != nil {
			return t.err
		}
		if skipped.Add(t.skipped); len(skipped.Most) > p.Most {
			slices.SortFunc(skipped.Most, bySize)
			skipped.Most = skipped.Most[:p.Most]
		}
		return nil
	})
	if cerr := x.entries.Close(); err == nil {
		err = cerr
	}
	return skipped, err
}

// A sharedSorter lets several goroutines add pairs to one sorter.
type sharedSorter struct {
	mu     sync.Mutex
	sorter *PairSorter
	large  sync.Mutex // held while a large partition is paired
}

func (s *sharedSorter) addPairs(pairs [][1]uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sorter.addAll(pairs)
}

// A bucketer pairs the records of each bucket, one partition after another. Each goroutine has
// its own.
type bucketer struct {
	x       *Index
	ranks   []uint32
	pairing Pairing
	dst     *sharedSorter
	large   int // number of entries above which a partition is large
	room    spill.Room[[2]uint64]
	members []Member
	pairs   [][1]uint64 // pairs not yet added to dst
	err     error       // first error returned by dst
}

// manyPairs is the number of pairs that a bucketer collects before it locks dst and adds them.
const manyPairs = 1 << 14

// pairPartition pairs the records of each bucket in partition n. Only one goroutine at a time pairs
// a large partition, and it releases that partition's memory afterwards.
func (w *bucketer) pairPartition(n int) tally {
	w.pairing.Skipped, w.err = Skipped{}, nil
	room := &w.room
	if w.x.entries.PartLen(n) > w.large {
		w.dst.large.Lock()
		defer w.dst.large.Unlock()
		room = new(spill.Room[[2]uint64])
		defer func() { w.members = nil }()
	}
	err := w.x.entries.Pieces(room, n, 4*w.large, func(entries [][2]uint64) error {
		for len(entries) > 0 && w.err == nil {
			end := 1
			for end < len(entries) && entries[end][0] == entries[0][0] {
				end++
			}
			if end > 1 {
				w.pairBucket(entries[0][0], entries[:end])
			}
			entries = entries[end:]
		}
		return w.err
	})
	if w.flushPairs(); w.err == nil {
		w.err = err
	}
	return tally{w.pairing.Skipped, w.err}
}

func (w *bucketer) emit(a, b uint32) {
	if w.pairs = append(w.pairs, [1]uint64{uint64(a)<<32 | uint64(b)}); len(w.pairs) == manyPairs {
		w.flushPairs()
	}
}

// flushPairs adds the collected pairs to dst and empties w.pairs.
func (w *bucketer) flushPairs() {
	if err := w.dst.addPairs(w.pairs); w.err == nil {
		w.err = err
	}
	w.pairs = w.pairs[:0]
}

func (w *bucketer) pairBucket(key uint64, entries [][2]uint64) {
	w.members = slices.Grow(w.members[:0], len(entries))
	fresh := 0
	for _, e := range entries {
		m := Member{Rank: uint32(e[1]), Group: w.x.digests[e[1]]}
		if w.pairing.Apart {
			m.Value = w.x.values[e[1]]
		}
		if w.ranks != nil {
			m.Rank = w.ranks[e[1]]
		}
		if e[1] < uint64(w.x.fresh) {
			fresh++
		}
		w.members = append(w.members, m)
	}
	if w.x.fresh > 0 { // entries and members are in input order, so new records come first
		w.pairing.Across(key, w.members[fresh:], w.members[:fresh], w.emit)
		return
	}
	w.pairing.Bucket(key, w.members, w.emit)
}
