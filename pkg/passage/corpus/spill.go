package corpus

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"doppel/pkg/par"
	"doppel/pkg/passage"
)

// spill is the second pass: it puts the texts of the members in their bins.
func (f *Finder) spill(src Source) (err error) {
	next, err := src()
	if err != nil {
		return err
	}
	if f.bins, err = newBins(f.stats.Bins, f.opt.Mem/8); err != nil {
		return err
	}
	f.cache = newCache(f.opt.Mem / 2)
	pull, stop := iter.Pull2(f.eachMember)
	defer stop()
	s := spiller{finder: f, units: passage.NewUnits(f.opt.Scheme), pull: pull, texts: make([]int, f.stats.Bins)}
	if err := s.advance(); err != nil {
		return err
	}
	worker := func() func(Batch) decoded { return decode }
	if err := par.Ordered(f.opt.Jobs, next, worker, s.take); err != nil {
		return err
	}
	if s.more || s.record != int(f.stats.Records) {
		return errors.New("the corpus has changed between two readings")
	}
	f.cache = nil
	f.stats.Scratch += f.bins.end
	return f.members.release()
}

type decoded struct {
	batch Batch
	texts [][]byte
	err   error
}

func decode(b Batch) (d decoded) {
	d.batch = b
	d.texts, d.err = b.Texts()
	return d
}

var errStopped = errors.New("stopped")

// eachMember yields the members in the order of the corpus.
func (f *Finder) eachMember(yield func(memberEntry, error) bool) {
	err := f.members.inOrder(func(e memberEntry) error {
		if !yield(e, nil) {
			return errStopped
		}
		return nil
	})
	if err != nil && err != errStopped {
		yield(memberEntry{}, err)
	}
}

// A spiller meets members with the texts that they are of.
type spiller struct {
	finder *Finder
	units  *passage.Units
	pull   func() (memberEntry, error, bool)
	member memberEntry
	more   bool
	record int // of the next text
	head   []byte
	texts  []int // in each bin
}

func (s *spiller) advance() (err error) {
	s.member, err, s.more = s.pull()
	return err
}

func (s *spiller) take(d decoded) error {
	if d.err != nil {
		return d.err
	}
	defer d.batch.Done()
	for _, text := range d.texts {
		if s.more && recordOf(s.member[0]) == s.record {
			if err := s.text(text); err != nil {
				return err
			}
		}
		s.record++
	}
	return nil
}

// text spills the members of a text.
func (s *spiller) text(text []byte) error {
	s.units.Set(text)
	for s.more && recordOf(s.member[0]) == s.record {
		start := unitOf(s.member[0])
		end := start + int(s.member[1]&countMask) + s.finder.opt.Scheme.Length
		if end > s.units.Len() {
			return fmt.Errorf("record %d has changed between two readings", s.record)
		}
		if err := s.put(s.units.Text(start, end)); err != nil {
			return err
		}
		if err := s.advance(); err != nil {
			return err
		}
	}
	return nil
}

// A member in a bin is its position, eight bytes; its group in the bin, four;
// the count less one; flags; and a number of varying length: that of the
// bytes of text that follow, or which text of the bin, counted from 0, is the
// same.
const (
	headSize  = 14
	flagTwice = 1
	flagSame  = 2
)

func (s *spiller) put(text []byte) error {
	bin, f := int(s.member[1]>>binShift), s.finder
	group := uint32(s.member[1] >> keyShift)
	s.head = binary.LittleEndian.AppendUint64(s.head[:0], s.member[0])
	s.head = binary.LittleEndian.AppendUint32(s.head, group)
	s.head = append(s.head, byte(s.member[1]), byte(s.member[1]>>8)&flagTwice)
	f.stats.Spilled += int64(len(text))
	known := f.cache.find(bin, text)
	if known != nil {
		s.head[headSize-1] |= flagSame
		s.head = binary.AppendUvarint(s.head, uint64(known.number))
		return f.bins.add(bin, s.head, nil)
	}
	s.head = binary.AppendUvarint(s.head, uint64(len(text)))
	f.cache.keep(bin, s.texts[bin], text)
	s.texts[bin]++
	return f.bins.add(bin, s.head, text)
}
