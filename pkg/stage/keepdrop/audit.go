package keepdrop

import (
	"bufio"
	"encoding/binary"
	"strings"

	"doppel/pkg/spill"
	"doppel/pkg/tool"
)

// An audit tells what was removed and why. What it will write waits in a log,
// since the kept record may come after the one that is dropped for it; in memory
// are only the places of those that others are dropped for. A nil audit notes
// nothing.
type audit struct {
	list    *list
	field   []byte // nil: records have no fields
	plainID bool   // ids are ordinals, written as numbers
	out     *bufio.Writer
	log     spill.Log
	places  map[uint32]int64 // in the log, of favourites by number
}

// An entry is what the log has of a record: a header, the id and the text.
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
	a := &audit{
		list: l, out: out, places: map[uint32]int64{},
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
		a.places[number] = a.log.Len()
	}
	return x.write(&a.log)
}

func (x *entry) write(l *spill.Log) error {
	header := binary.LittleEndian.AppendUint32(make([]byte, 0, headerSize), x.number)
	header = append(header, x.flags)
	header = binary.LittleEndian.AppendUint64(header, uint64(len(x.id)))
	header = binary.LittleEndian.AppendUint64(header, uint64(len(x.text)))
	l.Write(header)
	l.Write(x.id)
	_, err := l.Write(x.text)
	return err
}

// read reads the entry at a place, and returns its end. It is good until the
// window is used again.
func (x *entry) read(w *spill.Window, at int64) (end int64, err error) {
	header, err := w.Bytes(at, headerSize)
	if err != nil {
		return 0, err
	}
	x.number, x.flags = binary.LittleEndian.Uint32(header), header[4]
	id, text := int64(binary.LittleEndian.Uint64(header[5:])), int64(binary.LittleEndian.Uint64(header[13:]))
	both, err := w.Bytes(at+headerSize, id+text)
	if err != nil {
		return 0, err
	}
	x.id, x.text = both[:id], both[id:]
	return at + headerSize + id + text, nil
}

// close writes the audit, one object a removed record, in input order.
func (a *audit) close() (err error) {
	if a == nil {
		return nil
	}
	var x entry
	var line []byte
	all, single := a.log.Window(1<<18), a.log.Window(0)
	for at := int64(0); at < a.log.Len(); {
		if at, err = x.read(all, at); err != nil {
			return err
		}
		if x.flags&removed == 0 {
			continue
		}
		if line, err = a.object(line[:0], &x, single); err != nil {
			return err
		}
		a.out.Write(line)
	}
	return a.log.Close()
}
