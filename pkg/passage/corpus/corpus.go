package corpus

import (
	"errors"
	"fmt"

	"doppel/pkg/passage"
)

// A Batch is a batch of records. Texts returns their texts in order, "" for a record without
// text; it is called once, by any goroutine. Done is called when the texts are not needed any
// more.
type Batch interface {
	Texts() ([][]byte, error)
	Done()
}

// A Source reads a corpus from its start at each call: next returns io.EOF after the last
// batch. Each reading must give the same texts; the second may return empty texts for records
// that are not [Finder.Wanted].
type Source func() (next func() (Batch, error), err error)

// Options say which passages to find, and with which resources.
type Options struct {
	Scheme passage.Scheme
	Rule   passage.Rule
	Mem    int64 // bytes to hold, about
	Jobs   int   // goroutines

	// Value, if not nil, returns the value of a record that was read. Only records with equal
	// values are compared, or, with Across, only records with different values. Several goroutines
	// may call it.
	Value  func(record int) uint32
	Across bool
}

// Stats count the work done.
type Stats struct {
	Records, Runs     int64
	Members           int64 // runs with a key that occurs more than once
	Bins, Deeper      int   // Deeper counts groups that were too large for memory
	Spilled, Repeated int64 // bytes of texts of members; repeated passages
	Matches           int64 // found in members, before they are joined
	Scratch           int64 // bytes written to disk in all
}

// A Finder finds the repeated passages of a corpus. Scan or Add, or both (Precede), fill it
// once; Find is called once.
type Finder struct {
	opt     Options
	runs    sorter[runEntry]
	ruler   ruler
	members sorter[memberEntry]
	matches sorter[matchEntry]
	bins    *bins
	wanted  []uint64 // a bit a record
	scanned bool     // Records is the number of all records
	stats   Stats
}

// New returns a Finder, or an error if the options are not valid.
func New(o Options) (*Finder, error) {
	if err := o.Scheme.Check(); err != nil {
		return nil, err
	}
	if o.Rule.Copies < 1 {
		return nil, fmt.Errorf("copies %d: want 1 or more", o.Rule.Copies)
	}
	if o.Across && (o.Value == nil || o.Rule != passage.Rule{Keep: passage.KeepFirst, Copies: 1}) {
		return nil, errors.New("comparing records with different values needs a rule that keeps the first copy")
	}
	o.Jobs = max(o.Jobs, 1)
	return &Finder{opt: o, runs: newSorter[runEntry](keyParts, o.Mem/2)}, nil
}

// A position is the number of a record and of a unit of its text, 32 bits each.
const posBits = 32

// errTooMany is the error beyond the limits of positions.
var errTooMany = errors.New("more than 2^32 records, or a record of more than 2^32 units")

func position(record, unit int) uint64 { return uint64(record)<<posBits | uint64(unit) }

func recordOf(pos uint64) int { return int(pos >> posBits) }
func unitOf(pos uint64) int   { return int(pos & (1<<posBits - 1)) }

// The bits below the key of a run, and above the count of a member.
const (
	twiceBit  = 1 << 8
	countMask = 1<<8 - 1
	keyShift  = 64 - passage.KeyBits
	binShift  = 44
	maxBins   = 1 << (64 - binShift)
)

// Wanted reports whether the second reading needs the text of a record. Several goroutines may
// call it once that reading has begun.
func (f *Finder) Wanted(record int) bool {
	return record>>6 < len(f.wanted) && f.wanted[record>>6]>>(record&63)&1 != 0
}

// Stats returns the counts so far.
func (f *Finder) Stats() Stats { return f.stats }

// Close closes all scratch files.
func (f *Finder) Close() error {
	return errors.Join(f.runs.release(), f.members.release(), f.matches.release(), f.closeBins())
}

func (f *Finder) closeBins() error {
	if f.bins == nil {
		return nil
	}
	b := f.bins
	f.bins = nil
	return b.file.Close()
}
