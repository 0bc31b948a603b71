package record

import (
	"io"
	"iter"

	"doppel/pkg/files"
	"doppel/pkg/par"
)

// mostRanges is the maximum number of goroutines that read blocks of a table. About twice as many
// blocks are in memory.
const mostRanges = 4

// A rangeReader reads a file as a stream, but several goroutines read blocks of it ahead. Of the time
// to read the rows of a table, three quarters are that to copy them from the page cache.
type rangeReader struct {
	file rangesFile
	jobs int
	pull func() ([]byte, error, bool) // returns the next block; nil before the first one is read
	stop func()                       // ends the reading of blocks
	now  []byte                       // the rest of the block that is being read
	err  error                        // the error after that block
	rest bool                         // the whole blocks have been read
}

// A rangesFile is a file as files.Whole returns it.
type rangesFile interface {
	io.Reader
	files.Ranges
}

// readAhead makes the stream read a file in several goroutines.
func (s *Stream) readAhead() {
	if f, ok := s.r.(rangesFile); ok && s.jobs > 1 && f.Size() > blockSize {
		r := &rangeReader{file: f, jobs: min(s.jobs, mostRanges)}
		s.r = r
		s.closer = append(s.closer, r.close)
	}
}

// begin starts to read the whole blocks of the file.
func (r *rangeReader) begin() {
	spares, at := par.NewSpares[[]byte](r.jobs), int64(0)
	next := func() (from int64, err error) {
		if at+blockSize > r.file.Size() {
			return 0, io.EOF
		}
		at += blockSize
		return at - blockSize, nil
	}
	type block struct {
		memory *[]byte
		size   int
		err    error
	}
	read := func() func(int64) block {
		return func(from int64) block {
			memory := spares.Get()
			if *memory == nil {
				*memory = make([]byte, blockSize)
			}
			n, err := r.file.ReadAt(*memory, from)
			return block{memory, n, err}
		}
	}
	r.pull, r.stop = iter.Pull2(func(yield func([]byte, error) bool) {
		par.Ordered(r.jobs, next, read, func(b block) error {
			if !yield((*b.memory)[:b.size], b.err) {
				return io.EOF // close was called
			}
			spares.Put(b.memory)
			return nil
		})
	})
}

func (r *rangeReader) Read(p []byte) (int, error) {
	if r.pull == nil {
		r.begin()
	}
	for len(r.now) == 0 && !r.rest {
		if r.err != nil {
			return 0, r.err
		}
		var ok bool
		if r.now, r.err, ok = r.pull(); !ok {
			r.rest = true // Read reads it, and what was added to the file meanwhile
			if r.err = r.file.Skip(r.file.Size() / blockSize * blockSize); r.err != nil {
				return 0, r.err
			}
		}
	}
	if r.rest {
		return r.file.Read(p)
	}
	n := copy(p, r.now)
	r.now = r.now[n:]
	return n, nil
}

// close ends the reading of blocks.
func (r *rangeReader) close() error {
	if r.stop != nil {
		r.stop()
	}
	return nil
}
