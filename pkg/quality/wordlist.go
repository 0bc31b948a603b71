package quality

import (
	_ "embed"
	"strings"
)

// A wordSet is a set of words, by their hashes. Most words are no members, and
// most of these are seen by one bit of filter: 1.6 ns a word in all.
type wordSet struct {
	filter [64]uint64 // bit h%64 of filter[h/64%64] for each hash h
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

func (s *wordSet) has(h uint64) bool {
	return s.filter[h/64%64]>>(h%64)&1 != 0 && s.hashes[h]
}

//go:embed profanity.txt
var profanityList string

var profanity = newWordSet(profanityList)

// profaneWordCount is the number of words that stand in profanity.txt beside this
// file: whole words of English that have no harmless sense.
func profaneWordCount(t *Text) float64 { return count(t.wordsIn(profanity)) }

// Gopher's stop words, Rae et al. 2021, section A.1.1.
var stopWords = newWordSet("the be to of and that have with")

// stopWordCount is the number of words, each as often as it occurs, among the
// eight stop words of Gopher: the, be, to, of, and, that, have, with.
func stopWordCount(t *Text) float64 { return count(t.wordsIn(stopWords)) }

func (t *Text) wordsIn(set *wordSet) (n int) {
	for p := range t.parts {
		for i := range p.words {
			if set.has(p.words[i].hash) {
				n++
			}
		}
	}
	return n
}
