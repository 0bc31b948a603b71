package overlap

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"

	"doppel/pkg/spill"
)

// A Tally counts the records that contain each window, and then finds which items each record
// overlaps. It is not safe for concurrent use.
type Tally struct {
	index  *Index
	df     []uint32 // number of records that contain each window
	shared []bool   // for each window, whether too many test items contain it
	log    spill.Log
	line   []byte

	scored []uint32 // for each field, the number of its windows that are not common
	best   []best
	last   *Record // latest record that BestRecord read
}

// best holds the results of [Tally.Each] for a field, which are complete when the call returns.
type best struct {
	Matched uint32 // greatest number of the field's windows in a single record
	Records uint32 // number of records that cover at least Options.Coverage of the field
	at      int64  // log position of the first record that has Matched windows of the field
}

// A Record is a training record, with its hits.
type Record struct {
	ID   []byte
	Size int    // size of the record's text, in bytes
	Text []byte // a part of the record's text to store, or nil
	From int    // offset of Text in the record's text
	Hits []Hit  // in text order; if the record was read from the log, without the hits of common windows
	at   int64
	set  []uint32 // distinct windows of Hits in ascending order, computed on demand
}

// A Match reports that a record has windows of a field of a test item.
type Match struct {
	Field    int
	Matched  uint32
	Coverage float64
}

// NewTally returns an empty tally for the windows of the index. The caller must close it.
func (x *Index) NewTally() *Tally {
	n := x.Windows()
	t := &Tally{index: x, df: make([]uint32, n), shared: make([]bool, n)}
	if x.opt.TestDF > 0 {
		for i, m := range x.more {
			if i == 0 || x.more[i-1].window != m.window {
				t.shared[m.window] = x.InItems(int(m.window)) > x.opt.TestDF
			}
		}
	}
	return t
}

