// Package dupid detects duplicate ids. It stores where each record is, so that an error can name
// the positions of both records.
package dupid

import (
	"bytes"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/record"
)

// A Place is the position of a record: the number of its file, from 1, and its line in the file,
// packed into 64 bits. The zero value is not a valid place.
type Place uint64

const lineBits = 44

// Files maps file numbers to file names.
type Files struct{ names []string }

// Of returns the place of a record.
func (f *Files) Of(rec *record.Record) Place {
	if n := len(f.names); n == 0 || f.names[n-1] != rec.Name {
		f.names = append(f.names, rec.Name)
	}
	return Place(len(f.names))<<lineBits | Place(rec.Line)
}

type clash struct{ error }

func (c clash) Unwrap() error { return c.error }

// Hint says how to get unique ids.
func (clash) Hint() string { return "without --id, ids are unique: ordinals, or with -H file:ordinal" }

// Clash returns the error for a record whose id is already the id of the record at the given place.
func (f *Files) Clash(rec *record.Record, first Place) error {
	// With record.Options.IDAfterNUL, a NUL takes the place of a colon.
	err := fmt.Errorf("duplicate id %q: also the id of %s:%d", bytes.Replace(rec.ID, []byte{0}, []byte{':'}, 1), f.names[first>>lineBits-1], first&(1<<lineBits-1))
	return clash{rec.At(err)}
}

// Numbered holds the places of numbered ids, 8 bytes each. A nil Numbered records nothing.
type Numbered struct {
	files Files
	all   []Place // indexed by an id's number; 0 if no record has had that id
}

// NewNumbered returns a Numbered for the ids with the numbers 0 to n-1.
func NewNumbered(n int) *Numbered { return &Numbered{all: make([]Place, n)} }

// Note records the place of rec, whose id has the number n. If an earlier record had the same id,
// Note returns an error with both places.
func (p *Numbered) Note(n uint32, rec *record.Record) error {
	if p == nil {
		return nil
	}
	if first := p.all[n]; first != 0 {
		return p.files.Clash(rec, first)
	}
	p.all[n] = p.files.Of(rec)
	return nil
}

// A Table records the places of ids, within a memory limit. It has slots of 16 bytes and fills at
// most three quarters of them. When the table is full, Note looks up further ids but does not
// record them. The table compares ids by a 64-bit hash. The probability that two of ten million
// distinct ids have the same hash is 3 in a million.
type Table struct {
	Files
	slots    []slot
	n        int
	maxSlots int // largest len(slots) that the memory limit allows
}

type slot struct {
	hash  uint64
	place Place
}

const slotBytes = 16

// smallest is the initial number of slots.
const smallest = 1 << 10

// NewTable returns a table that uses at most mem bytes, or 16 KiB if that is more.
func NewTable(mem int64) *Table {
	t := &Table{maxSlots: smallest}
	// While the table grows, it holds the old slots and twice as many new ones, which takes 3/2
	// times the memory of the new ones.
	for int64(2*t.maxSlots)*slotBytes*3/2 <= mem {
		t.maxSlots *= 2
	}
	return t
}

// Note records the place of rec. If an earlier record had the same id, Note returns an error with
// both places.
func (t *Table) Note(rec *record.Record) error {
	if 4*t.n >= 3*len(t.slots) {
		if size := max(smallest, 2*len(t.slots)); size <= t.maxSlots {
			old := t.slots
			t.slots = make([]slot, size)
			for _, s := range old {
				if s.place != 0 {
					t.slots[t.find(s.hash)] = s
				}
			}
		}
	}
	h := xxhash.Sum64(rec.ID)
	at := t.find(h)
	if first := t.slots[at].place; first != 0 {
		return t.Clash(rec, first)
	}
	if 4*t.n < 3*len(t.slots) {
		t.slots[at] = slot{h, t.Of(rec)}
		t.n++
	}
	return nil
}

// Full reports whether the table is full. A full table records no further ids.
func (t *Table) Full() bool { return 2*len(t.slots) > t.maxSlots && 4*t.n >= 3*len(t.slots) }

// Len returns the number of recorded ids.
func (t *Table) Len() int { return t.n }

// find returns the slot of a hash, or the free slot for it.
func (t *Table) find(h uint64) int {
	mask := len(t.slots) - 1
	at := int(h) & mask
	for t.slots[at].place != 0 && t.slots[at].hash != h {
		at = (at + 1) & mask
	}
	return at
}
