package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain is a simple implementation of Append.
func (s *Shingler) plain(text string) (hashes []uint64) {
	units := plainWords(text, s.opt.Normalize)
	if s.opt.Shingle.Unit == Chars {
		if s.opt.Normalize != None {
			text = strings.Join(units, " ")
		}
		return s.plainChars(text)
	}
	n := s.opt.Shingle.N
	if len(units) < n {
		n = len(units)
	}
	for i := 0; n > 0 && i+n <= len(units); i++ {
		var h uint64
		for _, w := range units[i : i+n] {
			h = h*wordBase + plainHash(w)
		}
		if n < s.opt.Shingle.N {
			h += uint64(n) * shortMul
		}
		hashes = append(hashes, finish(h))
	}
	return hashes
}

func (s *Shingler) plainChars(text string) (hashes []uint64) {
	starts := []int{}
	for i := range text {
		starts = append(starts, i)
	}
	units := len(starts)
	starts = append(starts, len(text))
	n := s.opt.Shingle.N
	if 0 < units && units < n {
		return []uint64{finish(plainHash(text) + uint64(units)*shortMul)}
	}
	for i := 0; i+n <= units; i++ {
		hashes = append(hashes, finish(plainHash(text[starts[i]:starts[i+n]])))
	}
	return hashes
}

func plainWords(text string, how Normalization) []string {
	if how == Aggressive {
		text = norm.NFKD.String(text)
	}
	c := classesOf(how)
	var b strings.Builder
	for i, r := range text {
		to, k := c.classify(r)
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			if v := c.invalid(text[i]); v != 0 {
				b.WriteByte(v)
			} else {
				b.WriteByte(0)
			}
			continue
		}
		switch {
		case k == separator:
			b.WriteByte(0)
		case k&alone != 0:
			b.WriteString("\x00" + string(to) + "\x00")
		default:
			b.WriteRune(to)
		}
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return r == 0 })
}

// plainHash is a simple implementation of hashWord.
func plainHash(w string) uint64 {
	h := uint64(len(w)) * lengthMul
	for len(w) > 0 {
		var x uint64
		n := min(8, len(w))
		for i := range n {
			x |= uint64(w[i]) << (8 * i)
		}
		h = mum(h^x, wordMul)
		w = w[n:]
	}
	return h
}
