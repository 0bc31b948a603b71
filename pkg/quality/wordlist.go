package quality

import (
	_ "embed"
	"strings"
)

// A wordSet is a set of words, by their hashes.
type wordSet map[uint64]bool

func newWordSet(words string) wordSet {
	set := wordSet{}
	for word := range strings.FieldsSeq(words) {
		set[hashLower([]byte(word))] = true
	}
	return set
}

//go:embed profanity.txt
var profanityList string

var profanity = newWordSet(profanityList)

// ProfaneWords is the number of words that stand in profanity.txt beside this
// file: whole words of English that have no harmless sense.
func ProfaneWords(t *Text) float64 { return count(t.wordsIn(profanity)) }

// Gopher's stop words, Rae et al. 2021, section A.1.1.
var stopWords = newWordSet("the be to of and that have with")

// StopWords is the number of words, each as often as it occurs, among the
// eight stop words of Gopher: the, be, to, of, and, that, have, with.
func StopWords(t *Text) float64 { return count(t.wordsIn(stopWords)) }

func (t *Text) wordsIn(set wordSet) (n int) {
	for i := range t.words {
		if set[t.words[i].hash] {
			n++
		}
	}
	return n
}
