package collection

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"doppel/pkg/spill"
)

// A Batch holds the keys of new records, which are compared with a collection before some of the
// records are added to it. The keys are sorted once, for the comparison and for the new segment. A
// Batch also finds the records that share no key with another new record, because those need not be
// compared with one another. It takes 8 bytes per key, in memory or on disk, and 2 bits per record.
//
// Its methods must not be called concurrently.
type Batch struct {
	sorter narrowSorter
	adding bool                   // the sorted keys are stored, for a Writer
	sorted spill.Spool[[1]uint64] // the sorted keys, partition by partition
	counts []int                  // number of keys of each partition in sorted
	shared marks                  // records that share a key with another record
}

// NewBatch returns a batch of records that are compared with the collection. The buckets may have
// up to 44 bits, and keys no rest. It uses about mem bytes of memory, and at least 1 MiB.
func (c *Collection) NewBatch(mem int64) (*Batch, error) { return newBatch(c.manifest.Scheme, mem) }

// NewBatch returns a batch of records for AddOf. It is closed with the writer.
func (w *Writer) NewBatch(mem int64) (*Batch, error) {
	if w.records > 0 {
		return nil, errMixed
	}
	b, err := newBatch(w.m.Scheme, mem)
	if err == nil {
		b.adding, w.batch = true, b
	}
	return b, err
}

func newBatch(s Scheme, mem int64) (*Batch, error) {
	if !s.isNarrow() {
		return nil, fmt.Errorf("buckets of %d bits: want at most %d, and no rest", s.BucketBits, mostNarrow)
	}
	return &Batch{sorter: newNarrowSorter(s, max(mem, 1<<20))}, nil
}

// Add adds a key of the record with a number.
func (b *Batch) Add(bucket uint64, record uint32) error {
	return b.sorter.add(Key{Bucket: bucket, Record: record})
}

// Sorted returns all keys, sorted by bucket and record. It may be called once.
func (b *Batch) Sorted() iter.Seq2[Key, error] {
	return func(yield func(Key, error) bool) {
		last := Key{Bucket: 1 << mostNarrow}
		err := b.sorter.eachPiece(func(partition int, entries [][1]uint64) error {
			for _, e := range entries {
				k := b.sorter.keyOf(partition, e[0])
				if k.Bucket == last.Bucket && k.Record != last.Record {
					b.shared.grow(k.Record) // which is higher than last.Record
					b.shared.add(k.Record)
					b.shared.add(last.Record)
				}
				if last = k; !yield(k, nil) {
					return errStop
				}
			}
			if !b.adding {
				return nil
			}
			for len(b.counts) <= partition {
				b.counts = append(b.counts, 0)
			}
			b.counts[partition] += len(entries)
			return b.sorted.Add(entries...)
		})
		if cerr := b.sorter.Close(); err == nil {
			err = cerr
		}
		if err != nil && err != errStop {
			yield(Key{}, err)
		}
	}
}

// errStop ends a loop over sorted keys.
var errStop = errors.New("stop")

// Shares reports whether a record shares a key with another record of the batch. The loop over
// Sorted must have ended.
func (b *Batch) Shares(record uint32) bool {
	return int(record/64) < len(b.shared.words) && b.shared.has(record)
}

// AddOf adds a record of a batch, which the writer has made, with its text or signature, like Add.
// Commit takes the record's keys from the batch. Records must be added in ascending order, all of
// one batch.
func (w *Writer) AddOf(record uint32, id, body []byte) error {
	if w.batch == nil {
		return errMixed
	}
	if w.keys == nil {
		w.keys = &keptKeys{batch: w.batch}
	}
	kept := w.keys.(*keptKeys)
	kept.kept.grow(record)
	kept.kept.add(record)
	return w.addBody(id, body)
}

// errMixed is returned if some records of a writer are of a batch, and others are not.
var errMixed = errors.New("records inside and outside of a batch")

// The type keptKeys is a sorter that returns the keys of the kept records of a batch.
type keptKeys struct {
	batch *Batch
	kept  marks
}

func (k *keptKeys) add(Key) error { return errMixed }

// each calls fn with each key, with the number of the record among those kept.
func (k *keptKeys) each(fn func(Key) error) error {
	b, read := k.batch, k.batch.sorted.Reader()
	var buf [1 << 10][1]uint64
	for partition, n := range b.counts {
		for n > 0 {
			m, err := read(buf[:min(n, len(buf))])
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			for i := 0; i < m && err == nil; i++ {
				key := b.sorter.keyOf(partition, buf[i][0])
				if int(key.Record/64) < len(k.kept.words) && k.kept.has(key.Record) {
					key.Record = k.kept.before(key.Record)
					err = fn(key)
				}
			}
			if err != nil {
				return err
			}
			n -= m
		}
	}
	return nil
}

// Close does nothing, because the writer closes the batch.
func (k *keptKeys) Close() error { return nil }
