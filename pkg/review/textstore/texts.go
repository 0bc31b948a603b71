// Package textstore returns the text of any record of a dataset by its id, for programs that
// need a few of very many records.
//
// Read reads the dataset once. Other goroutines may call Text at the same time; Text waits until
// the record has been read. For a file of JSON Lines or plain lines, only the offset of every
// eighth record is stored, which takes one byte per record. A record is read again from the file,
// starting at the nearest stored offset at or before its start. For other files (compressed files,
// Parquet, CSV), the texts are copied to a scratch file, and the offsets of the texts take 8 bytes
// per record in memory. Ids from a field are kept in memory and take about 30 bytes per record plus
// their length. Ids of the form ordinal or file:ordinal take no memory.
//
// Finding the ends of lines runs at 5 GB/s (go test -bench Read, two cores of a shared virtual
// machine, records of 3 kB in the page cache), so the disk is the bottleneck. Storing the offset of
// every record would take 8 bytes per record and save little time: skipping up to seven records
// takes less time than the seek.
package textstore

import (
	"bytes"
	"fmt"
	"sync"

	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/spill"
)

// A Store returns the texts of a dataset. It is safe for concurrent use.
type Store struct {
	opt   record.Options
	names []string

	mu    sync.Mutex
	more  *sync.Cond // signals that more records have been read or reading has ended
	files []*file
	log   spill.Log // texts of files that cannot be read again
	ids   ids.Table // ids of records, if they are taken from a field
	where []int64   // where[n] is the ordinal of the first record whose id is number n in the table ids
	ended bool
	err   error
}

// New returns a store for the given files. It does not open them.
func New(names []string, opt record.Options) *Store {
	s := &Store{opt: opt, names: names}
	s.more = sync.NewCond(&s.mu)
	return s
}

// A file is one file of the dataset, with the positions of its records.
type file struct {
	name    string
	first   int64       // ordinal of the file's first record in the dataset
	records int64       // number of records read so far
	info    record.File // as it was when it was first read, if lines is set
	lines   bool        // whether records are read again from the file, not from the scratch file
	places  []int64     // offsets of every eighth record in the file, or of the ends of the texts in the scratch file
	base    int64       // offset of the file's first text in the scratch file
	bad     map[int64]error
}

// Text returns the text of a record, or of a part of a record if the id names a part. It waits
// until Read has read the record.
func (s *Store) Text(id []byte) ([]byte, error) {
	f, n, err := s.find(id)
	if err != nil {
		owner, start, end, ok := ids.CutPart(id)
		if !ok {
			return nil, err
		}
		text, err := s.Text(owner)
		if err == nil && end > len(text) {
			err = fmt.Errorf("record %q has no part from byte %d to %d: its text has %d bytes", owner, start, end, len(text))
		}
		if err != nil {
			return nil, err
		}
		return text[start:end], nil
	}
	if f.lines {
		return s.rereadRecord(f, n)
	}
	return s.copied(f, n)
}

// find returns the file of a record and the record's number in that file. It waits until Read has
// read the record.
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
			return nil, 0, fmt.Errorf("no record has the id %q", id)
		}
		s.more.Wait()
	}
}

// place returns the file of a record and the record's number in the file, or false if they are not
// known yet.
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

// Close removes the scratch file.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Close()
}
