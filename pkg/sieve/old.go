package sieve

// SetOf returns the set of a text's shingles, for [Worker.Score].
func (w *Worker) SetOf(text []byte) []uint64 { return w.other.distinct(w.shinglesOf(text)) }

// Score compares a text with a set. It returns the score in units of 1/[group.Scale], or -1 if the
// similarity is below the threshold.
func (w *Worker) Score(text []byte, set []uint64) int {
	w.set.fill(w.shinglesOf(text))
	return w.score(set, 0)
}
