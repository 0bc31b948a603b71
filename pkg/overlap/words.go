package overlap

import (
	"unicode"
	"unicode/utf8"

	"doppel/pkg/text"
	"doppel/pkg/text/utf"
)

// words hashes and normalises the words of texts. It is not safe for concurrent use.
type words struct {
	how      text.Normalization
	shingler *text.Shingler
	hashes   []uint64
}

func newWords(how text.Normalization) *words {
	one := text.Options{Shingle: text.Shingling{Unit: text.Words, N: 1}, Normalize: how}
	return &words{how: how, shingler: text.NewShingler(one)}
}

// count returns the number of words in a text.
func (w *words) count(b []byte) int {
	w.hashes = w.shingler.Append(w.hashes[:0], b)
	return len(w.hashes)
}

// spell appends the normalised words of b to dst, separated by spaces. Under text.None, the
// shingler keeps white space unchanged, so spell splits the text into words itself.
func (w *words) spell(dst, b []byte) []byte {
	if w.how != text.None {
		return w.shingler.Normalized(dst, b)
	}
	begin, open := len(dst), false
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		separates := r == 0 || unicode.IsSpace(r)
		alone := r > unicode.MaxLatin1 && !(r == utf8.RuneError && n == 1) && unicode.In(r, utf.Spaceless...)
		if !separates {
			if (!open || alone) && len(dst) > begin {
				dst = append(dst, ' ')
			}
			dst = append(dst, b[:n]...)
		}
		open = !separates && !alone
		b = b[n:]
	}
	return dst
}
