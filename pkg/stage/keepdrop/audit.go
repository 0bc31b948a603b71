package keepdrop

import (
	"bufio"
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/rule"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
)

// An audit reports each removed record, the reason, and the record that is kept in its place.
// Because the kept record may come later in the input, entries
// are buffered in a log. Only the positions of the kept records' entries are held in memory. A nil
// audit does nothing.
type audit struct {
	list    *list
	field   []byte // names of the text fields; nil if records have no fields
	plainID bool   // ids are ordinals, written as numbers
	short   []byte // the reason given for records with too little text left
	out     *bufio.Writer
	log     spill.Log
	places  map[uint32]int64 // positions of the kept records' entries in the log, by id number
}

// An entry is a record in the log: a header, the id and the text.
type entry struct {
	number   uint32
	flags    byte
	id, text []byte
}

// The flags of an entry.
const (
	listed  byte = 1 << iota // the id is in the list, and number is valid
	removed                  // the record is removed; if not set, the record is only a kept record
	short                    // the record is removed because too little of its text was left
	absent                   // the record is removed because it has no text
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
		plainID: e.Records.ID == "" && !e.Records.WithFilename, short: rule.Left.AppendBelow(nil, o.MinLeft.String()),
	}
	if !e.Records.Lines {
		a.field = []byte(strings.Join(e.Records.Fields, ","))
	}
	return a, nil
}

// addIfNeeded logs a record, or a part of a record, if it is dropped or another record is dropped
// in favour of it.
func (a *audit) addIfNeeded(id, text []byte, number uint32, isListed, drop bool) error {
	if a == nil {
		return nil
	}
	isKept := isListed && a.list.favoured.Has(int64(number))
	if !drop && !isKept {
		return nil
	}
	if isKept {
		a.places[number] = a.log.Len()
	}
	var flags byte
	if isListed {
		flags |= listed
	}
	if drop {
		flags |= removed
	}
	return a.addEntry(id, text, number, flags)
}

// addEntry writes an entry to the log.
func (a *audit) addEntry(id, text []byte, number uint32, flags byte) error {
	if a == nil {
		return nil
	}
	header := binary.LittleEndian.AppendUint32(make([]byte, 0, headerSize), number)
	header = append(header, flags)
	header = binary.LittleEndian.AppendUint64(header, uint64(len(id)))
	header = binary.LittleEndian.AppendUint64(header, uint64(len(text)))
	a.log.Write(header)
	a.log.Write(id)
	_, err := a.log.Write(text)
	return err
}

// read reads the entry at a position in the log and returns the position after it. The entry is
// valid until the window is used again.
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
	x.id, x.text = both[:id:id], both[id:]
	return at + headerSize + id + text, nil
}

// close writes one JSON object per removed record, in input order, and closes the log.
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
		if line, err = a.appendObject(line[:0], &x, single); err != nil {
			return err
		}
		a.out.Write(line)
	}
	return a.log.Close()
}

// appendObject appends the JSON object for an entry. It reads the kept record's entry through the
// window. If there is no kept record, its id, its text and the similarity are null.
func (a *audit) appendObject(dst []byte, x *entry, w *spill.Window) (_ []byte, err error) {
	o := line.Removed{ID: x.id, Numbers: a.plainID, Field: a.field, Value: x.text}
	switch {
	case x.flags&short != 0:
		o.Reason = a.short
	case x.flags&absent != 0:
		o.Value, o.Reason = nil, rule.Missing.Append(nil)
	}
	if x.flags&listed != 0 {
		o.Reason, o.Score = a.list.why.get(x.number)
		if n, ok := a.list.keptOf(x.number); ok {
			// Some reasons state a threshold, as in score>=0.8.
			if b, ok := cell.ParseBound(o.Reason); ok && !math.IsInf(b.Limit, 0) && !math.IsNaN(b.Limit) {
				o.Limit = strconv.AppendFloat(nil, b.Limit, 'g', -1, 64)
			}
			if place, met := a.places[n]; met {
				var kept entry
				_, err = kept.read(w, place)
				o.Kept, o.Matched = kept.id, kept.text
			} else if id := a.list.id(n); !a.list.ordinals || !isOrdinal(id) { // an ordinal does not identify a kept record in another dataset
				o.Kept = id
			}
		}
	}
	return o.Append(dst), err
}

// isOrdinal reports whether an id is an ordinal or names a part of a record whose id is one.
func isOrdinal(id []byte) bool {
	owner, _, _, _ := ids.CutPart(id)
	return cell.IsOrdinal(owner)
}
