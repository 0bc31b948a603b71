// Package filename passes names of files in batches: given names, names read from a list,
// or names found by a walk. A batch owns the memory of its names, and an item may be an
// error instead of a name.
package filename

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// An Item is a name, or an error from finding names.
type Item struct {
	Name []byte
	Kind Kind
	Salt []byte // columns before the name, if the source reads them
	Err  error  // error of finding the name or its file; nil if the name can be used
	Line int64  // line number of the name in its list, from 1; 0: not from a list
}

// A Kind is the known type of a file.
type Kind bool

// The kinds. A file known to be regular is opened without another check.
const (
	Unknown Kind = false
	Seen    Kind = true
)

// A Batch is a list of items; it owns the memory of their names.
type Batch struct {
	Items []Item
	names []byte
}

// Reset removes all items.
func (b *Batch) Reset() { b.Items, b.names = b.Items[:0], b.names[:0] }

// Add adds a copy of a name to the batch and returns the copy.
func (b *Batch) Add(name []byte, kind Kind) []byte {
	start := len(b.names)
	b.names = append(b.names, name...)
	name = b.names[start:len(b.names):len(b.names)]
	b.Items = append(b.Items, Item{Name: name, Kind: kind})
	return name
}

// A Source returns names in batches of at most n, and io.EOF after the last one.
type Source interface {
	Next(b *Batch, n int) error
}

// A List is a source of the given names.
type List []string

// Next returns the next names.
func (l *List) Next(b *Batch, n int) error {
	b.Reset()
	n = min(n, len(*l))
	for _, name := range (*l)[:n] {
		b.Add([]byte(name), Unknown)
	}
	*l = (*l)[n:]
	if n == 0 {
		return io.EOF
	}
	return nil
}

// A Reader reads names that end in LF or NUL. Names are not changed: a CR before the LF
// belongs to the name, as in the output of find(1).
type Reader struct {
	br   *bufio.Reader
	end  byte
	read int64 // number of names read, including empty ones
}

// ErrNUL is the error for names that end in NUL but are read as lines.
var ErrNUL = errors.New("a file name contains a NUL")

// NewReader returns a reader of names that end in the given byte.
func NewReader(r io.Reader, end byte) *Reader {
	return &Reader{br: bufio.NewReaderSize(r, 1<<16), end: end}
}

// Next reads the next names. Empty names are skipped.
func (r *Reader) Next(b *Batch, n int) error {
	b.Reset()
	for len(b.Items) < n {
		start := len(b.names)
		piece, err := r.br.ReadSlice(r.end)
		b.names = append(b.names, piece...)
		for err == bufio.ErrBufferFull {
			piece, err = r.br.ReadSlice(r.end)
			b.names = append(b.names, piece...)
		}
		if err != nil && err != io.EOF {
			return err
		}
		r.read++
		name := bytes.TrimSuffix(b.names[start:], []byte{r.end})
		if r.end != 0 && bytes.IndexByte(name, 0) >= 0 {
			return ErrNUL
		}
		if len(name) > 0 {
			b.Items = append(b.Items, Item{Name: name[:len(name):len(name)], Line: r.read})
		}
		if err == io.EOF {
			break
		}
	}
	if len(b.Items) == 0 {
		return io.EOF
	}
	return nil
}
