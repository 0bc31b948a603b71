package overlap

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"doppel/pkg/text"
)

// An Index finds the windows of items. It is safe for concurrent use. Distinct windows are numbered
// in the order of their first occurrences.
type Index struct {
	*Items
	tags   []uint32 // upper half of each window's hash
	at     []uint32 // position in the arena of each window's first occurrence
	more   []repeat // the repeats of all windows, sorted by window and position
	slots  []uint32 // hash table of window numbers plus 1; 0 is a free slot
	filter []uint64
	shift  int
	narrow uint64 // mask of the hash bits to use; all bits, except in tests that provoke collisions

	streams []stream
}

// A repeat is an occurrence of a window after the first one: the number of the window and the
// position in the arena.
type repeat struct{ window, at uint32 }

// A stream searches a text for windows of certain lengths. It looks up every sequence of a fixed
// number of words in the filter; only a sequence that passes can begin such a window.
type stream struct {
	words   int
	lengths []int
	powers  []uint64 // base^n for each n in lengths
	power   uint64   // base^words
}

// base is the base of the polynomial over the hashes of words. Any odd number with many bits set
// would do.
const base = 0xd1342543de82ef95

// hashSum returns the hash of n words, given the value of the polynomial over the words.
func hashSum(sum uint64, n int) uint64 {
	hi, lo := bits.Mul64(sum+uint64(n)*0x9e3779b97f4a7c15^0x8ebc6af09c88c6e3, 0xe7037ed1a0b428db)
	return hi ^ lo
}

func power(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= base
	}
	return p
}

// Index builds an index of the items. The caller must not add or drop items afterwards.
func (it *Items) Index() *Index { return it.index(^uint64(0)) }

func (it *Items) index(narrow uint64) *Index {
	x := &Index{Items: it, narrow: narrow}
	total, short := 0, make([]bool, it.opt.Window)
	for _, words := range it.counts {
		n := int(words)
		total += max(1, n-it.opt.Window+1)
		if n < it.opt.Window {
			short[n] = true
		}
	}
	x.makeStreams(short)
	x.tags, x.at = make([]uint32, 0, total), make([]uint32, 0, total)
	x.slots = make([]uint32, 1<<bits.Len(uint(total+total/4)))
	x.filter = make([]uint64, max(64, 1<<bits.Len(uint(total/4))))
	x.shift = 64 - bits.Len(uint(len(x.filter)-1))
	plain := newWords(text.None)
	for f := range it.starts {
		x.eachWindow(plain, f, func(h uint64, words, at, size int) {
			if words == x.opt.Window {
				x.addToFilter(h)
			}
			slot, found := x.findSlot(h, words, x.arena[at:at+size])
			if found {
				x.more = append(x.more, repeat{x.slots[slot] - 1, uint32(at)})
				return
			}
			x.tags, x.at = append(x.tags, uint32(h>>32)), append(x.at, uint32(at))
			x.slots[slot] = uint32(len(x.at))
		})
		if n := int(x.counts[f]); n < x.opt.Window {
			anchor := 1 << (bits.Len(uint(n)) - 1)
			sums := appendSums(nil, plain.shingler.Append(nil, x.spelled(f)))
			x.addToFilter(hashSum(sums[anchor], anchor) & x.narrow)
		}
	}
	slices.SortFunc(x.more, func(a, b repeat) int {
		return cmp.Or(cmp.Compare(a.window, b.window), cmp.Compare(a.at, b.at))
	})
	return x
}

// makeStreams creates the streams of the search: one for full windows, and one for each power of 2
// below the length of a full window. The stream for a power p finds the items of at least p but
// fewer than 2p words, and exists only if there are such items.
func (x *Index) makeStreams(short []bool) {
	window := x.opt.Window
	x.streams = []stream{{words: window, lengths: []int{window}}}
	for anchor := 1; anchor < window; anchor *= 2 {
		s := stream{words: anchor}
		for n := anchor; n < min(2*anchor, window); n++ {
			if short[n] {
				s.lengths = append(s.lengths, n)
			}
		}
		if len(s.lengths) > 0 {
			x.streams = append(x.streams, s)
		}
	}
	for i := range x.streams {
		s := &x.streams[i]
		s.power = power(s.words)
		for _, n := range s.lengths {
			s.powers = append(s.powers, power(n))
		}
	}
}

