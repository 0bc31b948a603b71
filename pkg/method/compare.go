package method

import (
	"fmt"

	"doppel/pkg/line"
)

// A Measure is what two texts are compared by.
type Measure int

// The measures.
const (
	Similarity  Measure = iota // Jaccard's, of the two sets
	Containment                // the larger share of one set that is in the other
)

func (m Measure) String() string { return [...]string{"similarity", "containment"}[m] }

// A Comparer compares signatures of one scheme. It may be used by several
// goroutines.
type Comparer interface {
	// Decode reads a signature. The result does not hold the memory of body.
	Decode(body []byte) (Comparand, error)
	// Compare estimates by what Decode returned for two signatures.
	Compare(a, b Comparand) Estimate
}

// A Comparand is a signature as its own Comparer compares it.
type Comparand any

// An Estimate is what two signatures tell.
type Estimate struct {
	line.SampleScore      // without a pair; only Score is set unless there is an interval
	Interval         bool // Low and High are limits of the score, and sizes are known
	Equal            bool // the texts are equal, as far as signatures can tell
}

func scored(score float64, equal bool) Estimate {
	return Estimate{SampleScore: line.SampleScore{Score: score}, Equal: equal}
}

// noEstimate is the error of a scheme that does not tell a measure.
func noEstimate(s Scheme, m Measure) error {
	return fmt.Errorf("scheme %q gives no estimate of %v", s, m)
}
