package lsh

import (
	"cmp"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"doppel/pkg/par"
	"doppel/pkg/spill"
)

// An Index collects the keys of all records, and returns the pairs of records that share a key.
//
// Several goroutines insert the keys of batches of records, each with an [Inserter] of its own. One
// goroutine places the batches in input order, which numbers their records. Only that order affects
// the result, not the order in which the batches were inserted.
//
// An Index uses 8 bytes of memory per record for the digest, 8 more if records have values, and mem
// bytes for keys. Further keys go to spill files, which take 16 bytes per key. Each thread sorts and
// pairs one partition at a time. A partition covers a 256th of the buckets of a band, or several
// 256ths if mem is small, so a partition is small unless many records share a bucket. In a large
// partition, each record of a large bucket takes 50 to 100 bytes of memory, so only one thread at a
// time may process a large partition.
type Index struct {
	parts     Partition
	shift     int                      // each partition of entries combines 1<<shift partitions of buckets
	entries   *spill.Sorter[[2]uint64] // of all inserters
	inserters []Inserter
	given     atomic.Uint32 // number of calls of Inserter
	inserted  atomic.Uint32 // number of batches
	failed    atomic.Pointer[error]
	first     []int64 // by batch: number of its first record, or a negative number if it was not placed
	digests   []uint64
	values    []uint64 // value of each record; nil unless only records with different values are paired
	fresh     int      // number of new records, which are paired only with old ones; 0 if there are no old records
	mem       int64
}

// leastKeys is the desired minimum number of bytes of memory per partition. If there is less
// memory, NewIndex combines up to 256 partitions into one.
const leastKeys = 1 << 11

var leastLarge int64 = 1 << 18 // minimum of bucketer.large; tests lower it

// NewIndex returns an empty index whose buckets are partitioned by p, for a number of goroutines that
// insert keys. It keeps up to mem bytes of keys in memory.
func NewIndex(p Partition, mem int64, jobs int) *Index {
	x := &Index{parts: p, mem: mem, inserters: make([]Inserter, max(1, jobs))}
	for x.shift < 8 && int64(p.Partitions()>>x.shift)*leastKeys > mem {
		x.shift++
	}
	x.entries = spill.NewSorter[[2]uint64]((p.Partitions()-1)>>x.shift+1, mem/int64(len(x.inserters)))
	for i := range x.inserters {
		if x.inserters[i] = (Inserter{x: x, entries: x.entries}); i > 0 {
			x.inserters[i].entries = x.entries.Beside()
		}
	}
	return x
}

// An Inserter inserts keys into an index. It is safe for concurrent use, but each goroutine should
// have its own: no two processors then write to the same memory.
type Inserter struct {
	x       *Index
	mu      sync.Mutex
	entries *spill.Sorter[[2]uint64] // pairs of a bucket and a record: its batch in the high half, its index there in the low half
}

// Inserter returns an inserter for a goroutine.
func (x *Index) Inserter() *Inserter {
	return &x.inserters[int(x.given.Add(1)-1)%len(x.inserters)]
}

// Insert inserts the keys of a batch of records, and returns the number of the batch. The keys of
// record i end at last[i]. A record may have no keys. Place returns the error if this fails.
func (in *Inserter) Insert(keys []Key, last []int) (batch int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	x := in.x
	batch = int(x.inserted.Add(1) - 1)
	i := 0
	for record, end := range last {
		for ; i < end; i++ {
			bucket := keys[i].Bucket
			if err := in.entries.Add(x.parts.Partition(bucket)>>x.shift, [2]uint64{bucket, uint64(batch)<<32 | uint64(record)}); err != nil {
				x.fail(err)
				return batch
			}
		}
	}
	return batch
}

// fail stores the first error of an inserter. It is a function of its own because the error moves to
// the heap.
func (x *Index) fail(err error) { x.failed.CompareAndSwap(nil, &err) }

// Place numbers the records of a batch, given the digest of each. If values are given, the index
// pairs only records with different values; all batches of an index must have them, or none. Place
// must be called once for each batch whose records count, in input order. Other batches are
// ignored.
func (x *Index) Place(batch int, digests, values []uint64) error {
	for len(x.first) <= batch {
		x.first = append(x.first, -1)
	}
	x.first[batch] = int64(len(x.digests))
	x.digests, x.values = append(x.digests, digests...), append(x.values, values...)
	if err := x.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// numberOf returns the number of a record, or a negative number if its batch was not placed.
func (x *Index) numberOf(entry [2]uint64) int64 {
	batch := entry[1] >> 32
	if batch >= uint64(len(x.first)) || x.first[batch] < 0 {
		return -1
	}
	return x.first[batch] + int64(uint32(entry[1]))
}

// Fresh marks the records placed so far as new and all later records as old. The index then pairs
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
	return skipped, cmp.Or(err, x.entries.Close())
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
	numbers []int64 // of the records of a bucket, in order
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
		defer func() { w.members, w.numbers = nil, nil }()
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
	w.numbers = w.numbers[:0]
	for _, e := range entries {
		if n := w.x.numberOf(e); n >= 0 {
			w.numbers = append(w.numbers, n)
		}
	}
	slices.Sort(w.numbers) // batches can be inserted in any order
	fresh := 0
	for _, n := range w.numbers {
		m := Member{Rank: uint32(n), Group: w.x.digests[n]}
		if w.pairing.Apart {
			m.Value = w.x.values[n]
		}
		if w.ranks != nil {
			m.Rank = w.ranks[n]
		}
		if n < int64(w.x.fresh) {
			fresh++
		}
		w.members = append(w.members, m)
	}
	if w.x.fresh > 0 { // members are in input order, so new records come first
		w.pairing.Across(key, w.members[fresh:], w.members[:fresh], w.emit)
		return
	}
	w.pairing.Bucket(key, w.members, w.emit)
}
