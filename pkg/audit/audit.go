// Package audit checks the results of a deduplication run, with independent code. Each record of
// the input must be dropped or be in the output, unchanged and in order. The texts of a dropped
// record and of its kept record must be as similar as the decision says.
//
// The audited programs find shingles with lookup tables and assembly (package text). This package
// uses neither, because the tests of package text could miss two faults that cancel out. It finds
// words by the categories of package unicode, forms a shingle by joining the bytes of its words
// with spaces, compares sets with a hash table, and tests equality with SHA-256. Whether a record is
// unchanged in the output, it tests with random 64-bit hashes of their bytes.
//
// On one core of a busy virtual machine, this package finds the shingles of English text at 290
// MB/s (go test -bench Shingles ./pkg/audit).
package audit

import "fmt"

// A Fault describes an error that an audit found in a file.
type Fault struct {
	Name   string // name of the file with the fault
	Line   int64  // number of the line in that file, from 1; 0 if there is no particular line
	Record int64  // ordinal of the record, from 0; -1 if there is no particular record
	What   string // description of the fault
}

// String returns the fault as one line, without its newline.
func (f Fault) String() string {
	s := f.Name
	if f.Line > 0 {
		s += fmt.Sprintf(":%d", f.Line)
	}
	s += ": "
	if f.Record >= 0 {
		s += fmt.Sprintf("record %d ", f.Record)
	}
	return s + f.What
}
