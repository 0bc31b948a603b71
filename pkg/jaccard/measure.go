package jaccard

// One is the score of equal sets. Scores are integers in units of 1/10,000, because they are
// printed with four decimals.
const One = 10000

// A Measure defines the similarity of two sets: the number of their shared elements divided by
// the size of their union, or by the size of the smaller set.
type Measure struct {
	size func(na, nb int) int // returns the denominator of the similarity of disjoint sets
	less int                  // amount by which each shared element lowers the denominator
}

// The measures.
var (
	// Resemblance is the Jaccard similarity. 1 minus the similarity satisfies the triangle
	// inequality.
	Resemblance = Measure{func(na, nb int) int { return na + nb }, 1}
	// Containing is the containment of the smaller set, which is the larger of the two
	// containments. 1 minus the containment does not satisfy the triangle inequality.
	Containing = Measure{func(na, nb int) int { return min(na, nb) }, 0}
)

// Score returns the score, from 0 to One, of sets of sizes na and nb with the given number of
// shared elements. It rounds down, so that the similarity of a pair is never below its score. The
// score is One only for equal sets that are not empty.
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

// RoundEstimate returns the score of two sets that are not known to be equal, given an estimate of
// their similarity from 0 to 1. It rounds down, as Score does, but the small addend is for
// estimates such as 0.57, which have four decimals or fewer but no exact floating-point number.
// The score is less than One.
func RoundEstimate(similarity float64) int { return min(int(similarity*One+1e-6), One-1) }

// Similarity returns the similarity, from 0 to 1, of sets of sizes na and nb with the given number of
// shared elements. For two empty sets, it returns 0.
func (m Measure) Similarity(na, nb, shared int) float64 {
	return float64(shared) / float64(max(1, m.size(na, nb)-m.less*shared))
}

// Largest returns the largest number of shared elements for which sets of sizes na and nb have the
// given score or a lower one.
func (m Measure) Largest(na, nb, score int) int { return m.Need(na, nb, 0, score+1) - 1 }

// Need returns the minimum number of shared elements for which sets of sizes na and nb have at
// least the similarity t and at least the given score. The result is more than min(na, nb) if no
// number suffices.
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
	need = max(need, size*least/(One+m.less*least)) // this lower bound is exact or one too low
	for need <= most && m.Score(na, nb, need) < least {
		need++
	}
	return need
}
