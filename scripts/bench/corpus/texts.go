package main

import (
	"math"
	"math/bits"
)

// texts generates the words of each record from its number.
type texts struct {
	*vocabulary
	seed uint64
	mean float64 // mean length in characters
}

// A token is the number of a word, with flags for the punctuation after the word.
type token uint32

const (
	sentenceEnd  token = 1 << 31
	paragraphEnd token = 1 << 30
	wordMask     token = paragraphEnd - 1
)

// The uses of random numbers. Each use has a separate sequence for each record.
const (
	usePlan = iota + 1
	useVocabulary
	useText
	useEdit
)

const (
	sigma    = 1.0 // standard deviation of the logarithm of the length, about as in FineWeb
	minChars = 120 // about twenty words; shorter texts could be duplicates by accident
	topics   = 32  // number of words that a text repeats often
	common   = 200 // how many of the most frequent words are not used as topics
)

// appendTokens appends the words of a record to dst: three in eight are frequent successors
// of the previous word, one in eight is a topic word of the record, and the rest are drawn
// from the whole vocabulary.
func (t *texts) appendTokens(dst []token, record uint64) []token {
	r := newRandom(t.seed, record, useText)
	normal := math.Sqrt(-2*math.Log(1-r.float())) * math.Cos(2*math.Pi*r.float()) // Box–Muller transform
	chars := max(minChars, int(math.Exp(math.Log(t.mean)-sigma*sigma/2+sigma*normal)))
	var topic [topics]wordNum
	for i := range topic {
		for topic[i] < common {
			topic[i] = t.draw(&r)
		}
	}
	w := t.draw(&r)
	sentence := 0
	for chars > 0 {
		switch x := r.next(); {
		case x&7 < 3:
			w = t.next[w][x>>3%successors]
		case x&7 == 3:
			w = topic[x>>3%topics]
		default:
			w = t.draw(&r)
		}
		chars -= int(t.words[w].size) + 1
		tok := token(w)
		if sentence--; sentence < 0 {
			sentence = 4 + r.below(26)
			tok |= sentenceEnd
			if r.below(5) == 0 {
				tok |= paragraphEnd
			}
		}
		dst = append(dst, tok)
	}
	return dst
}

// appendText appends the tokens to dst as the contents of a JSON string, without the quotes.
// No word of the vocabulary needs escaping.
func (t *texts) appendText(dst []byte, tokens []token) []byte {
	fresh := true // the next word starts a sentence
	for _, tok := range tokens {
		w := &t.words[tok&wordMask]
		at := len(dst)
		dst = append(dst, w.bytes[:]...)
		dst = dst[:at+int(w.size)]
		if fresh && 'a' <= dst[at] && dst[at] <= 'z' {
			dst[at] -= 'a' - 'A'
		}
		if fresh = tok&sentenceEnd != 0; fresh {
			dst = append(dst, '.')
		}
		if tok&paragraphEnd != 0 {
			dst = append(dst, `\n\n`...)
		} else {
			dst = append(dst, ' ')
		}
	}
	return dst
}

// random is the state of a small random number generator (wyrand), one per record.
// math/rand/v2 makes an interface call for each number, which would double the total time.
type random uint64

const (
	step  = 0xa0761d6478bd642f
	twist = 0xe7037ed1a0b428db
)

// newRandom returns the generator for one use in one record.
func newRandom(seed, record, use uint64) random {
	r := random(seed*step + use)
	r = random(r.next() ^ record*twist)
	return random(r.next())
}

func (r *random) next() uint64 {
	*r += step
	hi, lo := bits.Mul64(uint64(*r), uint64(*r)^twist)
	return hi ^ lo
}

// below returns a number in [0, n).
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// float returns a number in [0, 1).
func (r *random) float() float64 { return float64(r.next()>>11) / (1 << 53) }
