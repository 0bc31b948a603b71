package recsieve

import (
	"io"

	"doppel/pkg/collection"
	"doppel/pkg/spill"
)

// The type verdicts reads the best verdicts on new records, in the order of their numbers.
type verdicts struct {
	batch  *collection.Batch
	spool  spill.Spool[[2]uint64]
	read   func([][2]uint64) (int, error)
	buf    [1 << 10][2]uint64
	rest   [][2]uint64
	number uint32 // of the next record of the tail
}

// newVerdicts chooses the best verdict on each record: that with the highest score, or the first of
// equals.
func (s *seen) newVerdicts() (*verdicts, error) {
	v := &verdicts{batch: s.batch}
	err := eachPiece(s.best, int64(s.r.e.Mem)/8, func(piece [][2]uint64) error {
		for len(piece) > 0 {
			best, end := piece[0], 1
			for ; end < len(piece) && piece[end][0] == best[0]; end++ {
				if a, b := verdict(piece[end][1]), verdict(best[1]); a.score() > b.score() || a.score() == b.score() && a.leader() < b.leader() {
					best = piece[end]
				}
			}
			if err := v.spool.Add(best); err != nil {
				return err
			}
			piece = piece[end:]
		}
		return nil
	})
	v.read = v.spool.Reader()
	return v, err
}

// takeVerdicts returns the verdicts for the first tail, and nil afterwards.
func (s *seen) takeVerdicts() (v *verdicts) {
	if s != nil {
		v, s.found, s.done = s.found, nil, true
	}
	return v
}

// isDone reports whether the first tail has been read, or there is no collection.
func (s *seen) isDone() bool { return s == nil || s.done }

// apply sets the verdicts in the words of consecutive records of the tail. It removes the keys of
// records that share none with another new record, because the sieve need not know them.
func (v *verdicts) apply(words []uint64, stride int) error {
	if v == nil {
		return nil
	}
	for ; len(words) > 0; words = words[stride:] {
		if len(v.rest) == 0 {
			n, err := v.read(v.buf[:])
			if err != nil && err != io.EOF {
				return err
			}
			v.rest = v.buf[:n]
		}
		if len(v.rest) > 0 && v.rest[0][0] == uint64(v.number) {
			words[verdictWord], v.rest = v.rest[0][1], v.rest[1:]
		}
		if !v.batch.Shares(v.number) {
			words[keysWord] = 0
		}
		v.number++
	}
	return nil
}
