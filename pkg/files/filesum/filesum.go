// Package filesum hashes files. The hash of a file covers its size, properties called salts, and
// the blocks that a [doppel/pkg/blockhash.Rule] selects.
//
// The blocks of several files are collected in a buffer of 256 KiB, which fits into the
// second-level cache, and hashed together, because some hash functions are faster that way. If
// the blocks of a single file do not fit into the buffer, they are hashed as a stream.
package filesum

import (
	"bytes"
	"strconv"
	"strings"

	"doppel/pkg/blockhash"
	"doppel/pkg/digest"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
)

// Options select how files are read and hashed.
type Options struct {
	Rule  blockhash.Rule
	Hash  blockhash.Hash
	Salts []Salt // properties to hash after the size, in this order
	From  []int  // numbers of the columns to hash after the salts; the first column has number 1
	Links files.Links
	Empty bool // whether to hash empty files
}

// Scheme returns a name that includes all parameters that affect a hash.
func (o *Options) Scheme() string {
	var b strings.Builder
	b.WriteString(o.Hash.String() + "/" + o.Rule.String())
	for _, s := range o.Salts {
		b.WriteString("+" + string(s))
	}
	for _, n := range o.From {
		b.WriteString("+column" + strconv.Itoa(n))
	}
	return b.String()
}

// BatchSize returns the number of files to process in a batch: 64 if the rule reads at most
// [gather]/4 bytes of a file, otherwise 1.
func (o *Options) BatchSize() int {
	if most := o.Rule.Most(); most >= 0 && most <= gather/4 {
		return 64
	}
	return 1
}

// A Row is the result for one file. Sum is valid only if Hashed is true. If the file could not be
// hashed, Err says why. A row with neither a sum nor an error describes an empty file that was left
// out, or a skipped directory.
type Row struct {
	Name   []byte
	Salt   []byte // the item's Salt
	Info   files.Info
	Sum    blockhash.Sum
	Err    error
	Hashed bool
}

// gather is the size in bytes of the buffer for the blocks of several files.
const gather = 1 << 18

// A Signer hashes files. Each goroutine needs its own Signer.
type Signer struct {
	o      *Options
	spans  []blockhash.Span
	memory []byte
	texts  [][]byte // data to be hashed, one slice per file
	rows   []int    // index of the row of each text
	sums   []blockhash.Sum
	pieces digest.Stream
	dir    files.Dir
	read   int64
}

// NewSigner returns a Signer. It does not copy o, which must not change while the Signer is used.
func NewSigner(o *Options) *Signer {
	return &Signer{o: o, memory: make([]byte, 0, gather), pieces: o.Hash.NewStream()}
}

// Sign appends a row for each item. The rows refer to the items' names without copying
// them.
func (s *Signer) Sign(rows []Row, items []filename.Item) []Row {
	for i := range items {
		row := Row{Name: items[i].Name, Salt: items[i].Salt, Err: items[i].Err}
		if row.Err == nil {
			if row.Err = s.file(rows, &row, items[i:]); files.PassOver(items[i].Line, row.Err) {
				row.Err = nil
			}
		}
		rows = append(rows, row)
	}
	s.dir.Close()
	s.flush(rows)
	return rows
}

// Read returns the number of bytes read since its last call.
func (s *Signer) Read() int64 {
	n := s.read
	s.read = 0
	return n
}

// file reads the file of items[0]. It hashes the file's blocks, or gathers them to be hashed with
// the blocks of other files. It fills in row, which the caller then appends to rows.
func (s *Signer) file(rows []Row, row *Row, items []filename.Item) error {
	f, err := s.dir.Open(items, s.o.Links)
	if err != nil {
		return err
	}
	defer f.Close()
	row.Info = f.Info
	if row.Hashed = f.Size > 0 || s.o.Empty; !row.Hashed {
		return nil
	}
	s.spans = s.o.Rule.Spans(s.spans[:0], f.Size)
	need := int64(0)
	for _, span := range s.spans {
		need += span.Len
	}
	s.read += need
	if int64(cap(s.memory)-len(s.memory)) < need+saltRoom {
		s.flush(rows)
	}
	if need > gather-saltRoom {
		err = s.stream(row, &f)
	} else {
		err = s.gather(len(rows), row, &f)
	}
	if err != nil {
		row.Hashed = false
		return &files.Error{Name: string(row.Name), Err: err}
	}
	return nil
}

// gather reads the blocks of a file into the buffer. The index is that of the file's row in the
// slice that will be passed to flush.
func (s *Signer) gather(index int, row *Row, f *files.File) error {
	start := len(s.memory)
	text := s.memory[start:start]
	for _, span := range s.spans {
		at := len(text)
		text = text[:at+int(span.Len)]
		if err := f.ReadAt(text[at:], span.Off); err != nil {
			return err
		}
	}
	text = s.salt(text, row)
	if start+len(text) <= cap(s.memory) {
		s.memory = s.memory[:start+len(text)]
	}
	s.texts, s.rows = append(s.texts, text), append(s.rows, index)
	return nil
}

// flush hashes the gathered blocks, sets the sums of their rows, and empties the buffer.
func (s *Signer) flush(rows []Row) {
	if len(s.sums) < len(s.texts) {
		s.sums = make([]blockhash.Sum, 2*len(s.texts))
	}
	s.o.Hash.Sums(s.sums[:len(s.texts)], s.texts)
	for i, r := range s.rows {
		rows[r].Sum = s.sums[i]
	}
	s.memory, s.texts, s.rows = s.memory[:0], s.texts[:0], s.rows[:0]
}

// stream hashes the blocks of a file piece by piece, for files whose blocks do not fit into the
// buffer.
func (s *Signer) stream(row *Row, f *files.File) error {
	s.pieces.Reset()
	for _, span := range s.spans {
		for off, left := span.Off, span.Len; left > 0; {
			piece := s.memory[:min(left, gather)]
			if err := f.ReadAt(piece, off); err != nil {
				return err
			}
			s.pieces.Write(piece)
			off, left = off+int64(len(piece)), left-int64(len(piece))
		}
	}
	s.pieces.Write(s.salt(s.memory[:0], row))
	row.Sum = s.pieces.Sum()
	return nil
}

// salt appends to text the size and salts of a file, and the columns selected by Options.From.
func (s *Signer) salt(text []byte, row *Row) []byte {
	text = blockhash.AppendSize(text, row.Info.Size)
	for _, salt := range s.o.Salts {
		text = salt.append(text, row.Name, &row.Info)
	}
	for _, n := range s.o.From {
		columns := row.Salt
		for range n - 1 {
			_, columns, _ = bytes.Cut(columns, []byte("\t"))
		}
		word, _, _ := bytes.Cut(columns, []byte("\t"))
		text = appendNumbers(append(text, word...), uint64(len(word)))
	}
	return text
}