// Add adds a record with all its hits. It does not retain the slices of r.
func (t *Tally) Add(r Record) error {
	if len(r.Hits) == 0 {
		return nil
	}
	for _, w := range distinct(r.Hits) {
		t.AddCount(int(w), 1)
	}
	n := 0
	for _, h := range r.Hits {
		if !t.Common(int(h.Window)) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	b := append(t.line[:0], 0, 0, 0, 0, 0, 0, 0, 0)
	b = appendBytes(b, r.ID)
	b = binary.AppendUvarint(b, uint64(r.Size))
	b = appendBytes(b, r.Text)
	b = binary.AppendUvarint(b, uint64(r.From))
	b = binary.AppendUvarint(b, uint64(n))
	for _, h := range r.Hits {
		if !t.Common(int(h.Window)) {
			b = binary.AppendUvarint(b, uint64(h.Window))
			b = binary.AppendUvarint(b, uint64(h.Start))
			b = binary.AppendUvarint(b, uint64(h.End-h.Start))
		}
	}
	binary.LittleEndian.PutUint64(b, uint64(len(b)-8))
	t.line = b
	_, err := t.log.Write(b)
	return err
}

// AddCount adds n to the number of records that contain a window. The number does not grow beyond
// 2^32-1.
func (t *Tally) AddCount(window int, n int64) {
	t.df[window] = uint32(min(int64(t.df[window])+n, math.MaxUint32))
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// Common reports whether a window is in too many test items, or in too many of the records
// added so far.
func (t *Tally) Common(window int) bool {
	return t.shared[window] || t.index.opt.DF > 0 && int64(t.df[window]) > int64(t.index.opt.DF)
}

// InRecords returns the number of records that contain a window.
func (t *Tally) InRecords(window int) int64 { return int64(t.df[window]) }

// Each calls fn with every record that contains a window that is not common, in the order in which
// the records were added, and with the matches of the record, in no particular order. Both
// arguments are valid only until fn returns. Call Each once, after all calls of Add and before
// [Tally.Best].
func (t *Tally) Each(fn func(r *Record, matches []Match) error) error {
	x := t.index
	fields := x.Len()
	t.scored, t.best = make([]uint32, fields), make([]best, fields)
	counts := make([]uint32, fields) // for each field, the number of its windows in the current record
	for w := range t.df {
		if !t.Common(w) {
			x.eachPosition(w, func(at int) { t.scored[x.fieldAt(at)]++ })
		}
	}
	var matches []Match
	return t.Records(func(r *Record) error {
		matches = matches[:0]
		for _, w := range distinct(r.Hits) {
			x.eachPosition(int(w), func(at int) {
				f := x.fieldAt(at)
				if counts[f]++; counts[f] == 1 {
					matches = append(matches, Match{Field: f})
				}
			})
		}
		for i := range matches {
			m := &matches[i]
			m.Matched = counts[m.Field]
			m.Coverage = t.coverage(m.Field, m.Matched)
			counts[m.Field] = 0
			b := &t.best[m.Field]
			if m.Matched > b.Matched {
				b.Matched, b.at = m.Matched, r.at
			}
			if m.Coverage >= x.opt.Coverage {
				b.Records++
			}
		}
		return fn(r, matches)
	})
}

// Records calls fn with every record that contains a window that is not common, in the order in
// which the records were added. Call Records after the last Add. The record is valid only until fn
// returns.
func (t *Tally) Records(fn func(*Record) error) error {
	in := bufio.NewReaderSize(io.NewSectionReader(&t.log, 0, t.log.Len()), 1<<16)
	for at := int64(0); at < t.log.Len(); {
		r, n, err := t.readRecord(in, at)
		if err == nil && len(r.Hits) > 0 {
			err = fn(r)
		}
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

func (t *Tally) coverage(field int, matched uint32) float64 {
	if t.scored[field] == 0 {
		return 0
	}
	return float64(matched) / float64(t.scored[field])
}

// Best returns the results of [Tally.Each] for a field: the number of its windows that are not
// common, the greatest share of these windows that a single record contains, and the number of
// records that contain a share of at least Options.Coverage.
func (t *Tally) Best(field int) (scored int, coverage float64, records int) {
	b := t.best[field]
	return int(t.scored[field]), t.coverage(field, b.Matched), int(b.Records)
}

// Contaminated reports whether some record covers at least Options.Coverage of a field.
func (t *Tally) Contaminated(field int) bool { return t.best[field].Records > 0 }

// BestRecord returns the record that contains the most windows of a field, or nil if no record
// contains any. The record is valid until the next call. If successive calls need the same record,
// BestRecord reads it only once.
func (t *Tally) BestRecord(field int) (*Record, error) {
	b := t.best[field]
	if b.Matched == 0 {
		return nil, nil
	}
	if t.last != nil && t.last.at == b.at {
		return t.last, nil
	}
	var err error
	t.last, _, err = t.readRecord(bufio.NewReader(io.NewSectionReader(&t.log, b.at, math.MaxInt64-b.at)), b.at)
	return t.last, err
}

// BestID returns the id of the record that [Tally.BestRecord] returns. It does not read the rest of
// the record.
func (t *Tally) BestID(field int) ([]byte, error) {
	b := t.best[field]
	if b.Matched == 0 {
		return nil, nil
	}
	in := bufio.NewReaderSize(io.NewSectionReader(&t.log, b.at+headBytes, math.MaxInt64-b.at-headBytes), 64)
	n, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, err
	}
	id := make([]byte, n)
	_, err = io.ReadFull(in, id)
	return id, err
}

// headBytes is the size of the length field before each record in the log.
const headBytes = 8

// readRecord reads the record at a position of the log. It returns the record and its size in the
// log, in bytes.
func (t *Tally) readRecord(in *bufio.Reader, at int64) (*Record, int64, error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, 0, err
	}
	b := make([]byte, binary.LittleEndian.Uint64(head[:]))
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, 0, err
	}
	size := int64(len(head) + len(b))
	number := func() int {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return int(v)
	}
	piece := func() []byte {
		n := number()
		p := b[:n:n]
		b = b[n:]
		return p
	}
	r := &Record{ID: piece(), Size: number(), Text: piece(), From: number(), at: at}
	for range number() {
		h := Hit{Window: uint32(number()), Start: number()}
		h.End = h.Start + number()
		if !t.Common(int(h.Window)) {
			r.Hits = append(r.Hits, h)
		}
	}
	return r, size, nil
}

// Of returns the hits of r whose windows occur in at least one wanted field.
func (t *Tally) Of(r *Record, wanted func(field int) bool) (hits []Hit) {
	for _, h := range r.Hits {
		in := false
		t.index.eachPosition(int(h.Window), func(at int) { in = in || wanted(t.index.fieldAt(at)) })
		if in {
			hits = append(hits, h)
		}
	}
	return hits
}

// Close closes the scratch file of the log. This frees the disk space of the file.
func (t *Tally) Close() error { return t.log.Close() }
