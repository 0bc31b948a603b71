package jaccard

// One is the score of equal sets: scores are counted in parts of 10,000, the four
// decimals in which they are written.
const One = 10000

// A Measure is how alike two sets are, as a share of one number of elements: those
// of both sets together, or those of the smaller one.
type Measure struct {
	size func(na, nb int) int // the number, of sets that share nothing
	less int                  // by how much each shared element lowers it
}

// The measures.
var (
	// Resemblance is the Jaccard similarity. One minus it is a distance: it
	// keeps the triangle inequality.
	Resemblance = Measure{func(na, nb int) int { return na + nb }, 1}
	// Containing is the larger containment. It keeps none.
	Containing = Measure{func(na, nb int) int { return min(na, nb) }, 0}
)

// Score returns the score of sets of sizes na and nb that share this many
// elements, from 0 to One. It is cut to what is written, never rounded up, so that a
// score that reaches a threshold is one that does; and One stands for sets that
// are equal and not empty, and for nothing else, however close.
func (m Measure) Score(na, nb, shared int) int {
	n := m.size(na, nb) - m.less*shared
	if n == 0 {
		return 0
	}
	score := shared * One / n
	if shared < max(na, nb) {
		score = min(score, One-1)
	}
	return score
}

// Need returns how many elements sets of sizes na and nb must share for a
// similarity of t or more, and for a score of at least least; it is more than
// they have if none will do.
func (m Measure) Need(na, nb int, t float64, least int) int {
	size, most := m.size(na, nb), min(na, nb)
	need := int(float64(size) * t / (1 + float64(m.less)*t))
	share := func(shared int) float64 { return float64(shared) / float64(max(1, size-m.less*shared)) }
	for need > 0 && share(need-1) >= t {
		need--
	}
	for need <= most && share(need) < t {
		need++
	}
	need = max(need, size*least/(One+m.less*least)) // at most one too low
	for need <= most && m.Score(na, nb, need) < least {
		need++
	}
	return need
}
