package fuzzysum

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/fnv"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// plainSum is the oracle for Hasher: a slow, straightforward implementation of fuzzysum(1).
func plainSum(text []byte, o Options) Sum {
	words := plainWords(text)
	if len(words) < max(1, o.MinWords) {
		return plainDigest(plainNormal(text))
	}
	counts := make([]float64, Buckets)
	for i := range words {
		first := max(0, i-o.Words+1)
		for choice := range 1 << (i - first) {
			counts[plainBucket(words[first:i+1], choice)]++
		}
	}
	digits := plainBits(counts, studentT(o.Confidence, o.Reading))
	if digits == strings.Repeat("0", 32) || digits == strings.Repeat("f", 32) || digits[:5] == "e8ac7" {
		return plainDigest(plainCounts(counts))
	}
	s, _ := Parse([]byte(digits))
	return s
}

func plainWords(text []byte) (words []string) {
	word := ""
	end := func() {
		if word != "" {
			words = append(words, word)
		}
		word = ""
	}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			word += string(text[:1])
		case !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r):
			end()
		case unicode.In(r, utf.Spaceless...):
			end()
			word = string(fold(r))
			end()
		default:
			word += string(fold(r))
		}
		text = text[n:]
	}
	end()
	return words
}

// plainBucket returns the bucket of a feature: the last word together with some of the words before
// it. Bit j of choice selects the word j+1 places before the last.
func plainBucket(words []string, choice int) uint64 {
	sum, power := uint64(0), uint64(1)
	for j := range words {
		if j == 0 || choice>>(j-1)&1 == 1 {
			h := fnv.New64a()
			h.Write([]byte(words[len(words)-1-j]))
			sum += h.Sum64() * power
		}
		power *= golden
	}
	return (sum ^ sum>>32) * golden >> 57
}

func plainBits(counts []float64, t float64) string {
	mean, squares := 0.0, 0.0
	for _, c := range counts {
		mean += c / Buckets
	}
	for _, c := range counts {
		squares += (c - mean) * (c - mean)
	}
	deviation := math.Sqrt(squares / (Buckets - 1))
	digits := ""
	for i := 0; i < Buckets; i += 4 {
		digit := 0
		for _, c := range counts[i : i+4] {
			digit *= 2
			if c > mean+t*deviation {
				digit++
			}
		}
		digits += string("0123456789abcdef"[digit])
	}
	return digits
}

func plainNormal(text []byte) []byte {
	var out []byte
	for _, field := range strings.FieldsFunc(string(text), unicode.IsSpace) {
		if out != nil {
			out = append(out, ' ')
		}
		for len(field) > 0 {
			r, n := utf8.DecodeRuneInString(field)
			if r == utf8.RuneError {
				out = append(out, field[:n]...)
			} else {
				out = utf8.AppendRune(out, fold(r))
			}
			field = field[n:]
		}
	}
	return out
}

func plainCounts(counts []float64) (text []byte) {
	for _, c := range counts {
		for shift := 56; shift >= 0; shift -= 8 {
			text = append(text, byte(uint64(c)>>shift))
		}
	}
	return text
}

func plainDigest(text []byte) Sum {
	full := sha256.Sum256(text)
	s, _ := Parse([]byte("e8ac7" + hex.EncodeToString(full[:])[:27]))
	return s
}
