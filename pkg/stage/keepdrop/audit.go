package keepdrop

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"strings"

	"doppel/pkg/spill"
	"doppel/pkg/tool"
)

// An audit tells what was removed and why. What it will write waits in a
// scratch file, since the kept record may come after the one that is dropped for
// it; in memory are only the places of those that others are dropped for. A nil
// audit notes nothing.
type audit struct {
	list    *list
	field   []byte // nil: records have no fields
	plainID bool   // ids are ordinals, written as numbers
	out     *bufio.Writer
	file    *os.File
	w       *bufio.Writer
	end     int64
	places  map[uint32]int64 // in the file, of favourites by number
}

// An entry is what the file has of a record: a header, the id and the text.
type entry struct {
	number   uint32
	flags    byte
	id, text []byte
}

// The flags of an entry.
const (
	listed  byte = 1 << iota // the number is that of its id in the list
	removed                  // else it is only one that others are dropped for
)

const headerSize = 4 + 1 + 8 + 8

func newAudit(e *tool.Env, o *Options, l *list) (*audit, error) {
	if o.Removed == "" {
		return nil, nil
	}
	out, err := e.Create(o.Removed)
	if err != nil {
		return nil, err
	}
	f, err := spill.Create()
	if err != nil {
		return nil, err
	}
	a := &audit{
		list: l, out: out, file: f, w: bufio.NewWriterSize(f, 1<<16), places: map[uint32]int64{},
		plainID: e.Records.ID == "" && !e.Records.WithFilename,
	}
	if !e.Records.Lines {
		a.field = []byte(strings.Join(e.Records.Fields, ","))
	}
	return a, nil
}

// note keeps a record, or a part, that is dropped, or in whose favour another is.
func (a *audit) note(id, text []byte, number uint32, isListed, drop bool) error {
	if a == nil {
		return nil
	}
	x := entry{number: number, id: id, text: text}
	if isListed {
		x.flags |= listed
	}
	if drop {
		x.flags |= removed
	}
	favourite := isListed && a.list.favoured.Has(int64(number))
	if !drop && !favourite {
		return nil
	}
	if favourite {
		a.places[number] = a.end
	}
	a.end += headerSize + int64(len(id)) + int64(len(text))
	return x.write(a.w)
}

func (x *entry) write(w *bufio.Writer) error {
	header := binary.LittleEndian.AppendUint32(w.AvailableBuffer(), x.number)
	header = append(header, x.flags)
	header = binary.LittleEndian.AppendUint64(header, uint64(len(x.id)))
	header = binary.LittleEndian.AppendUint64(header, uint64(len(x.text)))
	w.Write(header)
	w.Write(x.id)
	_, err := w.Write(x.text)
	return err
}

// read reads an entry, into its own memory where that is large enough.
func (x *entry) read(r io.Reader) error {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return err
	}
	x.number, x.flags = binary.LittleEndian.Uint32(header[:]), header[4]
	for i, part := range []*[]byte{&x.id, &x.text} {
		size := int(binary.LittleEndian.Uint64(header[5+8*i:]))
		if cap(*part) < size {
			*part = make([]byte, size+size/2)
		}
		*part = (*part)[:size]
		if _, err := io.ReadFull(r, *part); err != nil {
			return err
		}
	}
	return nil
}

// close writes the audit, one object a removed record, in input order.
func (a *audit) close() error {
	if a == nil {
		return nil
	}
	if err := a.w.Flush(); err != nil {
		return err
	}
	r := bufio.NewReaderSize(io.NewSectionReader(a.file, 0, a.end), 1<<16)
	var x, kept entry
	var line []byte
	for {
		err := x.read(r)
		if err == io.EOF {
			return a.file.Close()
		}
		if err == nil && x.flags&removed != 0 {
			line, err = a.object(line[:0], &x, &kept)
			a.out.Write(line)
		}
		if err != nil {
			return err
		}
	}
}
