package passage

// A Repeat says that Count passages of a record, one starting at each unit
// from Start on, equal those of the record From that start from FromStart on.
// So its text, End(L)-Start units, equals text there. It is maximal: the
// passage before it and that after it are not repeated, or have evidence that
// stands elsewhere. What repeats a corpus has does not depend on the window.
type Repeat struct {
	Record, From     int
	Start, FromStart int
	Count            int
	Copies           int // how often the rarest of its passages stands in all

	// Period, if it is not 0, divides Count: the evidence of each Period passages is that
	// of the first ones, as in a text of one letter. So many repeats, each followed by the
	// next, are one.
	Period int
}

// Part returns the last of the repeats without a period that r stands for that starts at
// or before a unit.
func (r Repeat) Part(unit int) Repeat {
	if r.Period > 0 {
		r.Start += min((unit-r.Start)/r.Period*r.Period, r.Count-r.Period)
		r.Count, r.Period = r.Period, 0
	}
	return r
}

// End is the end of the repeat's text, given the length of a passage.
func (r Repeat) End(length int) int { return r.Start + r.Count - 1 + length }
