// Package rule lists the rules that decisions state as their reason.
package rule

import (
	"bytes"

	"doppel/pkg/line/cell"
)

// A Rule is a rule by which a record is kept or dropped. In a decision it is its name or, if it
// compares a value with a limit, a bound such as score>=0.8.
type Rule struct {
	Name   string
	Of     string // command of doppel whose decisions doppel audit checks by this rule, or ""
	Copied bool   // a decision to drop says that the record or part is like another one
	Part   bool   // the rule drops parts of records
}

// The rules. recfilter has further ones, whose names are those of its metrics.
var (
	Best      = Rule{Name: "best"} // of similar records, the one that is kept
	Duplicate = Rule{Name: "duplicate", Of: "exact", Copied: true}
	Score     = Rule{Name: "score", Of: "fuzzy", Copied: true}                  // limit: lowest similarity
	Seen      = Rule{Name: "seen", Of: "exact"}                                 // limit: lowest number of copies
	Passage   = Rule{Name: "passage", Of: "passages", Copied: true, Part: true} // limit: lowest length in bytes
	Words     = Rule{Name: "words", Of: "passages", Copied: true, Part: true}   // limit: lowest length in words
	Bridge    = Rule{Name: "bridge", Of: "passages", Part: true}                // limit: lowest share that is repeated
	Left      = Rule{Name: "left", Of: "passages"}                              // limit: lowest length, or share in %, of the text that is left
	Overlap   = Rule{Name: "overlap"}                                           // limit: lowest share of a test item
	Missing   = Rule{Name: "missing"}                                           // the record has no text
	Same      = Rule{Name: "same"}                                              // judged by a person
	Distinct  = Rule{Name: "distinct"}
	Neither   = Rule{Name: "neither"}
)

var byName = map[string]Rule{}

func init() {
	for _, r := range []Rule{Best, Duplicate, Score, Seen, Passage, Words, Bridge, Left, Overlap, Missing, Same, Distinct, Neither} {
		byName[r.Name] = r
	}
}

// Find returns the rule that a reason states, and its limit. If the rule is not in the list, only
// its name is set: it is the whole reason if this is not a bound.
func Find(reason []byte) (r Rule, limit float64) {
	reason, _, _ = bytes.Cut(reason, []byte{','})
	bound, ok := cell.ParseBound(bytes.TrimSuffix(reason, []byte{'%'})) // as in left<20%
	if !ok {
		bound.Name = string(reason)
	}
	if r, ok = byName[bound.Name]; !ok {
		r.Name = bound.Name
	}
	return r, bound.Limit
}

// Append appends the name of the rule to dst.
func (r Rule) Append(dst []byte) []byte { return append(dst, r.Name...) }

// AppendLeast appends the rule with its lowest value to dst, as in score>=0.8.
func (r Rule) AppendLeast(dst []byte, least float64) []byte {
	return cell.Bound{Name: r.Name, Op: ">=", Limit: least}.Append(dst)
}

// AppendBelow appends the rule with its upper limit to dst, as in left<20%.
func (r Rule) AppendBelow(dst []byte, limit string) []byte {
	return append(append(append(dst, r.Name...), '<'), limit...)
}
