package corpus

import (
	"errors"
	"fmt"

	"doppel/pkg/passage"
	"doppel/pkg/record/bitset"
)

// A Batch is a sequence of consecutive records. Texts returns their texts in order; a record
// without text has an empty text. A Finder calls Texts once, from any goroutine, and calls Done
// when it no longer needs the texts.
type Batch interface {
	Texts() ([][]byte, error)
	Done()
}

// A Source starts to read a corpus from its first record. next returns the next batch, or io.EOF
// after the last batch. Every reading must return the same texts, with one exception: the second
// reading may return empty texts for records that are not [Finder.Wanted].
type Source func() (next func() (Batch, error), err error)

// Options are the settings of a Finder: which passages it finds, and which resources it may use.
type Options struct {
	Scheme passage.Scheme
	Rule   passage.Rule
	Mem    int64 // approximate memory to use, in bytes
	Jobs   int   // number of goroutines; values below 1 mean 1

	// Value, if not nil, returns a number that classifies a record, such as the number of its data
	// set. A Finder compares only records with equal values or, if Across is set, only records with
	// different values. Several goroutines may call Value at once. Only Find calls Value, so the
	// values may become known while Scan reads the records.
	Value  func(record int) uint32
	Across bool
}

// Stats counts the work that a Finder has done.
type Stats struct {
	Records, Runs     int64
	Members           int64 // number of runs in groups that may hold a repeated passage
	Bins, Deeper      int   // Bins: number of bins; Deeper: number of bins processed again with a larger window
	Spilled, Repeated int64 // Spilled: total size of the members' texts in bytes; Repeated: number of repeated passages
	Matches           int64 // number of matches of members, before adjacent matches are joined
	Scratch           int64 // total bytes written to disk
}

// A Finder finds the repeated passages of one corpus. The caller fills it with Scan, with Add, or
// with both (see Precede), and then calls Find once.
type Finder struct {
	opt     Options
	runs    *runSorter
	records numbering // of Scan
	ruler   ruler
	members sorter[memberEntry]
	matches sorter[matchEntry]
	bins    *bins
	wanted  bitset.Set // the wanted records
	scanned bool       // whether Scan was called; if so, stats.Records counts all records
	stats   Stats

	expected int64 // estimated number of bytes that spill writes
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
	return &Finder{opt: o, runs: newRunSorter(o.Mem/2, o.Jobs)}, nil
}

// A position packs a record number and the number of a unit in the record's text, 32 bits each.
const posBits = 32

// errTooMany is the error for a corpus that has too many records, too many units in a record, or
// too many bins.
var errTooMany = errors.New("more than 2^32 records, or a record of more than 2^32 units")

func position(record, unit int) uint64 { return uint64(record)<<posBits | uint64(unit) }

func recordOf(pos uint64) int { return int(pos >> posBits) }
func unitOf(pos uint64) int   { return int(pos & (1<<posBits - 1)) }

// The layout of the packed words in runEntry and memberEntry.
const (
	twiceBit  = 1 << 8
	countMask = 1<<8 - 1
	keyShift  = 64 - passage.KeyBits
	binShift  = 44
	maxBins   = 1 << (64 - binShift)
)

// Wanted reports whether the second reading needs the text of a record. Once the second reading has
// begun, several goroutines may call Wanted at once.
func (f *Finder) Wanted(record int) bool { return f.wanted.Has(int64(record)) }

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
