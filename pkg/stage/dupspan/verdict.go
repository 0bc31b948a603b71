package dupspan

import (
	"errors"
	"iter"
	"math"

	"doppel/pkg/passage/corpus"
	"doppel/pkg/passage/span"
	"doppel/pkg/spill"
)

// A verdict is the decision to drop a piece of a record, or the whole record.
type verdict struct {
	record int
	span.Piece
	whole bool // the whole record is dropped, and Piece is not set
	left  int  // if the whole record is dropped: number of bytes that cutting would leave
}

// A backlog buffers verdicts whose evidence has positions in words, until these are converted to
// positions in bytes. A verdict takes 24 bytes on disk.
type backlog struct {
	locator  *corpus.Locator
	verdicts spill.Spool[[3]uint64]
}

// half is half the number of bits in a packed word. Numbers of records, positions in texts and
// counts of copies are below 2^32, so two of them fit in a word.
const half = 32

// add stores a verdict, and passes its evidence, if any, to the locator.
func (b *backlog) add(v verdict) error {
	packed := [3]uint64{uint64(v.record)<<half | uint64(v.left)}
	if !v.whole {
		copies := min(uint64(v.Copies), math.MaxUint32)
		packed = [3]uint64{uint64(v.record)<<half | uint64(v.Start), uint64(v.End)<<half | copies, uint64(v.From + 1)}
	}
	if err := b.verdicts.Add(packed); err != nil || !v.hasEvidence() {
		return err
	}
	return b.locator.Ask(v.From, v.At, v.To)
}

// unpacked returns a verdict that was packed by the method add. No piece ends at 0, so an end of 0
// marks a whole record.
func unpacked(e [3]uint64) (v verdict) {
	v.record = int(e[0] >> half)
	low := int(e[0] & math.MaxUint32)
	if v.whole = e[1]>>half == 0; v.whole {
		v.left = low
		return v
	}
	v.Start, v.End, v.Copies = low, int(e[1]>>half), int(e[1]&math.MaxUint32)
	v.From = int(e[2]) - 1
	return v
}

// hasEvidence reports whether the verdict has evidence that must be located.
func (v *verdict) hasEvidence() bool { return !v.whole && v.From != span.None }

// each converts the positions of the evidence from words to bytes, and calls fn with every verdict
// in order.
func (b *backlog) each(src corpus.Source, fn func(verdict) error) error {
	next, stop := pulled(b.verdicts.Each)
	defer stop()
	// untilEvidence returns the next verdict with evidence to locate, if there is one. It first
	// calls fn with each verdict before that one, or with all remaining verdicts.
	untilEvidence := func() (v verdict, err error) {
		for {
			packed, more, err := next()
			if err != nil || !more {
				return v, err
			}
			if v = unpacked(packed); v.hasEvidence() {
				return v, nil
			}
			if err := fn(v); err != nil {
				return v, err
			}
		}
	}
	err := b.locator.Answer(src, func(start, end int) error {
		v, err := untilEvidence()
		if err != nil {
			return err
		}
		v.At, v.To = start, end
		return fn(v)
	})
	if err == nil {
		_, err = untilEvidence()
	}
	return err
}

// pulled converts a push iterator into a pull iterator. The caller must call stop when it needs no
// more values.
func pulled[T any](each func(func(T) error) error) (next func() (T, bool, error), stop func()) {
	pull, stop := iter.Pull2(func(yield func(T, error) bool) {
		err := each(func(v T) error {
			if !yield(v, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && err != errStopped {
			var none T
			yield(none, err)
		}
	})
	return func() (T, bool, error) {
		v, err, ok := pull()
		return v, ok && err == nil, err
	}, stop
}

var errStopped = errors.New("stopped")
