// Package audit checks a finished deduplication run with independent code: each record of
// the input must be in the output, byte for byte and in order, or dropped; and the texts of
// a dropped record and of its kept record must be as similar as the decision says.
//
// A run counts shingles with tables and assembly (packages text and jaccard), and two faults
// that cancel out would pass its own tests. So this package shares no code with it: it finds
// words by the categories of package unicode, a shingle is the bytes of its words joined by
// spaces, sets are hash tables, and equality is tested with SHA-256.
//
// Cost on one core of a shared, busy virtual machine: shingle sets of English text at 290 MB/s
// (go test -bench Shingles ./pkg/audit).
package audit

import "fmt"

// A Fault is one finding of an audit.
type Fault struct {
	Name   string // of the file with the fault
	Line   int64  // from 1, in that file; 0: no particular line
	Record int64  // the ordinal of the record, or -1
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
