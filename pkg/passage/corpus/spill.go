package corpus

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"doppel/pkg/passage"
	"doppel/pkg/spill"
)

// spill reads the corpus again and adds the texts of the members to their bins.
func (f *Finder) spill(src Source) error {
	file, err := spill.Create()
	if err != nil {
		return err
	}
	n := f.stats.Bins
	buffer := min(max(f.opt.Mem/8/int64(n+1), leastBuffer), mostBuffer)
	f.bins = &bins{file: file, heaps: make([]heap, n), buffer: int(buffer)}
	// A ring of 16 times the texts keeps all of them, because keep ignores a text of more than 1/16.
	ring := max(min(f.opt.Mem/2*7/8, 16*f.expected), 1<<12)
	c := cache{ring: make([]byte, ring), slots: make([]slot, 1<<bits.Len64(uint64(ring/bytesPerSlot)))}
	texts := make([]int, n) // number of texts in each bin
	var head []byte
	next := uint64(0) // position after the last passage of the previous run; no run may start before it
	err = read(f, src, f.members, func(u *passage.Units, e memberEntry) error {
		start := unitOf(e[0])
		end := start + int(e[1]&countMask) + f.opt.Scheme.Length
		switch {
		case end > u.Len():
			return passage.ErrChanged
		case e[0] < next:
			return errOverlap
		}
		next = e[0] + e[1]&countMask + 1
		text, bin, group := u.Text(start, end), int(e[1]>>binShift), uint32(e[1]>>keyShift)
		f.stats.Spilled += int64(len(text))
		head = binary.LittleEndian.AppendUint64(head[:0], e[0])
		head = binary.LittleEndian.AppendUint32(head, group)
		head = append(head, byte(e[1]), byte(e[1]>>8)&flagTwice)
		if known := c.find(bin, group, text); known != nil {
			head[headSize-1] |= flagSame
			head = binary.AppendUvarint(head, uint64(known.number))
			return f.bins.add(bin, head, nil)
		}
		head = binary.AppendUvarint(head, uint64(len(text)))
		c.keep(bin, group, texts[bin], text)
		texts[bin]++
		return f.bins.add(bin, head, text)
	})
	if err != nil {
		return err
	}
	f.stats.Scratch += f.bins.end
	return f.members.release()
}

// errOverlap is the error for runs that were added twice.
var errOverlap = errors.New("runs overlap: each must be added once")
