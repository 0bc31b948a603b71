package language

import "unicode/utf8"

// batch is the maximum number of trigrams passed to an emitFunc at a time. The sum of that many
// weights fits into a 16-bit lane.
const batch = 256

// A walker reads a text and collects the trigrams of its letters, in lower case, separately for
// each script. Everything but letters of the script counts as a space, and consecutive spaces
// are merged.
type walker struct {
	bytes [scripts]int // number of bytes of letters in each script
	runs  [modelled]run
	emit  emitFunc
}

// An emitFunc receives the next trigrams of a script. Their number never exceeds batch.
type emitFunc func(s script, grams []uint64)

// A run contains the state of one script: its last three letters, 16 bits each, and the n
// trigrams that have not been passed to emit yet.
type run struct {
	window uint64
	n      int
	grams  [batch]uint64
}

const (
	boundary = ' '       // represents a space in a trigram
	trigram  = 1<<48 - 1 // mask of the last three letters in a window
)

func (w *walker) walkText(b []byte, emit emitFunc) {
	fillLetters()
	w.bytes, w.emit = [scripts]int{}, emit
	for s := range w.runs {
		w.runs[s].window = boundary
	}
	for i := 0; i < len(b); {
		l, size := letterTable[b[i]], 1
		if b[i] >= utf8.RuneSelf {
			l, size = decode(b[i:])
		}
		s, end := l.script(), i+size
		if none < s && s < modelled {
			end = w.walkWord(s, b, i)
		}
		w.bytes[s] += end - i
		i = end
	}
	for s := latin; s < modelled; s++ {
		w.flush(s)
	}
}

// walkWord reads the word that begins at b[i] and has letters of the script s. It returns the
// offset of the word's end. The state is kept in local variables, which is three times as fast as
// updating memory for each letter.
func (w *walker) walkWord(s script, b []byte, i int) int {
	r := &w.runs[s]
	window, n := r.window, uint(r.n)
	for i < len(b) {
		l, size := letterTable[b[i]], 1
		if b[i] >= utf8.RuneSelf {
			l, size = decode(b[i:])
		}
		if l.script() != s {
			break
		}
		window = (window<<16 | l.lower()) & trigram
		r.grams[n%batch] = window
		if n++; n == batch {
			w.emit(s, r.grams[:])
			n = 0
		}
		i += size
	}
	r.window, r.n = window, int(n)
	w.pushLetter(s, boundary)
	return i
}

// pushLetter appends one letter to the window of a script.
func (w *walker) pushLetter(s script, lower uint64) {
	r := &w.runs[s]
	r.window = (r.window<<16 | lower) & trigram
	r.grams[r.n] = r.window
	if r.n++; r.n == batch {
		w.flush(s)
	}
}

func (w *walker) flush(s script) {
	r := &w.runs[s]
	if r.n > 0 {
		w.emit(s, r.grams[:r.n])
	}
	r.n = 0
}
