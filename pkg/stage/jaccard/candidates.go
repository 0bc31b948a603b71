package jaccard

import (
	"doppel/pkg/par"
	"doppel/pkg/stage/candidates"
	"doppel/pkg/tool"
)

// A scorer scores pairs in one goroutine.
type scorer interface {
	// append appends the line of a pair to dst, or nothing if it is below the
	// threshold.
	append(dst []byte, a, b uint32) ([]byte, error)
}

// chunkPairs is how many pairs one thread scores at a time.
const chunkPairs = 1024

// A chunk is what some pairs gave.
type chunk struct {
	text  []byte
	pairs int
	err   error
}

// scorePairs scores all pairs, in parallel, and writes their lines in the order of the
// pairs.
func scorePairs(e *tool.Env, p *candidates.Pairs, newScorer func() scorer) error {
	read := p.Reader()
	next := func() ([][1]uint64, error) {
		all := make([][1]uint64, chunkPairs)
		n, err := read(all)
		return all[:n], err
	}
	worker := func() func([][1]uint64) chunk {
		s := newScorer()
		return func(all [][1]uint64) chunk { return scoreChunk(s, all) }
	}
	return par.Ordered(e.Jobs, next, worker, func(c chunk) error {
		if c.err != nil {
			return c.err
		}
		e.Progress.Add(c.pairs, 0)
		_, err := e.Out.Write(c.text)
		return err
	})
}

func scoreChunk(s scorer, all [][1]uint64) chunk {
	c := chunk{pairs: len(all)}
	for _, pair := range all {
		if c.text, c.err = s.append(c.text, uint32(pair[0]>>32), uint32(pair[0])); c.err != nil {
			break
		}
	}
	return c
}
