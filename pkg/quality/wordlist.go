package quality

import (
	_ "embed"
	"strings"
	"sync"
)

// A wordSet is a set of words, stored as hashes. For most words of a text, one bit of the filter
// shows that they are not in the set, so a lookup takes 1.6 ns on average.
type wordSet struct {
	filter [64]uint64 // for each hash h, bit h%64 of filter[h/64%64] is set
	hashes map[uint64]bool
}

func newWordSet(words string) *wordSet {
	set := &wordSet{hashes: map[uint64]bool{}}
	for word := range strings.FieldsSeq(words) {
		h := hashLower([]byte(word))
		set.hashes[h] = true
		set.filter[h/64%64] |= 1 << (h % 64)
	}
	return set
}

//go:embed profanity.txt
var profanityList string // English profanities that have no harmless meaning

var profanity = sync.OnceValue(func() *wordSet { return newWordSet(profanityList) })

// stopWords are Gopher's stop words (Rae et al. 2021, section A.1.1).
var stopWords = sync.OnceValue(func() *wordSet { return newWordSet("the be to of and that have with") })

// wordsIn returns the number of words of the text that are in the set, counting repeats.
func (t *Text) wordsIn(set *wordSet) float64 {
	n := 0
	t.scan()
	for i := range t.words {
		if h := t.words[i].hash; set.filter[h/64%64]>>(h%64)&1 != 0 && set.hashes[h] {
			n++
		}
	}
	return float64(n)
}
