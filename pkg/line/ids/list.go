package ids

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"doppel/pkg/wording"
)

// A List is a sequence of ids, numbered from 0. The zero value is empty.
//
// An id that ends in an ordinal, as file:ordinal does, is held as a word of 8 bytes:
// the number of what stands before the ordinal, and the ordinal. While the ids
// of one file follow each other in order, as those of a dataset do, a run of them
// is one word, so that they take no memory. Any other id is spelled out, for
// two bytes more than its own.
type List struct {
	n        int
	runs     []run  // while they are few
	words    blocks // then
	prefixes prefixes
	arena    []byte // the ids that are spelled out, each behind its length
}

// A run is ids whose words ascend by one.
type run struct {
	first int // the number of the first id
	word  uint64
}

// A word says what an id is: spelled and its place in the arena, or the number of
// the prefix and the ordinal.
const (
	spelled     = 1 << 63
	ordinalBits = 46
	maxOrdinal  = 1<<ordinalBits - 1
)

// most is how many ids may be numbered: a number has 32 bits, of which one stands for
// none.
const most = math.MaxUint32 - 1

// Len returns the number of ids.
func (l *List) Len() int { return l.n }

// Full returns an error if there are more ids than may be numbered. Whoever adds those
// of an input asks.
func (l *List) Full() error {
	if l.n <= most {
		return nil
	}
	return wording.WithHint(fmt.Errorf("more than %d ids: their numbers have 32 bits", most),
		"doppel-cluster(7) has the chain in parts")
}

// Add appends an id.
func (l *List) Add(id []byte) {
	word, ok := l.encode(id, true)
	if !ok {
		word = spelled | uint64(len(l.arena))
		l.arena = append(binary.AppendUvarint(l.arena, uint64(len(id))), id...)
	}
	l.push(word)
}

// encode returns the word of an id that need not be spelled out. Only where it may
// is a new prefix numbered.
func (l *List) encode(id []byte, may bool) (word uint64, ok bool) {
	prefix, n, ok := split(id)
	if !ok || n > maxOrdinal {
		return 0, false
	}
	number, ok := l.prefixes.number(prefix, may)
	return uint64(number)<<ordinalBits | n, ok
}

// push appends a word.
func (l *List) push(word uint64) {
	switch last := len(l.runs) - 1; {
	case l.words != nil:
		l.words.push(word)
	case last >= 0 && word == l.runs[last].word+uint64(l.n-l.runs[last].first):
	case last > fewRuns+l.n/64:
		l.spread()
		l.words.push(word)
	default:
		l.runs = append(l.runs, run{l.n, word})
	}
	l.n++
}

// fewRuns is how many runs there may be of however few ids.
const fewRuns = 64

// spread gives each id a word of its own.
func (l *List) spread() {
	var words blocks
	for i := range l.n {
		words.push(l.word(i))
	}
	l.words, l.runs = words, nil
}

// Blocks are words in arrays of one size, since one array that grows would be there
// twice each time it does.
type blocks [][]uint64

const blockWords = 1 << 13

func (b *blocks) push(word uint64) {
	last := len(*b) - 1
	if last < 0 || len((*b)[last]) == blockWords {
		*b = append(*b, make([]uint64, 0, blockWords))
		last++
	}
	(*b)[last] = append((*b)[last], word)
}

func (b blocks) at(i int) *uint64 { return &b[i/blockWords][i%blockWords] }

// word returns the word of the i-th id.
func (l *List) word(i int) uint64 {
	if l.words != nil {
		return *l.words.at(i)
	}
	at := 0
	if len(l.runs) > 1 {
		at, _ = slices.BinarySearchFunc(l.runs, i+1, func(r run, i int) int { return r.first - i })
		at--
	}
	return l.runs[at].word + uint64(i-l.runs[at].first)
}

// Append appends the i-th id to dst.
func (l *List) Append(dst []byte, i int) []byte {
	word := l.word(i)
	if word&spelled != 0 {
		return append(dst, l.spelt(word)...)
	}
	dst = append(dst, l.prefixes.all[word>>ordinalBits]...)
	return strconv.AppendUint(dst, word&maxOrdinal, 10)
}

// spelt returns the id of a word that is spelled out.
func (l *List) spelt(word uint64) []byte {
	text := l.arena[word&^spelled:]
	size, n := binary.Uvarint(text)
	return text[n : n+int(size)]
}
