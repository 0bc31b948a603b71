package audit

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
)

// A Part is a record, or a byte range of its text.
type Part struct {
	Record     int64 // ordinal of the record among all records
	Start, End int   // byte range in the text; End is Whole if the part is the whole text
}

// Whole is the End of a part that is the whole text of a record.
const Whole = -1

// Of returns the bytes of the part, given the text of the record; ok is false if the text is too
// short.
func (p Part) Of(body []byte) (part []byte, ok bool) {
	if p.End == Whole {
		return body, true
	}
	if p.End > len(body) || p.Start > p.End {
		return nil, false
	}
	return body[p.Start:p.End], true
}

// Compare orders parts by record, then by start, then by end.
func (p Part) Compare(q Part) int {
	return cmp.Or(cmp.Compare(p.Record, q.Record), cmp.Compare(p.Start, q.Start), cmp.Compare(p.End, q.End))
}

// A Rule selects the comparison that checks a claim.
type Rule byte

// The rules.
const (
	Similar   Rule = iota // the shingles have the claimed similarity
	Equal                 // the normalised texts are equal
	Identical             // the bytes are equal
)

// A Claim is what one line of a file of pairs or decisions states about two parts.
type Claim struct {
	Later, Earlier Part   // the two parts, ordered by Part.Compare
	Line           int64  // number of the line, from 1
	Score          int    // the claimed score, in units of 1/One
	Drops          bool   // true if one part is dropped in favour of the other; Checker.Threshold then applies
	Swapped        bool   // true if the line names the earlier part first
	Rule           Rule   // the comparison that checks the claim
	Sizes          *Sizes // sizes and containments; nil if the line does not state them
}

// Sizes contains the set sizes and the containments in a line of scores.
type Sizes struct {
	A, B           int
	ShareA, ShareB float64 // the fraction of each set that is shared
}

// A Checker checks claims by comparing the prints that a [Printer] makes of the two parts. Each
// goroutine needs its own.
type Checker struct {
	Threshold float64
	Across    bool // true if each print ends with the hash of the record's value; equal values are then a fault
	table     table
	later     []uint64 // print of the later part; loaded into table when needed
}

// Later sets the print of the later part for the following calls of Check.
func (k *Checker) Later(made []uint64) { k.later, k.table.slots = made, k.table.slots[:0] }

// Check compares a claim with the prints of its two parts. It returns a description of the
// fault, or "" if the claim is true.
func (k *Checker) Check(c *Claim, earlier []uint64) string {
	later := k.later
	if k.Across {
		n, m := len(later)-1, len(earlier)-1
		if later[n] == earlier[m] {
			return "has the same value as"
		}
		later, earlier = later[:n], earlier[:m]
	}
	if c.Rule != Similar {
		switch {
		case !slices.Equal(later, earlier):
			return "is not equal to"
		case c.Score != One:
			return fmt.Sprintf("is scored %s, and is equal to", decimal(c.Score))
		}
		return ""
	}
	if len(k.table.slots) == 0 {
		k.table.load(later)
	}
	l := k.table.likeness(len(later), earlier)
	switch {
	case c.Drops && !l.Reaches(k.Threshold):
		return fmt.Sprintf("has the similarity %s, which is below the threshold, to", decimal(l.Score()))
	case c.Score != l.Score():
		return fmt.Sprintf("is scored %s, and has the similarity %s, to", decimal(c.Score), decimal(l.Score()))
	case c.Sizes == nil:
		return ""
	}
	a, b := len(later), len(earlier)
	if c.Swapped {
		a, b = b, a
	}
	near := func(share float64, n int) bool { // reports whether share is correct to within one unit of its last decimal
		want := 0.0
		if n > 0 {
			want = float64(l.Shared) / float64(n)
		}
		return max(share-want, want-share) < 1.0/One
	}
	if s := c.Sizes; s.A != a || s.B != b || !near(s.ShareA, a) || !near(s.ShareB, b) {
		return "has sizes or containments that differ from the line, compared to"
	}
	return ""
}

func decimal(score int) string { return fmt.Sprintf("%d.%04d", score/One, score%One) }

// Claims contains claims in an order that lets the caller check them in one pass over the records.
// The caller keeps the print of an earlier part until the later part is read.
type Claims struct {
	All   []Claim
	Needs []Need // the earlier part and the rule of each claim, sorted and without repeats
}

// A Need is the earlier part of a claim, and the rule that checks the claim.
type Need struct {
	Part
	Rule Rule
}

// Compare orders needs by part, then by rule.
func (n Need) Compare(m Need) int { return cmp.Or(n.Part.Compare(m.Part), cmp.Compare(n.Rule, m.Rule)) }

// Arrange sorts All and computes Needs. It must be called after all claims have been added.
func (c *Claims) Arrange() {
	slices.SortFunc(c.All, func(a, b Claim) int {
		return cmp.Or(a.Later.Compare(b.Later), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Line, b.Line))
	})
	c.Needs = c.Needs[:0]
	for i := range c.All {
		c.Needs = append(c.Needs, Need{c.All[i].Earlier, c.All[i].Rule})
	}
	slices.SortFunc(c.Needs, Need.Compare)
	c.Needs = slices.Compact(c.Needs)
}

// Wanted reports whether a record is needed to check any claim.
func (c *Claims) Wanted(record int64) bool {
	a, b := c.NeedsOf(record)
	later, end := c.Of(record)
	return a < b || later < end
}

// NeedsOf returns the bounds of c.Needs[start:end], the needs for parts of a record.
func (c *Claims) NeedsOf(record int64) (start, end int) {
	start = sort.Search(len(c.Needs), func(i int) bool { return c.Needs[i].Record >= record })
	for end = start; end < len(c.Needs) && c.Needs[end].Record == record; {
		end++
	}
	return start, end
}

// Of returns the bounds of c.All[start:end], the claims whose later part belongs to a record.
func (c *Claims) Of(record int64) (start, end int) {
	start = sort.Search(len(c.All), func(i int) bool { return c.All[i].Later.Record >= record })
	for end = start; end < len(c.All) && c.All[end].Later.Record == record; {
		end++
	}
	return start, end
}

// Number returns the index of a claim's Need in c.Needs.
func (c *Claims) Number(one *Claim) int {
	n, _ := slices.BinarySearchFunc(c.Needs, Need{one.Earlier, one.Rule}, Need.Compare)
	return n
}
