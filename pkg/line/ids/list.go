package ids

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"doppel/pkg/msg"
)

// A List is a sequence of ids, numbered from 0. The zero value is empty.
//
// A List stores each id as a word of 8 bytes. For an id that ends in an ordinal, such as
// file:ordinal, the word holds the ordinal and the number of the prefix before it. A List stores
// consecutive ids of one file, as in a dataset, as one run with a single word, so they need almost
// no memory. For any other id, the word holds the position in the arena at which the id is spelled
// out. This needs about two bytes in addition to the bytes of the id.
type List struct {
	n        int
	runs     []run  // nil if List.words holds the ids
	words    blocks // one word for each id; nil while there are few runs
	prefixes prefixes
	arena    []byte // the spelled-out ids, each preceded by its length
}

// A run is a sequence of ids that are encoded by consecutive words.
type run struct {
	first int // number of the first id
	word  uint64
}

// A word encodes an id. If the highest bit is set, the other bits are the position in the arena;
// otherwise, they are the number of the prefix and the ordinal.
const (
	spelled     = 1 << 63
	ordinalBits = 46
	maxOrdinal  = 1<<ordinalBits - 1
)

// maxIDs is the maximum number of ids: numbers have 32 bits, and one value means no id.
const maxIDs = math.MaxUint32 - 1

// Len returns the number of ids.
func (l *List) Len() int { return l.n }

// Full returns an error if the list has more ids than can be numbered. Callers that add the ids of
// an input must call Full.
func (l *List) Full() error {
	if l.n <= maxIDs {
		return nil
	}
	return msg.WithHint(fmt.Errorf("more than %d ids: want fewer, because each id has a 32-bit number", maxIDs),
		"doppel-cluster(7) shows how to split a run into parts")
}

// Add appends a copy of id to the list.
func (l *List) Add(id []byte) {
	word, ok := l.encode(id, true)
	if !ok {
		word = spelled | uint64(len(l.arena))
		l.arena = append(binary.AppendUvarint(l.arena, uint64(len(id))), id...)
	}
	l.push(word)
}

// encode returns the word of an id; ok is false if the id must be spelled out. The second argument
// decides whether a new prefix gets a number; without a number, an id with that prefix must be
// spelled out.
func (l *List) encode(id []byte, may bool) (word uint64, ok bool) {
	prefix, n, ok := split(id)
	if !ok || n > maxOrdinal {
		return 0, false
	}
	number, ok := l.prefixes.number(prefix, may)
	return uint64(number)<<ordinalBits | n, ok
}

// push appends a word. A word that continues the last run needs no memory.
func (l *List) push(word uint64) {
	switch last := len(l.runs) - 1; {
	case l.words != nil:
		l.words.push(word)
	case last >= 0 && word == l.runs[last].word+uint64(l.n-l.runs[last].first):
	case last > fewRuns+l.n/64:
		l.expandRuns()
		l.words.push(word)
	default:
		l.runs = append(l.runs, run{l.n, word})
	}
	l.n++
}

// fewRuns is the number of runs that push allows in any list, however short.
const fewRuns = 64

// expandRuns replaces the runs by one word for each id.
func (l *List) expandRuns() {
	var words blocks
	for i := range l.n {
		words.push(l.word(i))
	}
	l.words, l.runs = words, nil
}

// blocks stores words in slices of fixed capacity. A single growing slice would exist twice
// whenever append copies it.
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

// word returns the encoding of the i-th id.
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

// Append appends the i-th id, counting from 0, to dst.
func (l *List) Append(dst []byte, i int) []byte {
	word := l.word(i)
	if word&spelled != 0 {
		return append(dst, l.spelt(word)...)
	}
	dst = append(dst, l.prefixes.all[word>>ordinalBits]...)
	return strconv.AppendUint(dst, word&maxOrdinal, 10)
}

func (l *List) spelt(word uint64) []byte {
	text := l.arena[word&^spelled:]
	size, n := binary.Uvarint(text)
	return text[n : n+int(size)]
}
