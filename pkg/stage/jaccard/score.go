package jaccard

import (
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/par"
	"doppel/pkg/stage/lineio"
	stagepairs "doppel/pkg/stage/pairs"
	"doppel/pkg/stage/pairsets"
	"doppel/pkg/tool"
)

// A scorer scores the pair of the id numbers a and b. It appends the line of the pair to dst, or
// nothing if the score is below the threshold. It is not safe for concurrent use.
type scorer func(dst []byte, a, b uint32) ([]byte, error)

// chunkPairs is the number of pairs that a worker scores at a time.
const chunkPairs = 1024

// A chunk is the result of scoring up to chunkPairs pairs.
type chunk struct {
	text  []byte // lines
	pairs int    // number of pairs scored
	err   error
}

// scorePairs scores all pairs in parallel and writes their lines in the order of the pairs. Each
// worker has its own scorer.
func scorePairs(e *tool.Env, p *pairsets.Pairs, newScorer func() scorer) error {
	read := p.Reader()
	next := func() ([][1]uint64, error) {
		all := make([][1]uint64, chunkPairs)
		n, err := read(all)
		return all[:n], err
	}
	worker := func() func([][1]uint64) chunk {
		score := newScorer()
		return func(all [][1]uint64) chunk {
			c := chunk{pairs: len(all)}
			for _, pair := range all {
				if c.text, c.err = score(c.text, uint32(pair[0]>>32), uint32(pair[0])); c.err != nil {
					break
				}
			}
			return c
		}
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

// namedPair returns the ids of a pair, which are stored in buf and valid until buf is reused.
func namedPair(buf *[2][]byte, list *ids.List, a, b uint32) line.Pair {
	buf[0] = list.Append(buf[0][:0], int(a))
	buf[1] = list.Append(buf[1][:0], int(b))
	return line.Pair{A: buf[0], B: buf[1]}
}

// verify writes exact scores of the pairs, computed from the shingle sets of their texts.
func verify(e *tool.Env, o *Options, p *pairsets.Pairs) error {
	store := jaccard.NewStore(p.IDs.Len(), int64(e.Mem))
	if err := p.Sets(e, o.Texts(), store.Put); err != nil {
		return err
	}
	if err := p.Missing(store.Known, "records"); err != nil {
		return err
	}
	stagepairs.ReportSpilled(e, store.Spilled())
	if err := lineio.Titles(e, line.Score{Sized: true, Apart: o.Apart}); err != nil {
		return err
	}
	return scorePairs(e, p, func() scorer {
		scored := o.scored(e)
		var setA, setB, bufA, bufB []uint64
		var last uint32 // record whose set is in setA; consecutive pairs often have the same first record
		var id [2][]byte
		have := false
		return func(dst []byte, a, b uint32) (_ []byte, err error) {
			na, nb := store.Size(a), store.Size(b)
			need := scored.need(na, nb)
			if need > min(na, nb) {
				return dst, nil
			}
			if !have || a != last {
				if setA, bufA, err = store.Get(a, bufA); err != nil {
					return dst, err
				}
				last, have = a, true
			}
			if setB, bufB, err = store.Get(b, bufB); err != nil {
				return dst, err
			}
			return scored.append(dst, namedPair(&id, &p.IDs.List, a, b), na, nb, jaccard.Shared(setA, setB, need)), nil
		}
	})
}

// Texts returns the options for reading the texts of the pairs.
func (o *Options) Texts() pairsets.Texts {
	t := pairsets.Texts{Data: o.Data, Files: o.Files, Old: o.Against, OldOpt: o.Old.Options(o.Records), Split: o.Split, Key: o.Text.Key, Options: o.Text.Options}
	if len(o.Extracts) > 0 {
		t.Data, t.Extracts = o.Extracts, true
	}
	return t
}

// Measure returns the measure by which two sets are scored.
func (o *Options) Measure() jaccard.Measure {
	if o.Containment {
		return jaccard.Containing
	}
	return jaccard.Resemblance
}

// scoreLines formats the lines of the pairs that reach the threshold.
type scoreLines struct {
	threshold float64
	of        jaccard.Measure
	apart     bool // mark the pairs
	format    line.Format
}

func (o *Options) scored(e *tool.Env) scoreLines {
	return scoreLines{threshold: o.Threshold, of: o.Measure(), apart: o.Apart, format: lineio.Format(e)}
}

// need returns the number of shingles that two sets of sizes na and nb must share to reach the
// threshold.
func (s scoreLines) need(na, nb int) int { return s.of.Need(na, nb, s.threshold, 0) }

// append appends the line of a pair to dst. na and nb are the sizes of the sets, and shared is the
// number of shingles that they share. If shared is negative, the pair does not reach the threshold
// and append adds nothing.
func (s scoreLines) append(dst []byte, p line.Pair, na, nb, shared int) []byte {
	if shared < 0 {
		return dst
	}
	l := line.Score{
		Pair: p, Score: float64(s.of.Score(na, nb, shared)) / jaccard.One, Sized: true,
		ContainmentA: jaccard.Containment(na, shared), ContainmentB: jaccard.Containment(nb, shared),
		SizeA: int64(na), SizeB: int64(nb), Apart: s.apart,
	}
	return l.Append(dst, s.format)
}
