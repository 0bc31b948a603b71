// Package texts gives the text of any record of a dataset by its id, for
// programs that look at a few of very many.
//
// The dataset is read once, by Read, which may run beside those that ask: Text waits
// until the record has been met. Of a file of JSON lines, or of lines, nothing is
// kept but where every eighth record begins, a byte a record, and a record is read
// again from there. Of what cannot be read so (compressed files, Parquet, CSV) the
// texts are copied to a scratch file, which costs their size on disk and 8 bytes a
// record. Where ids are taken from a field they are held, in about 30 bytes a record
// beside their own; ordinals, and file:ordinal, need nothing.
//
// Finding the ends of lines runs at 5 GB/s (go test -bench Read, two cores of a shared
// virtual machine, records of 3 kB in the page cache), so it is the disk that a user
// waits for. The offset of every record was tried before and costs 8 bytes each; to
// pass over up to seven records takes less time than the seek.
package texts

import (
	"bytes"
	"fmt"
	"sync"

	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/spill"
)

// A Store is a dataset whose texts can be asked for. Its methods may be called by
// several goroutines at once.
type Store struct {
	opt   record.Options
	names []string

	mu    sync.Mutex
	more  *sync.Cond // something was read
	files []*file
	log   spill.Log // texts of files that are not read again
	ids   ids.Table // of records, if a field has them
	where []int64   // by number of the id, the ordinal of its first record
	ended bool
	err   error
}

// New returns the store of the files, none of which is opened yet.
func New(names []string, opt record.Options) *Store {
	s := &Store{opt: opt, names: names}
	s.more = sync.NewCond(&s.mu)
	return s
}

// A file is one of the dataset.
type file struct {
	name    string
	first   int64   // the ordinal of its first record
	records int64   // that were met so far
	lines   bool    // it is read again
	places  []int64 // where every eighth begins; or, in the scratch file, where each ends
	base    int64   // where the first begins in the scratch file
	bad     map[int64]error
}

// Text returns the text of a record, or of a part of it if the id is that of a part.
// It waits for Read to have come so far.
func (s *Store) Text(id []byte) ([]byte, error) {
	f, n, err := s.find(id)
	if err != nil {
		owner, start, end, ok := ids.CutPart(id)
		if !ok {
			return nil, err
		}
		text, err := s.Text(owner)
		if err == nil && end > len(text) {
			err = fmt.Errorf("record %q has %d bytes, and no part from %d to %d", owner, len(text), start, end)
		}
		if err != nil {
			return nil, err
		}
		return text[start:end], nil
	}
	if f.lines {
		return s.again(f, n)
	}
	return s.copied(f, n)
}

// find returns the file of a record, and its number in the file.
func (s *Store) find(id []byte) (*file, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if f, n, ok := s.place(id); ok {
			return f, n, nil
		}
		if s.err != nil {
			return nil, 0, s.err
		}
		if s.ended {
			return nil, 0, fmt.Errorf("no record %q", id)
		}
		s.more.Wait()
	}
}

// place returns where a record is, if that is known.
func (s *Store) place(id []byte) (*file, int64, bool) {
	if s.opt.ID == "" && s.opt.WithFilename { // file:ordinal
		for _, f := range s.files {
			rest, ok := bytes.CutPrefix(id, []byte(f.name+":"))
			if n, is := ids.Ordinal(rest); ok && is && n < f.records {
				return f, n, true
			}
		}
		return nil, 0, false
	}
	n, ok := ids.Ordinal(id)
	if s.opt.ID != "" {
		number, met := s.ids.Lookup(id)
		if ok = met; met {
			n = s.where[number]
		}
	}
	for _, f := range s.files {
		if ok && n < f.first+f.records {
			return f, n - f.first, true
		}
	}
	return nil, 0, false
}

// Close gives up the scratch file.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Close()
}
