package audit

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"path/filepath"
	"slices"

	"doppel/pkg/audit"
	"doppel/pkg/line/ids"
)

// A ledger holds the decisions on records, in one or two bits per record. Depending on the form of
// the ids, decisions name a record by its ordinal in the whole input or in its file.
type ledger struct {
	all   *space            // all input records; an id without a file name is an ordinal of these
	files map[string]*space // input files by name; ids of the form file:ordinal refer to records in these or in old files
	old   map[string]*space // files of old records by name
	cuts  []cut             // dropped parts, sorted

	// With ids other than file:ordinal, old records are named by the hash of their id.
	seed  maphash.Seed
	named map[uint64]ref

	collected *collected // with a collection, all ids but ordinals are those of its records

	favours map[[2]int64]int64 // number of records dropped in favour of a record, by its space.order and ordinal
}

// A space is a sequence of records that are numbered from 0.
type space struct {
	name            string
	order           int // number that identifies the space
	old             bool
	byID            bool   // ids of the form file:ordinal do not name the records
	hashed          bool   // the records are known by the hashes of a collection
	bare            bool   // the records are known only by signatures, so their texts cannot be checked
	listed, dropped sparse // listed: records with a decision; dropped: dropped records
	first, records  int64  // first: number of the first record, counting old records before new ones; records: number of records
}

// A ref is a reference to a record or to a part of a record.
type ref struct {
	*space
	ordinal    int64
	start, end int // range of the part in bytes; end is audit.Whole for a whole record
}

// A cut is a part of a record that is dropped.
type cut struct {
	space, start, end int
	ordinal           int64
	copied            bool // the part is dropped as a copy of another part
}

func (c cut) compare(d cut) int {
	return cmp.Or(cmp.Compare(c.space, d.space), cmp.Compare(c.ordinal, d.ordinal), cmp.Compare(c.start, d.start), cmp.Compare(c.end, d.end))
}

func newLedger(inputs, against []string) *ledger {
	l := &ledger{
		all: &space{}, files: map[string]*space{}, old: map[string]*space{}, favours: map[[2]int64]int64{},
		seed: maphash.MakeSeed(), named: map[uint64]ref{},
	}
	for i, name := range inputs {
		l.files[filepath.Clean(name)] = &space{name: filepath.Clean(name), order: 1 + i}
	}
	for i, name := range against {
		l.old[filepath.Clean(name)] = &space{name: filepath.Clean(name), order: 1 + len(inputs) + i, old: true}
	}
	return l
}

// resolve returns the record or part that an id names. ok is false if the id is malformed or names
// an unknown file; resolve does not check that the record exists.
func (l *ledger) resolve(id []byte) (r ref, ok bool) {
	r.end = audit.Whole
	if old, ok := l.named[maphash.Bytes(l.seed, id)]; ok { // a saved hash may have the id of a part
		r.space, r.ordinal = old.space, old.ordinal
		return r, true
	}
	if of, start, end, isPart := ids.CutPart(id); isPart {
		id, r.start, r.end = of, start, end
	}
	if old, ok := l.named[maphash.Bytes(l.seed, id)]; ok {
		r.space, r.ordinal = old.space, old.ordinal
		return r, true
	}
	if r.ordinal, ok = ids.Ordinal(id); ok {
		r.space = l.all
		return r, true
	}
	if l.collected != nil {
		r.space, r.ordinal = l.collected.space, 0
		return r, l.collected.changed
	}
	colon := bytes.LastIndexByte(id, ':')
	if colon < 0 {
		return r, false
	}
	if r.ordinal, ok = ids.Ordinal(id[colon+1:]); !ok {
		return r, false
	}
	name := filepath.Clean(string(id[:colon]))
	if r.space, ok = l.old[name]; !ok {
		r.space, ok = l.files[name]
	}
	return r, ok && !r.byID && !r.bare
}

// cutsOf returns the dropped parts of a record.
func (l *ledger) cutsOf(s *space, ordinal int64) []cut {
	first, _ := slices.BinarySearchFunc(l.cuts, cut{space: s.order, ordinal: ordinal}, cut.compare)
	end := first
	for end < len(l.cuts) && l.cuts[end].space == s.order && l.cuts[end].ordinal == ordinal {
		end++
	}
	return l.cuts[first:end]
}

// sparse is a set of numbers, stored as bitmaps of 64 neighbouring numbers, so that even a very large
// wrong ordinal takes only the memory of one bitmap.
type sparse map[int64]uint64

// add adds a number and reports whether it is new.
func (s *sparse) add(n int64) bool {
	if s.has(n) {
		return false
	}
	if *s == nil {
		*s = sparse{}
	}
	(*s)[n>>6] |= 1 << (n & 63)
	return true
}

func (s sparse) has(n int64) bool { return s[n>>6]>>(n&63)&1 != 0 }
