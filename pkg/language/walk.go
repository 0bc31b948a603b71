package language

import "unicode/utf8"

// batch is how many trigrams are handed on at a time: as many weights as a
// 16-bit lane of a score holds.
const batch = 256

// A walker goes over a text and collects the trigrams of its letters, in lower
// case, those of each script apart. Whatever is not a letter of the script is
// a space, and spaces are joined.
type walker struct {
	bytes [scripts]int // of the letters, by script
	runs  [modelled]run
	take  taker
}

// A taker is given up to batch trigrams of a script.
type taker func(s script, grams []uint64)

// A run is the state of one script: its last three letters, 16 bits each, and
// the trigrams that wait to be handed on.
type run struct {
	window uint64
	n      int
	grams  [batch]uint64
}

const (
	boundary = ' '       // the space in a trigram
	trigram  = 1<<48 - 1 // what of a window is one
)

func (w *walker) walk(b []byte, take taker) {
	w.bytes, w.take = [scripts]int{}, take
	for s := range w.runs {
		w.runs[s].window = boundary
	}
	last := none // the script of the open word
	for i := 0; i < len(b); {
		r, size := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
		}
		s, letter := classify(r)
		w.bytes[s] += size
		if s >= modelled {
			s = none
		}
		if s != last && last != none {
			w.push(last, boundary)
		}
		if s != none {
			w.push(s, letter)
		}
		last = s
		i += size
	}
	w.end(last)
}

// end closes the open word and hands on what is left.
func (w *walker) end(last script) {
	if last != none {
		w.push(last, boundary)
	}
	for s := latin; s < modelled; s++ {
		w.flush(s)
	}
}

// push moves the window of a script on by one letter.
func (w *walker) push(s script, letter uint16) {
	r := &w.runs[s]
	r.window = (r.window<<16 | uint64(letter)) & trigram
	r.grams[r.n] = r.window
	if r.n++; r.n == batch {
		w.flush(s)
	}
}

func (w *walker) flush(s script) {
	r := &w.runs[s]
	if r.n > 0 {
		w.take(s, r.grams[:r.n])
	}
	r.n = 0
}
