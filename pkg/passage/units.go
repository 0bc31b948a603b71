package passage

import (
	"github.com/cespare/xxhash/v2"

	"doppel/pkg/text"
)

// Units holds the units of a text: its bytes, or its normalised words with their positions in the
// text. It is not safe for concurrent use.
//
// Words need ten times the memory of their text. The memory of a long text is freed by the next
// call of Set.
type Units struct {
	text   []byte
	folded []byte        // the words, normalised, with a space after each
	ends   []int         // end of each word, with its space, as an offset in the slice folded
	values []uint64      // hash of each word
	places []int         // start and end of each word, as offsets in the text
	open   int           // start of the word being read, as an offset in the slice folded
	letter *text.Letters // normalises letters; nil if the units are bytes
}

// mostKept is the maximum size in bytes of the normalised words whose memory Set keeps.
const mostKept = 1 << 22

// NewUnits returns Units for texts of a scheme.
func NewUnits(s Scheme) *Units {
	u := &Units{}
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
	if cap(u.folded) > mostKept {
		*u = Units{text: text, letter: u.letter}
	}
	u.empty()
	u.read(text, nil)
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
	return len(u.ends)
}

// Text returns the units [i, j): unchanged bytes, or normalised words with a space after each. The
// result is valid until the next method call.
func (u *Units) Text(i, j int) []byte {
	if u.letter == nil {
		return u.text[i:j]
	}
	start := 0
	if i > 0 {
		start = u.ends[i-1]
	}
	return u.folded[start:u.ends[j-1]]
}

// Place returns the byte range of the units [i, j); j must be greater than i.
func (u *Units) Place(i, j int) (start, end int) {
	if u.letter == nil {
		return i, j
	}
	return u.places[2*i], u.places[2*j-1]
}
