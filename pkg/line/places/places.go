// Package places notes where the records of a run stand, so that one id that two
// of them have can be told with both places.
package places

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/record"
)

// A Place is that of a record in a word: the number of its file from 1, and its
// line in that. The zero value is no place.
type Place uint64

const lineBits = 44

// Files are the names that places have by number.
type Files struct{ names []string }

// Of returns the place of a record.
func (f *Files) Of(rec *record.Record) Place {
	if n := len(f.names); n == 0 || f.names[n-1] != rec.Name {
		f.names = append(f.names, rec.Name)
	}
	return Place(len(f.names))<<lineBits | Place(rec.Line)
}

// A clash is the error of an id that two records have.
type clash struct{ error }

// Unwrap returns what is said of it.
func (c clash) Unwrap() error { return c.error }

// Hint says what helps.
func (clash) Hint() string { return "ids that do not repeat are ordinals, or with -H file:ordinal" }

// Clash returns the error of a record whose id the record in another place has.
func (f *Files) Clash(rec *record.Record, first Place) error {
	err := fmt.Errorf("id %q is that of %s:%d, too", rec.ID, f.names[first>>lineBits-1], first&(1<<lineBits-1))
	return clash{rec.At(err)}
}

// Numbered are the places of ids that have numbers, at 8 bytes each. A nil one notes
// nothing.
type Numbered struct {
	files Files
	all   []Place // by number
}

// NewNumbered returns the places of n ids.
func NewNumbered(n int) *Numbered { return &Numbered{all: make([]Place, n)} }

// Note notes where the record stands whose id has a number. If another one had that id
// before it returns an error that names both places.
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

// A Table notes the places of ids. It holds 16 bytes an id in a table that is half
// to three quarters full, and never takes more memory than it may: when that is
// full, ids that come then are looked up, but not noted. Ids are told apart by 64
// bits of their hash, so that among ten million different ones two are taken for
// one with a probability of 3 in a million.
type Table struct {
	Files
	slots []slot
	n     int
	most  int // slots
}

type slot struct {
	hash  uint64
	place Place
}

const slotBytes = 16

// smallest is how many slots a table begins with.
const smallest = 1 << 10

// NewTable returns a table that takes at most mem bytes, but never less than 16 KiB.
func NewTable(mem int64) *Table {
	t := &Table{most: smallest}
	for int64(2*t.most)*slotBytes*3/2 <= mem { // while it grows there are two
		t.most *= 2
	}
	return t
}

// Note notes where the record with an id stands. If another one had that id before
// it returns an error that names both places.
func (t *Table) Note(rec *record.Record) error {
	if 4*t.n >= 3*len(t.slots) {
		if size := max(smallest, 2*len(t.slots)); size <= t.most {
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

// Full reports whether ids that come are noted no more.
func (t *Table) Full() bool { return 2*len(t.slots) > t.most && 4*t.n >= 3*len(t.slots) }

// Len returns how many ids are noted.
func (t *Table) Len() int { return t.n }

// find returns the slot of a hash, or the free one where it belongs.
func (t *Table) find(h uint64) int {
	mask := len(t.slots) - 1
	at := int(h) & mask
	for t.slots[at].place != 0 && t.slots[at].hash != h {
		at = (at + 1) & mask
	}
	return at
}
