package language

import (
	_ "embed"
	"encoding/binary"
	"math"
	"sync"
)

// Code recognises programs by pairs of adjacent bytes. Each byte has one of pairClasses classes,
// each pair of classes has a weight, and the score of a text is the mean weight of its pairs.
// This is a logistic regression on the frequencies of the pairs, and costs one lookup per byte.
// Whole words do not count, because prose also uses "class", "import" and "return". A score
// based on the shares of symbols, indented lines and line ends took the same time and was wrong
// three times as often for shell and Ruby.

// pairClasses is the number of classes of bytes. It is a power of two.
const pairClasses = 32

// pairClass maps each byte to its class. There are classes for lower-case letters, capitals,
// digits, bytes from 0x80, and several groups of spaces and symbols that programs and prose use
// differently.
var pairClass = func() (c [256]uint8) {
	const letter, capital, digit, foreign, first = 1, 2, 3, 4, 5
	for i := range c {
		switch b := byte(i); {
		case 'a' <= b && b <= 'z':
			c[i] = letter
		case 'A' <= b && b <= 'Z':
			c[i] = capital
		case '0' <= b && b <= '9':
			c[i] = digit
		case b >= 0x80:
			c[i] = foreign
		}
	}
	for i, signs := range []string{" ", "\n\r", "\t", "_", ".", ",", ";", ":", "(", ")", "{}", "[]", "=", "<>", "\"", "'`",
		"/", "\\", "*", "#", "$@", "&|", "-", "+%^~", "!?"} {
		for _, b := range []byte(signs) {
			c[b] = uint8(first + i)
		}
	}
	return c
}()

// codeTable contains the weights as little-endian float32 numbers, followed by the constant to
// add to the mean.
//
//go:embed tables/code
var codeTable string

var codeWeights = sync.OnceValue(func() *[pairClasses*pairClasses + 1]float32 {
	var w [pairClasses*pairClasses + 1]float32
	for i := range w {
		if 4*i+4 <= len(codeTable) {
			w[i] = math.Float32frombits(binary.LittleEndian.Uint32([]byte(codeTable[4*i : 4*i+4])))
		}
	}
	return &w
})

// Code returns the probability that a text is source code, from 0 to 1. For an empty text, it
// returns 0.
func Code(text []byte) float64 {
	if len(text) == 0 {
		return 0
	}
	weights := codeWeights()
	sum, last := 0.0, pairClass['\n']
	for _, b := range text {
		c := pairClass[b]
		sum += float64(weights[int(last)*pairClasses+int(c)])
		last = c
	}
	return logistic(sum/float64(len(text)) + float64(weights[pairClasses*pairClasses]))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
