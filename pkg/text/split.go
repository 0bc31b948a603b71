package text

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/sentences"

	"doppel/pkg/text/utf"
)

// A Splitting is a way to split a text into parts. Blank lines and white space belong to the part
// before them, so that removing a part leaves no blank lines behind. At the start of the text, they
// belong to no part.
type Splitting int

// The splittings. Set also accepts wN, which makes every N words a part.
const (
	Unsplit    Splitting = iota
	ByLine               // each non-blank line begins a part
	ByBlank              // each paragraph is a part; paragraphs are separated by blank lines
	BySentence           // each non-blank sentence, as defined by UAX 29, begins a part
	byWords              // byWords+n: every n words form a part
)

var splittings = []string{"", "line", "blank", "sentence"}

func (s Splitting) String() string {
	if s > byWords {
		return fmt.Sprintf("w%d", s-byWords)
	}
	return splittings[s]
}

// Set parses the name of a splitting. It implements pflag.Value.
func (s *Splitting) Set(v string) error {
	words, isWords := strings.CutPrefix(v, "w")
	n, err := strconv.Atoi(words)
	switch {
	case v == "line" || v == "lines":
		*s = ByLine
	case v == "blank" || v == "paragraphs":
		*s = ByBlank
	case v == "sentence" || v == "sentences":
		*s = BySentence
	case isWords && err == nil && n > 0 && n <= math.MaxInt-int(byWords):
		*s = byWords + Splitting(n)
	default:
		return fmt.Errorf("invalid parts %q: want lines, paragraphs, sentences or wN", v)
	}
	return nil
}

// Type returns the name that help shows for the flag's argument.
func (s *Splitting) Type() string { return "PARTS" }

// lead returns the number of bytes before the first part: blank lines, blank sentences or, before
// words, white space. It is the length of the text if the text is blank.
func (s Splitting) lead(text []byte) (n int) {
	if s > byWords {
		return len(text) - len(bytes.TrimLeftFunc(text, unicode.IsSpace))
	}
	blank := text[:len(text)-len(bytes.TrimLeft(text, blanks))]
	switch {
	case len(blank) == len(text):
		return len(blank)
	case s == BySentence:
		for all := sentences.FromBytes(text); all.Next() && len(trimBlank(all.Value())) == 0; {
			n = all.End()
		}
		return n
	}
	return bytes.LastIndexByte(blank, '\n') + 1
}

// next returns the length in bytes of the first part of a text that begins with a part.
func (s Splitting) next(text []byte) (at int) {
	switch {
	case s == BySentence:
		return nextSentence(text)
	case s > byWords: // skip words, each with the white space after it
		for n := s - byWords; n > 0 && at < len(text); n-- {
			at += wordLen(text[at:])
			at = len(text) - len(bytes.TrimLeftFunc(text[at:], unicode.IsSpace))
		}
		return at
	}
	for wasBlank := false; at < len(text); {
		end := at + 1 + bytes.IndexByte(text[at:], '\n')
		if end == at {
			end = len(text)
		}
		blank := len(trimBlank(text[at:end])) == 0
		if at > 0 && !blank && (s == ByLine || wasBlank) {
			return at
		}
		wasBlank, at = blank, end
	}
	return at
}

// wordLen returns the length in bytes of the first word of a text that does not begin with white
// space: a character of a script without spaces, with its marks, or a run of other characters.
func wordLen(text []byte) (n int) {
	alone := false
	for n < len(text) {
		r, size := utf.Decode(text[n:])
		spaceless := r >= 0x0e00 && unicode.In(r, utf.Spaceless...)
		if unicode.IsSpace(r) || n > 0 && (alone || spaceless) && !unicode.Is(unicode.M, r) {
			break
		}
		alone = alone || spaceless
		n += size
	}
	return n
}

// nextSentence returns the end of the first sentence and of the white space and blank sentences
// after it.
func nextSentence(text []byte) int {
	for all := sentences.FromBytes(text); all.Next(); {
		next := text[all.End():]
		if len(next) > 0 && (strings.IndexByte(blanks, next[0]) < 0 || len(trimBlank(sentences.FromBytes(next).First())) > 0) {
			return all.End()
		}
	}
	return len(text)
}

// Each calls fn for each part that has at least the given number of bytes, not counting the white
// space at its ends. fn gets the part without that white space, but text[start:end] includes it.
func (s Splitting) Each(text []byte, least int, fn func(part []byte, start, end int)) {
	for start, end := s.lead(text), 0; start < len(text); start = end {
		end = start + s.next(text[start:])
		if part := trimBlank(text[start:end]); len(part) >= least {
			fn(part, start, end)
		}
	}
}

const blanks = " \t\r\n\v\f"

// trimBlank returns the text without ASCII white space at its ends.
func trimBlank(text []byte) []byte { return bytes.Trim(text, blanks) }
