// Package filename defines sources of file names, which return them in batches. A batch owns the
// memory of its names. An item of a batch may be an error instead of a name.
package filename

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// An Item is a name, or an error that occurred during the search for names.
type Item struct {
	Name []byte
	Kind Kind
	Salt []byte // columns before the name, without the last TAB; nil if the source does not split lines into columns
	Err  error  // error for the name or its file; nil if the name can be used
	Line int64  // line number of the name in its list, from 1; 0 if the name is not from a list
}

// A Kind tells where a name came from, and so what must be checked before its file is opened.
type Kind uint8

const (
	Unknown Kind = iota
	Seen         // known to be a regular file, so its type is not checked again before it is opened
	Named        // an operand: if the name is a symbolic link, it is followed, as find -H does
)

// A Batch is a list of items. It owns the memory of the names, which are valid until Reset.
type Batch struct {
	Items []Item
	names []byte
}

// Reset removes all items.
func (b *Batch) Reset() { b.Items, b.names = b.Items[:0], b.names[:0] }

// Add adds a copy of a name to the batch and returns the copy, which the batch owns.
func (b *Batch) Add(name []byte, kind Kind) []byte {
	start := len(b.names)
	b.names = append(b.names, name...)
	name = b.names[start:len(b.names):len(b.names)]
	b.Items = append(b.Items, Item{Name: name, Kind: kind})
	return name
}

// A Source is a sequence of names. Next replaces the items of b with the next names, at most n.
// After the last name it returns io.EOF.
type Source interface {
	Next(b *Batch, n int) error
}

// A List is a source of operands. Each call of Next removes the returned names from the
// list.
type List []string

// Next implements [Source].
func (l *List) Next(b *Batch, n int) error {
	b.Reset()
	n = min(n, len(*l))
	for _, name := range (*l)[:n] {
		b.Add([]byte(name), Named)
	}
	*l = (*l)[n:]
	if n == 0 {
		return io.EOF
	}
	return nil
}

// A Reader is a source that reads names terminated by LF or NUL. It does not change names: a CR
// before the LF is part of the name, as in the output of find(1).
type Reader struct {
	br   *bufio.Reader
	end  byte
	read int64 // number of names read, including empty ones
}

// ErrNUL is returned for a line that contains a NUL, usually because names terminated by NUL are
// read as lines.
var ErrNUL = errors.New("a file name contains a NUL")

// NewReader returns a Reader of the names in r, each terminated by end (LF or NUL). The last name
// may lack this byte.
func NewReader(r io.Reader, end byte) *Reader {
	return &Reader{br: bufio.NewReaderSize(r, 1<<16), end: end}
}

// Next implements [Source]. It skips empty names.
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
