package textstore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"doppel/pkg/record"
)

// markInterval is the distance, in records, between the records whose offsets are stored.
const markInterval = 8

// markRecords stores the offset of every eighth record of a file.
func (s *Store) markRecords(f *file) error {
	in, err := os.Open(f.name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	s.update(func() { f.info = record.File{Name: f.name, Info: info} })
	rest := record.Whole(in)
	m := marker{lines: s.opt.Lines}
	buf := make([]byte, 1<<20)
	for {
		n, err := rest.Read(buf)
		m.addBlock(buf[:n])
		if err == io.EOF {
			m.endLine()
		}
		s.update(func() { f.records, f.places = m.records, append(f.places, m.marks...) })
		m.marks = m.marks[:0]
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
}

// A marker finds the records in a file that it receives in blocks. Blank lines are not records,
// except with --lines.
type marker struct {
	lines   bool
	at      int64 // offset of the next block in the file
	start   int64 // offset of the current line in the file
	begun   bool  // whether the line has an LF, or bytes other than a byte order mark
	filled  bool  // whether the line has bytes other than white space
	records int64
	marks   []int64 // offsets of every eighth record in the last block
}

func (m *marker) addBlock(p []byte) {
	for at := m.at; len(p) > 0; {
		n := bytes.IndexByte(p, '\n')
		piece := p
		if n >= 0 {
			piece = p[:n]
		}
		if m.start == 0 && m.at == 0 {
			piece = bytes.TrimPrefix(piece, []byte("\xef\xbb\xbf"))
		}
		m.begun = m.begun || n >= 0 || len(piece) > 0
		m.filled = m.filled || len(bytes.TrimLeft(piece, " \t\r")) > 0
		if n < 0 {
			m.at = at + int64(len(p))
			return
		}
		m.endLine()
		at += int64(n) + 1
		m.at, m.start = at, at
		p = p[n+1:]
	}
}

func (m *marker) endLine() {
	if m.filled || m.lines && m.begun {
		if m.records%markInterval == 0 {
			m.marks = append(m.marks, m.start)
		}
		m.records++
	}
	m.begun, m.filled = false, false
}

// rereadRecord reads record n again from its file and returns its text.
func (s *Store) rereadRecord(f *file, n int64) ([]byte, error) {
	s.mu.Lock()
	from, was := f.places[n/markInterval], f.info
	s.mu.Unlock()
	in, err := os.Open(f.name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if now, err := in.Stat(); err != nil || !was.Is(now) {
		return nil, fmt.Errorf("%s: changed while it was read", f.name)
	}
	rest := io.NewSectionReader(in, from, math.MaxInt64-from)
	input := record.Input{Stdin: rest, Called: map[string]string{"-": f.name}}
	rd, err := record.NewReader(input, s.opt)
	if err != nil {
		return nil, err
	}
	got, err := text(rd, n%markInterval)
	var wrong *record.SyntaxError
	if errors.As(err, &wrong) { // the error's line number counts from the stored offset and would mislead
		err = fmt.Errorf("%s: record %d: %w", f.name, n, wrong.Err)
	}
	return got, err
}

// text returns the text of the n-th record of rd, counted from 0.
func text(rd *record.Reader, n int64) ([]byte, error) {
	var b record.Batch
	for {
		if err := rd.Next(&b); err == io.EOF {
			return nil, io.ErrUnexpectedEOF
		} else if err != nil {
			return nil, err
		}
		if have := int64(len(b.Records)); n >= have {
			n -= have
			continue
		}
		b.Records = b.Records[n : n+1]
		b.Decode()
		return bytes.Clone(b.Records[0].Text), b.Records[0].Err
	}
}

// copied reads the text of record n of a file from the scratch file.
func (s *Store) copied(f *file, n int64) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := f.bad[n]; err != nil {
		return nil, err
	}
	start := f.base
	if n > 0 {
		start = f.places[n-1]
	}
	buf := make([]byte, f.places[n]-start)
	_, err := s.log.ReadAt(buf, start)
	return buf, err
}
