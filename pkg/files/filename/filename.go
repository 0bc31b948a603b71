// Package filename is names of files on their way: given, read from a list, or met by a
// walk. They come in batches, which hold them in memory of their own, and each may be
// trouble instead of a name.
package filename

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// An Item is a name, or trouble that was met in finding names.
type Item struct {
	Name []byte
	Kind Kind
	Salt []byte // columns that stand before the name, for those who asked for them
	Err  error  // trouble; then there is no name
	Line int64  // where the name stands in its list, from 1; 0: it is of no list
}

// A Kind is what is known of a name.
type Kind bool

// The kinds. What was seen to be a regular file is opened without looking
// again.
const (
	Unknown Kind = false
	Seen    Kind = true
)

// A Batch is some items, whose names are in memory of the batch.
type Batch struct {
	Items []Item
	names []byte
}

// Reset takes all items out.
func (b *Batch) Reset() { b.Items, b.names = b.Items[:0], b.names[:0] }

// Add adds a name, and returns it in memory of the batch.
func (b *Batch) Add(name []byte, kind Kind) []byte {
	start := len(b.names)
	b.names = append(b.names, name...)
	name = b.names[start:len(b.names):len(b.names)]
	b.Items = append(b.Items, Item{Name: name, Kind: kind})
	return name
}

// A Source gives names in batches of at most n, and io.EOF after the last.
type Source interface {
	Next(b *Batch, n int) error
}

// A List is names that are given.
type List []string

// Next gives the next names.
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

// A Reader reads names that end in LF or NUL. They are taken as they are: a CR
// before the LF belongs to the name, as it does in what find(1) writes.
type Reader struct {
	br   *bufio.Reader
	end  byte
	read int64 // names so far, empty ones too
}

// ErrNUL says that names ended by NUL were read as lines.
var ErrNUL = errors.New("a NUL in a line of names")

// NewReader returns a reader of names that end in the given byte.
func NewReader(r io.Reader, end byte) *Reader {
	return &Reader{br: bufio.NewReaderSize(r, 1<<16), end: end}
}

// Next reads the next names. Empty ones are passed over.
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
