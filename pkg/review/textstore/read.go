package textstore

import (
	"bytes"
	"io"
	"os"
	"slices"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// Read reads the dataset to its end. If it returns no error, every record is available.
func (s *Store) Read() error {
	err := s.read()
	s.update(func() { s.ended, s.err = true, err })
	return err
}

func (s *Store) read() error {
	for _, name := range s.names {
		lines, err := s.rereadable(name)
		if err != nil {
			return err
		}
		f := &file{name: name, lines: lines, bad: map[int64]error{}}
		s.update(func() {
			f.base = s.log.Len()
			if n := len(s.files); n > 0 {
				f.first = s.files[n-1].first + s.files[n-1].records
			}
			s.files = append(s.files, f)
		})
		if lines {
			err = s.markRecords(f)
		} else {
			err = s.copy(f)
		}
		if err != nil {
			return err
		}
	}
	if s.opt.ID == "" {
		return nil
	}
	return s.readIDs()
}

// update holds s.mu while it calls fn, which changes the store. Then it wakes the goroutines that
// wait for records.
func (s *Store) update(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
	s.more.Broadcast()
}

// rereadable reports whether a file can be read from the start of any line. Such a file is regular,
// uncompressed and not CSV, has no fields of directories, and starts with a JSON object unless --lines
// is given.
func (s *Store) rereadable(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	form, err := dataform.Of(name, "")
	isTable := err == nil && (form.Kind == "csv" || form.Kind == "tsv")
	inPartition := !s.opt.Lines && !s.opt.NoPartitions && record.PartitionsOf(name) != nil
	if s.opt.CSV || s.opt.Encoding != "" || isTable && !s.opt.Lines || inPartition {
		return false, nil
	}
	head := make([]byte, record.HeadSize)
	n, err := io.ReadFull(f, head)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	return beginsPlain(head[:n], s.opt.Lines), err
}

// beginsPlain reports whether a file that starts with head has uncompressed lines. Without --lines,
// the file must start with a JSON object on one line. With --lines, it must start with ASCII text other than
// "BZh". Files compressed with bzip2 start with "BZh", and other compressed files do not start with
// ASCII text.
func beginsPlain(head []byte, lines bool) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if !lines {
		return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) && record.OneByLine(head)
	}
	first := head[:min(len(head), 8)]
	return !bytes.HasPrefix(head, []byte("BZh")) && !slices.ContainsFunc(first, func(c byte) bool {
		return c >= 0x7f || c < ' ' && c != '\t' && c != '\n' && c != '\r'
	})
}

func (s *Store) copy(f *file) error {
	rd, err := record.NewReader(record.Input{Names: []string{f.name}}, s.opt)
	if err != nil {
		return err
	}
	return eachBatch(rd, func(b *record.Batch) (err error) {
		s.update(func() {
			for i := range b.Records {
				rec := &b.Records[i]
				if rec.Err != nil {
					f.bad[f.records] = rec.Err
				}
				_, err = s.log.Write(rec.Text)
				f.places = append(f.places, s.log.Len())
				if f.records++; err != nil {
					return
				}
			}
		})
		return err
	})
}

func (s *Store) readIDs() error {
	opt := s.opt
	opt.Fields, opt.NoText = nil, true
	rd, err := record.NewReader(record.Input{Names: s.names}, opt)
	if err != nil {
		return err
	}
	return eachBatch(rd, func(b *record.Batch) error {
		s.update(func() {
			for i := range b.Records {
				if b.Records[i].Err == nil && int(s.ids.Intern(b.Records[i].ID)) == len(s.where) {
					s.where = append(s.where, b.Records[i].Ordinal)
				}
			}
		})
		return nil
	})
}

// eachBatch decodes each batch of rd and passes it to fn.
func eachBatch(rd *record.Reader, fn func(*record.Batch) error) error {
	var b record.Batch
	for {
		switch err := rd.Next(&b); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		b.Decode()
		if err := fn(&b); err != nil {
			return err
		}
	}
}
