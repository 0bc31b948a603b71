package spill

import (
	"slices"
	"unsafe"

	"doppel/pkg/spill/radix"
)

// mergeBuffer is the number of entries of a run that Merged reads at a time.
const mergeBuffer = 1 << 12

// Merged passes the entries of a partition to fn in pieces, sorted by key. Unlike SortedIn, it does
// not hold all entries in memory. At most the given number of entries are sorted at a time. Merged
// writes each sorted run to disk, and merges the runs (Knuth, The Art of Computer Programming 3,
// 5.4.1). Entries with equal keys are in one piece, in the order of insertion. A piece is valid
// until fn returns. Merged does not empty the partition.
//
// Cost: memory for twice as many entries as it sorts at a time. Merged writes and reads every entry
// once more, which takes about 50 ns per entry (go test -bench Merged ./pkg/spill).
func (s *Sorter[E]) Merged(partition, most int, fn func([]E) error) error {
	var spool Spool[E] // the sorted runs
	defer spool.Close()
	var heads heads[E]
	chunk, tmp := make([]E, 0, most), make([]E, most)
	add := func() error { // sorts the chunk and writes it as the next run
		first := spool.Len()
		if err := spool.Add(radix.Sort(chunk, tmp[:len(chunk)], radix.First)...); err != nil {
			return err
		}
		heads = append(heads, &head[E]{next: first, end: spool.Len()})
		chunk = chunk[:0]
		return nil
	}
	err := s.Each(partition, func(e E) error {
		if chunk = append(chunk, e); len(chunk) < most {
			return nil
		}
		return add()
	})
	if err == nil && len(chunk) > 0 {
		err = add()
	}
	if err != nil {
		return err
	}

	for i := len(heads) - 1; i >= 0; i-- {
		if _, err := heads[i].advance(&spool); err != nil {
			return err
		}
		heads.siftDown(i)
	}
	var piece []E
	last := uint64(0)
	for len(heads) > 0 {
		h := heads[0]
		if len(piece) >= mergeBuffer && h.key != last {
			if err := fn(piece); err != nil {
				return err
			}
			piece = piece[:0]
		}
		piece, last = append(piece, h.rest[0]), h.key
		more, err := h.advance(&spool)
		if err != nil {
			return err
		}
		if !more {
			end := len(heads) - 1
			heads[0], heads = heads[end], heads[:end]
		}
		heads.siftDown(0)
	}
	if len(piece) == 0 {
		return nil
	}
	return fn(piece)
}

// Pieces passes the entries of a partition to fn, sorted by key. It sorts a partition of at most
// the given number of entries in the memory of r, and passes it as one piece. For a larger
// partition, it calls Merged. Each partition can be read only once.
func (s *Sorter[E]) Pieces(r *Room[E], partition, most int, fn func([]E) error) error {
	if s.PartLen(partition) > most {
		return s.Merged(partition, most, fn)
	}
	entries, err := s.SortedIn(r, partition)
	if err != nil {
		return err
	}
	return fn(entries)
}

// A head is the unread part of a sorted run.
type head[E Entry] struct {
	key       uint64 // key of the first unread entry, which is rest[0]
	rest, buf []E
	next, end int64 // the entries from next to end-1 have not yet been read into rest
}

// advance drops the first unread entry, if one is in memory, and reports whether the run has
// another.
func (h *head[E]) advance(s *Spool[E]) (more bool, err error) {
	if len(h.rest) > 0 {
		h.rest = h.rest[1:]
	}
	if len(h.rest) == 0 {
		n := min(mergeBuffer, h.end-h.next)
		h.rest = slices.Grow(h.buf[:0], int(n))[:n]
		h.buf, h.next = h.rest, h.next+n
		if err := s.ReadAt(h.rest, h.next-n); n == 0 || err != nil {
			return false, err
		}
	}
	h.key = *(*uint64)(unsafe.Pointer(&h.rest[0]))
	return true, nil
}

// sortsBefore reports whether the first entry of h sorts before the first entry of o.
func (h *head[E]) sortsBefore(o *head[E]) bool {
	return h.key < o.key || h.key == o.key && h.end < o.end
}

// heads is a heap ordered by key; for equal keys, the earlier run comes first.
type heads[E Entry] []*head[E]

// siftDown moves the head at index i down to its position in the heap.
func (h heads[E]) siftDown(i int) {
	for {
		least := 2*i + 1
		if least >= len(h) {
			return
		}
		if right := least + 1; right < len(h) && h[right].sortsBefore(h[least]) {
			least = right
		}
		if h[i].sortsBefore(h[least]) {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
