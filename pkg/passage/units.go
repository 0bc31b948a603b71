package passage

import (
	"iter"

	"github.com/cespare/xxhash/v2"
)

// Units are the units of a text: its bytes, or its normalised words and where
// each stands in the text. It owns scratch memory and is not safe for
// concurrent use.
type Units struct {
	text   []byte   // for bytes
	folded []byte   // for words: they, with a space after each
	ends   []int    // of each in folded, the space included
	values []uint64 // the hash of each
	places []int    // start and end of each in the text
	open   int      // where in folded the word starts that is being read
	letter *letters // nil for bytes
}

// NewUnits returns Units for the texts of a scheme.
func NewUnits(s Scheme) *Units {
	u := &Units{}
	if s.Unit == Words {
		u.letter = newLetters(s.Normalize)
	}
	return u
}

// Set finds the units of a text, which is not copied.
func (u *Units) Set(text []byte) {
	u.text = text
	if u.letter == nil {
		return
	}
	u.empty()
	u.read(text, nil)
}

// eachValues yields the values of the words, so many at a time that they stay in the
// cache. Of where the words stand it holds nothing.
func (u *Units) eachValues(text []byte) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		u.text = nil
		u.empty()
		goes := u.read(text, func() bool {
			if len(u.values) < chunk {
				return true
			}
			goes := yield(u.values)
			u.empty()
			return goes
		})
		if goes {
			yield(u.values)
		}
	}
}

func (u *Units) empty() {
	u.folded, u.ends, u.values, u.places, u.open = u.folded[:0], u.ends[:0], u.values[:0], u.places[:0], 0
}

// read reads words, as long as goes, if it is not nil, says so between them, and reports
// whether it read all.
func (u *Units) read(text []byte, goes func() bool) bool {
	for at := 0; at < len(text); {
		l, n := u.letter.next(text[at:])
		if l.kind != inWord {
			u.close(at)
		}
		if l.kind != separator && len(u.folded) == u.open {
			u.places = append(u.places, at)
		}
		u.folded = append(u.folded, l.folded...)
		at += n
		if l.kind == wholeWord {
			u.close(at)
		}
		if l.kind != inWord && goes != nil && !goes() {
			return false
		}
	}
	u.close(len(text))
	return true
}

// close ends the word that is being read, if there is one.
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

// Len is the number of units.
func (u *Units) Len() int {
	if u.letter == nil {
		return len(u.text)
	}
	return len(u.ends)
}

// Text is the units from i up to j: bytes as they are, or normalised words
// with a space after each. It is valid until the next Set.
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

// Place is where the units from i up to j, at least one, stand in the text, in
// bytes.
func (u *Units) Place(i, j int) (start, end int) {
	if u.letter == nil {
		return i, j
	}
	return u.places[2*i], u.places[2*j-1]
}
