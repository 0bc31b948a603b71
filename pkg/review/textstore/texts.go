// Package textstore returns the text of any record of a dataset by its id, for programs that
// need a few of very many records.
//
// Read reads the dataset once. Other goroutines may call Text at the same time; Text waits until
// the record has been read. Of a record in an uncompressed file of lines, only its place in the
// file is stored; the text is read from there again. The texts of other records (compressed files,
// Parquet, CSV) are copied to a scratch file. A second scratch file has the places, 16 bytes per
// record. Ids are kept in memory, and take about 25 bytes per record plus their length, unless they
// are ordinals.
package textstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/spill"
)

// A Store returns the texts of a dataset. It is safe for concurrent use.
type Store struct {
	opt   record.Options
	names []string

	mu     sync.Mutex
	more   *sync.Cond // signals that more records have been read or reading has ended
	places spill.Log  // the place of each record, placeSize bytes long
	texts  spill.Log  // texts and errors of records that cannot be read again
	files  []*record.File
	ids    ids.Table // ids of records, unless they are ordinals
	where  []int64   // where[n] is the ordinal of the first record whose id has the number n in ids
	ended  bool
	err    error
}

// A place is the position of a text. It is stored as the offset, followed by a word that has the
// source in its highest bits and the length below them.
type place struct{ offset, source, length int64 }

const (
	placeSize   = 16
	sourceShift = 40
	inTexts     = 0 // a source: the text is in Store.texts
	asError     = 1 // a source: the record has an error, which is in Store.texts
	firstFile   = 2 // the source of the raw record in Store.files[0]; larger sources mean later files
)

// New returns a store for the given files. It does not open them.
func New(names []string, opt record.Options) *Store {
	s := &Store{opt: opt, names: names}
	s.more = sync.NewCond(&s.mu)
	return s
}

// Read reads the dataset to its end. If it returns no error, every record is available.
func (s *Store) Read() error {
	err := s.read()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.err = true, err
	s.more.Broadcast()
	return err
}

func (s *Store) read() error {
	rd, err := record.NewReader(record.Input{Names: s.names}, s.opt)
	if err != nil {
		return err
	}
	var b record.Batch
	for {
		switch err := rd.Next(&b); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		b.Decode()
		if err := s.add(&b); err != nil {
			return err
		}
	}
}

// add stores the places of the records in a batch, and wakes the goroutines that wait for them.
func (s *Store) add(b *record.Batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.more.Broadcast()
	var entry [placeSize]byte
	for i := range b.Records {
		rec := &b.Records[i]
		if s.hasIDs() && rec.ID != nil && int(s.ids.Intern(rec.ID)) == len(s.where) {
			s.where = append(s.where, rec.Ordinal)
		}
		p, err := s.store(b, rec)
		if err != nil {
			return err
		}
		binary.LittleEndian.PutUint64(entry[:], uint64(p.offset))
		binary.LittleEndian.PutUint64(entry[8:], uint64(p.source<<sourceShift|p.length))
		if _, err := s.places.Write(entry[:]); err != nil {
			return err
		}
	}
	return s.ids.Full()
}

// hasIDs reports whether the ids of records are other than their ordinals.
func (s *Store) hasIDs() bool { return s.opt.ID != "" || s.opt.WithFilename }

// store copies a text that cannot be read again, and returns its place.
func (s *Store) store(b *record.Batch, rec *record.Record) (place, error) {
	text, source := rec.Text, int64(inTexts)
	switch f, at := b.Place(rec); {
	case rec.Err != nil:
		text, source = []byte(rec.Err.Error()), asError
	case f != nil:
		if n := len(s.files); n == 0 || s.files[n-1] != f {
			s.files = append(s.files, f)
		}
		return place{at, firstFile + int64(len(s.files)-1), int64(len(rec.Raw))}, nil
	}
	p := place{s.texts.Len(), source, int64(len(text))}
	_, err := s.texts.Write(text)
	return p, err
}

// Text returns the text of a record, or of a part of a record if the id names a part. It waits
// until Read has read the record.
func (s *Store) Text(id []byte) ([]byte, error) {
	p, err := s.find(id)
	if err == nil {
		return s.textAt(p)
	}
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

// find returns the place of a record. It waits until Read has read the record.
func (s *Store) find(id []byte) (p place, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		n, ok := ids.Ordinal(id)
		if s.hasIDs() {
			var number uint32
			if number, ok = s.ids.Lookup(id); ok {
				n = s.where[number]
			}
		}
		if ok && n < s.places.Len()/placeSize {
			var entry [placeSize]byte
			_, err := s.places.ReadAt(entry[:], n*placeSize)
			word := int64(binary.LittleEndian.Uint64(entry[8:]))
			return place{int64(binary.LittleEndian.Uint64(entry[:])), word >> sourceShift, word & (1<<sourceShift - 1)}, err
		}
		if s.err != nil {
			return p, s.err
		}
		if s.ended {
			return p, fmt.Errorf("no record has the id %q", id)
		}
		s.more.Wait()
	}
}

// textAt returns the text at a place.
func (s *Store) textAt(p place) ([]byte, error) {
	buf := make([]byte, p.length)
	s.mu.Lock()
	if p.source < firstFile {
		defer s.mu.Unlock()
		if _, err := s.texts.ReadAt(buf, p.offset); err != nil || p.source == inTexts {
			return buf, err
		}
		return nil, errors.New(string(buf))
	}
	file := s.files[p.source-firstFile]
	s.mu.Unlock()
	in, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if _, err := in.ReadAt(buf, p.offset); err != nil {
		return nil, err
	}
	d, err := record.NewDecoder(s.opt)
	if err != nil {
		return nil, err
	}
	return d.Text(buf)
}

// Close removes the scratch files.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.places.Close(), s.texts.Close())
}