// eachWindow calls fn with each window of a field: its hash, its number of words, and its position
// and size in the arena. plain must use text.None, because the words in the arena are already
// normalised, and a second normalisation could change bytes that are not UTF-8.
func (x *Index) eachWindow(plain *words, f int, fn func(h uint64, words, at, size int)) {
	spelled, start, window := x.spelled(f), int(x.starts[f]), x.opt.Window
	plain.hashes = plain.shingler.Append(plain.hashes[:0], spelled)
	sums, at := appendSums(nil, plain.hashes), start
	if n := len(plain.hashes); n < window {
		fn(hashSum(sums[n], n)&x.narrow, n, at, len(spelled))
		return
	}
	p, end := power(window), endOf(spelled, window)
	for i := 0; ; i++ {
		fn(hashSum(sums[i+window]-sums[i]*p, window)&x.narrow, window, at, start+end-at)
		if i+window == len(plain.hashes) {
			return
		}
		at += bytes.IndexByte(x.arena[at:], ' ') + 1
		end += 1 + endOf(spelled[end+1:], 1)
	}
}

// appendSums appends to dst the value of the polynomial for each prefix of the words, from the
// empty prefix to all words.
func appendSums(dst, hashes []uint64) []uint64 {
	sum := uint64(0)
	dst = append(dst, 0)
	for _, h := range hashes {
		sum = sum*base + h
		dst = append(dst, sum)
	}
	return dst
}

// endOf returns the offset at which the n-th word of a text ends. If the text has fewer words,
// endOf returns the length of the text.
func endOf(spelled []byte, n int) int {
	end := -1
	for range n {
		i := bytes.IndexByte(spelled[end+1:], ' ')
		if i < 0 {
			return len(spelled)
		}
		end += 1 + i
	}
	return end
}

func (x *Index) addToFilter(h uint64) {
	x.filter[h>>(x.shift&63)] |= 1<<(h&63) | 1<<(h>>6&63)
}

// findSlot returns the slot of the window with the given words or, if there is no such window, the
// free slot for it.
func (x *Index) findSlot(h uint64, words int, spelled []byte) (slot uint64, found bool) {
	mask := uint64(len(x.slots) - 1)
	for slot = h >> 12 & mask; ; slot = (slot + 1) & mask {
		n := x.slots[slot]
		if n == 0 {
			return slot, false
		}
		if x.tags[n-1] == uint32(h>>32) && x.isWindow(int(x.at[n-1]), words, spelled) {
			return slot, true
		}
	}
}

// mayHave reports whether the index may have a window with the given hash.
func (x *Index) mayHave(h uint64) bool {
	mask := uint64(len(x.slots) - 1)
	for slot := h >> 12 & mask; x.slots[slot] != 0; slot = (slot + 1) & mask {
		if x.tags[x.slots[slot]-1] == uint32(h>>32) {
			return true
		}
	}
	return false
}

// isWindow reports whether the window at a position of the arena has the given words.
func (x *Index) isWindow(at, words int, spelled []byte) bool {
	end := at + len(spelled)
	if end >= len(x.arena) || string(x.arena[at:end]) != string(spelled) {
		return false
	}
	if words < x.opt.Window { // a window shorter than x.opt.Window must be a whole field
		return x.arena[end] == '\n' && (at == 0 || x.arena[at-1] == '\n')
	}
	return x.arena[end] == '\n' || x.arena[end] == ' '
}

// Windows returns the number of distinct windows.
func (x *Index) Windows() int { return len(x.at) }

// Text returns the words of a window, separated by spaces.
func (x *Index) Text(window int) []byte {
	at := int(x.at[window])
	f := x.fieldAt(at)
	rest := x.spelled(f)[at-int(x.starts[f]):]
	return rest[:endOf(rest, min(x.opt.Window, int(x.counts[f])))]
}

// fieldAt returns the number of the field at a position of the arena.
func (x *Index) fieldAt(at int) int {
	return sort.Search(len(x.starts), func(i int) bool { return int(x.starts[i]) > at }) - 1
}

// eachPosition calls fn with every position of a window in the arena.
func (x *Index) eachPosition(window int, fn func(at int)) {
	fn(int(x.at[window]))
	first := sort.Search(len(x.more), func(i int) bool { return int(x.more[i].window) >= window })
	for _, m := range x.more[first:] {
		if int(m.window) != window {
			return
		}
		fn(int(m.at))
	}
}

// InItems returns the number of items that contain a window.
func (x *Index) InItems(window int) (n int) {
	last := -1
	x.eachPosition(window, func(at int) {
		if item := x.fieldAt(at) / x.fieldsPerItem; item != last {
			n, last = n+1, item
		}
	})
	return n
}
