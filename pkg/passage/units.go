package passage

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/text"
)

// Units holds the units of a text: its bytes, or its normalised words with their positions in the
// text. It is not safe for concurrent use.
//
// Words need ten times the memory of their text, so Units does not keep all words of a long text in
// memory. Instead it records the positions of some words as marks, and rereads the text from the
// last mark before a requested word.
type Units struct {
	text   []byte
	folded []byte        // the words in memory, normalised, with a space after each
	ends   []int         // end of each word in memory, with its space, as an offset in the slice folded
	values []uint64      // hash of each word in memory
	places []int         // start and end of each word in memory, as offsets in the text minus shift
	open   int           // start of the word being read, as an offset in the slice folded
	letter *text.Letters // normalises letters; nil if the units are bytes

	// first is the number of the first word in memory; shift is the offset in the text from which
	// the words in memory were read.
	first, shift int
	count        int // number of words in the text
	marks        []mark
	long         int // maximum size, in bytes, of a text whose words are all kept in memory
}

// A mark holds the number and the byte offset of a word in a long text.
type mark struct{ word, at int }

// A text of more than longText bytes is long. Units records a mark every markEvery words of a long
// text.
const longText, markEvery = 1 << 20, 64

// NewUnits returns Units for texts of a scheme.
func NewUnits(s Scheme) *Units {
	u := &Units{long: longText}
	if s.Unit == Words {
		u.letter = text.NewLetters(s.Normalize)
	}
	return u
}

// Set finds the units of a text. u retains the text until the next call of Set.
func (u *Units) Set(text []byte) {
	u.text = text
	if u.letter == nil {
		return
	}
	u.empty()
	u.first, u.shift, u.marks = 0, 0, u.marks[:0]
	if len(text) <= u.long {
		u.read(text, nil)
		u.count = len(u.ends)
		return
	}
	u.count = 0
	mark := func() bool {
		if len(u.ends) >= markEvery {
			u.mark()
		}
		return true
	}
	u.read(text, mark)
	u.mark()
}

// mark adds a mark for the first word in memory, and removes all words from memory.
func (u *Units) mark() {
	if len(u.ends) > 0 {
		u.marks = append(u.marks, mark{u.count, u.places[0]})
	}
	u.count += len(u.ends)
	u.first = u.count
	u.empty()
}

// load reads the words [i, j) into memory, unless they are already there.
func (u *Units) load(i, j int) {
	if u.first <= i && j <= u.first+len(u.ends) || i == j {
		return
	}
	n, found := slices.BinarySearchFunc(u.marks, i, func(m mark, word int) int { return cmp.Compare(m.word, word) })
	if !found {
		n--
	}
	u.empty()
	u.first, u.shift = u.marks[n].word, u.marks[n].at
	u.read(u.text[u.shift:], func() bool { return u.first+len(u.ends) < j })
}

func (u *Units) empty() {
	u.folded, u.ends, u.values, u.places, u.open = u.folded[:0], u.ends[:0], u.values[:0], u.places[:0], 0
}

// read appends the words of a text to the words in memory. Between words, it calls the given
// function, unless the function is nil, and stops if the call returns false. It reports whether it
// has read the whole text.
func (u *Units) read(body []byte, goes func() bool) bool {
	for at := 0; at < len(body); {
		l, n := u.letter.Next(body[at:])
		if l.Kind != text.InWord {
			u.close(at)
		}
		if l.Kind != text.Separator && len(u.folded) == u.open {
			u.places = append(u.places, at)
		}
		u.folded = append(u.folded, l.Folded...)
		at += n
		if l.Kind == text.WholeWord {
			u.close(at)
		}
		if l.Kind != text.InWord && goes != nil && !goes() {
			return false
		}
	}
	u.close(len(body))
	return true
}

// close ends the word being read, if any, at the given offset in the text.
func (u *Units) close(at int) {
	if len(u.folded) == u.open {
		return
	}
	u.values = append(u.values, xxhash.Sum64(u.folded[u.open:]))
	u.folded = append(u.folded, ' ')
	u.open = len(u.folded)
	u.ends = append(u.ends, u.open)
	u.places = append(u.places, at)
}

// Len returns the number of units.
func (u *Units) Len() int {
	if u.letter == nil {
		return len(u.text)
	}
	return u.count
}

// Text returns the units [i, j): unchanged bytes, or normalised words with a space after each. The
// result is valid until the next method call.
func (u *Units) Text(i, j int) []byte {
	if u.letter == nil {
		return u.text[i:j]
	}
	u.load(i, j)
	start := 0
	if i > u.first {
		start = u.ends[i-u.first-1]
	}
	return u.folded[start:u.ends[j-u.first-1]]
}

// Place returns the byte range of the units [i, j); j must be greater than i.
func (u *Units) Place(i, j int) (start, end int) {
	if u.letter == nil {
		return i, j
	}
	u.load(i, i+1)
	start = u.shift + u.places[2*(i-u.first)]
	u.load(j-1, j)
	return start, u.shift + u.places[2*(j-u.first)-1]
}
