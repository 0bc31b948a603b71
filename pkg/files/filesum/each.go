package filesum

import (
	"sync"

	"doppel/pkg/files/filename"
	"doppel/pkg/par"
)

// Readers is the number of batches that each job processes at the same time, so that one batch can
// be hashed while others wait for the disk. On a fast disk, the value makes little difference.
const Readers = 4

type batch struct {
	names filename.Batch
	rows  []Row
	read  int64
}

// Each hashes all files of src. It processes jobs*[Readers] batches at the same time. For each
// batch, in the order of src, it calls emit with the rows of the files and the number of bytes
// read. Rows are valid until emit returns. If emit returns an error, Each stops and returns the
// error.
func Each(src filename.Source, jobs int, o *Options, emit func(rows []Row, read int64) error) error {
	pool := sync.Pool{New: func() any { return new(batch) }}
	size := o.BatchSize()
	next := func() (*batch, error) {
		b := pool.Get().(*batch)
		return b, src.Next(&b.names, size)
	}
	worker := func() func(*batch) *batch {
		s := NewSigner(o)
		return func(b *batch) *batch {
			b.rows = s.Sign(b.rows[:0], b.names.Items)
			b.read = s.Read()
			return b
		}
	}
	return par.Ordered(Readers*jobs, next, worker, func(b *batch) error {
		err := emit(b.rows, b.read)
		pool.Put(b)
		return err
	})
}
