package record

import (
	"fmt"
	"io"
	"os"

	"doppel/pkg/record/dataform"
)

// A Use says what becomes of the records, as far as reading depends on it. A Reader does not know who
// writes its records.
type Use struct {
	Joined  bool                       // the records of all inputs become one output; see Partition
	Objects bool                       // rows of tables become objects, so they must be UTF-8, and their columns have different names
	Check   func(line []byte) error    // checks each line, unless Options.Lines is set; nil if lines are not converted
	Columns func(names []string) error // checks the columns of each table and Parquet file; may be nil
	Learn   func(*Batch)               // receives the batches that the caller passes to Learn; may be nil
}

// SetUse makes the reader ask for the use of the records. It calls choose once, when it knows the kind
// of the inputs, before the first record. If choose returns an error, so
// does Next. SetUse also means that records that Options.Skip excludes may be used.
func (r *Reader) SetUse(choose func(dataform.Kind) (Use, error)) {
	r.choose, r.paths.copied = choose, true
}

// settleUse asks for the use of the records, if it has not been asked for.
func (r *Reader) settleUse() (err error) {
	if r.choose == nil {
		return nil
	}
	r.use, err = r.choose(r.Kind())
	r.choose, r.joins, r.paths.check = nil, r.use.Joined && joins(r.named), r.use.Check
	return err
}

// Learn passes a batch that was read to Use.Learn. The caller passes all batches in reading order,
// each after it has written the kept records of the batch.
func (r *Reader) Learn(b *Batch) {
	if r.use.Learn != nil {
		r.use.Learn(b)
	}
}

// An Opened describes a file, or standard input, that a reader has opened.
type Opened struct {
	Name   string // display name
	First  int64  // ordinal of the input's first record
	Header []byte // the header row of a table, as read
}

// Opened returns the n-th input that was opened, if the records before it have been read. It may be called while another goroutine reads.
func (r *Reader) Opened(n int) (in Opened, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n >= len(r.inputs) || r.inputs[n].First == unknown {
		return Opened{}, false
	}
	return r.inputs[n], true
}

// Count returns the number of records that were read.
func (r *Reader) Count() int64 { return r.ordinal }

// PlainLines reports whether each line is a text that is not parsed.
func (r *Reader) PlainLines() bool { return r.opt.Lines }

// Table returns the table of the inputs, or nil if they are not CSV.
func (r *Reader) Table() *Table { return r.table }

// Files returns the input files of a format that does not consist of lines, for a second pass. They
// stay open. A file of 0 bytes is nil. parts has the fields of directories that the only output has,
// for each file, or is nil.
func (r *Reader) Files() (files []*os.File, parts [][]Partition) {
	if r.joins {
		parts = r.keptParts
	}
	return r.kept, parts
}

// SecondPass adds a second pass over the inputs to the expected total of the meter. It returns a
// function that sets the finished share of that pass, from 0 to 1.
func (r *Reader) SecondPass() func(share float64) {
	pass, in := new(passMeter), r.in
	if m := in.Meter; m != nil {
		_, before, _ := m.Far()
		if in.Names = r.named; m.Expect(&in) {
			_, after, _ := m.Far()
			pass.meter, pass.size = m, after-before
		}
	}
	return pass.setShare
}

// Preflight opens and closes every input, to find faults before the run. If check is not nil,
// Preflight also reads the first batch of each input of lines, and calls check with its first record,
// undecoded. It ignores other faults of the batch, which the run reports.
func (r *Reader) Preflight(check func(*Record) error) error {
	for {
		if err := r.open(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var err error
		if check != nil && r.format == nil {
			err = r.checkFirst(check)
		}
		if cerr := r.source.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
}

// checkFirst checks the first record of the open input, or the columns of a table.
func (r *Reader) checkFirst(check func(*Record) error) error {
	var b Batch
	err := r.source.Next(&b)
	b.load()
	switch {
	case r.table != nil:
		if err := r.checkColumns(r.table.names); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	case err == nil && len(b.Records) > 0:
		return check(&Record{Name: r.name, Line: 1, Raw: b.Records[0].Raw})
	}
	return nil
}

func (r *Reader) checkColumns(names []string) error {
	if r.use.Columns == nil {
		return nil
	}
	return r.use.Columns(names)
}
