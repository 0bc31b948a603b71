package main

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/record"
	"doppel/pkg/text"
)

// A word is stored in 16 bytes, so copying it takes two loads and two stores.
type word struct {
	bytes [15]byte
	size  uint8
}

// A vocabulary contains words in order of decreasing frequency, and the tables for drawing words
// in constant time.
type vocabulary struct {
	from  []string
	words []word
	alias []aliasEntry          // table of the alias method (Walker 1977) for Zipf's law
	next  [][successors]wordNum // frequent successors of each word
}

type wordNum = uint32

type aliasEntry struct {
	keep  uint32 // probability of the word itself, in units of 2^-32
	other wordNum
}

const successors = 8

const dictionary = "/usr/share/dict/words"

// readVocabulary counts the words in files and orders them by frequency. Equally frequent
// words, such as those of a dictionary, are ordered by their hashes.
func readVocabulary(names []string) (*vocabulary, error) {
	if names == nil {
		// The dictionary contains each word once, so words that the articles repeat rank first.
		names = []string{"testdata/docs/articles.jsonl"}
		if _, err := os.Stat(dictionary); err == nil {
			names = append(names, dictionary)
		}
	}
	counts := map[string]int{}
	for _, name := range names {
		if err := countWords(counts, name); err != nil {
			return nil, err
		}
	}

	// Add made-up words, rarer than all others, if there are too few words to make texts
	// differ.
	const enough, letters = 30_000, "bdfgklmnprstvaeiou"
	r := newRandom(0, 0, useVocabulary)
	for len(counts) < enough {
		var w []byte
		for range 2 + r.below(3) {
			w = append(w, letters[r.below(13)], letters[13+r.below(5)])
		}
		counts[string(w)] += 0
	}

	var ranked []string
	for w := range counts {
		if len(w) <= len(word{}.bytes) && strings.Trim(w, "0123456789_") == w {
			ranked = append(ranked, w)
		}
	}
	slices.SortFunc(ranked, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(xxhash.Sum64String(a), xxhash.Sum64String(b)))
	})
	v := &vocabulary{from: names, words: make([]word, len(ranked)), next: make([][successors]wordNum, len(ranked))}
	for i, w := range ranked {
		v.words[i].size = uint8(copy(v.words[i].bytes[:], w))
	}
	v.zipf()
	r = newRandom(0, 0, useVocabulary)
	for i := range v.next {
		for k := range v.next[i] {
			v.next[i][k] = v.draw(&r)
		}
	}
	return v, nil
}

func countWords(counts map[string]int, name string) error {
	opt := record.Options{Fields: []string{"text"}, Lines: !strings.Contains(name, ".jsonl")}
	rd, err := record.NewReader(record.Input{Names: []string{name}}, opt)
	if err != nil {
		return err
	}
	s := text.NewShingler(text.Default)
	var b record.Batch
	var folded []byte
	for {
		if err := rd.Next(&b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		b.Decode()
		for _, rec := range b.Records {
			if rec.Err != nil {
				return rec.Err
			}
			folded = s.Normalized(folded[:0], rec.Text)
			for w := range bytes.FieldsSeq(folded) {
				counts[string(w)]++
			}
		}
	}
}

// zipf builds the alias table for Mandelbrot's form of Zipf's law: the probability of the
// word of rank r is proportional to 1/(r+2.7)^1.07, which fits English.
func (v *vocabulary) zipf() {
	odds := make([]float64, len(v.words))
	var sum float64
	for r := range odds {
		odds[r] = math.Pow(float64(r)+2.7, -1.07)
		sum += odds[r]
	}
	v.alias = make([]aliasEntry, len(odds))
	var small, large []int
	for r := range odds {
		odds[r] *= float64(len(odds)) / sum
		if odds[r] < 1 {
			small = append(small, r)
		} else {
			large = append(large, r)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		v.alias[s] = aliasEntry{uint32(odds[s] * math.MaxUint32), wordNum(l)}
		if odds[l] -= 1 - odds[s]; odds[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, r := range append(small, large...) {
		v.alias[r] = aliasEntry{math.MaxUint32, wordNum(r)}
	}
}

// draw returns a random word with the probability that Zipf's law gives it.
func (v *vocabulary) draw(r *random) wordNum {
	x := r.next()
	i := x >> 32 * uint64(len(v.alias)) >> 32
	if a := v.alias[i]; uint32(x) > a.keep {
		return a.other
	}
	return wordNum(i)
}
