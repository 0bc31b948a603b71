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
}

// End is the end of the repeat's text, given the length of a passage.
func (r Repeat) End(length int) int { return r.Start + r.Count - 1 + length }
