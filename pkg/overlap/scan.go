package overlap

import (
	"bytes"
	"cmp"
	"slices"

	"doppel/pkg/text"
)

// A Hit is an occurrence of a window of the test items in a training text.
type Hit struct {
	Window     uint32
	Start, End int // byte range in the text; both are 0 if the scanner does not locate hits
}

// A Scanner searches texts for the windows of an index. It is not safe for concurrent use.
type Scanner struct {
	index    *Index
	words    *words
	hashes   []uint64 // hashes of the words in memory; these are only a part of the text
	sums     []uint64
	found    []candidate
	spelled  []byte
	locator  locator
	position []int
}

// A candidate is a sequence of words that may be a window, judging by its hash.
type candidate struct {
	word, length int // word: number of the first word, counted from the start of the text; length: number of words
	hash         uint64
}

// NewScanner returns a scanner. If locate is true, the scanner sets the byte ranges of hits.
func (x *Index) NewScanner(locate bool) *Scanner {
	s := &Scanner{index: x, words: newWords(x.opt.Normalize)}
	if locate {
		s.locator.words = s.words
	}
	return s
}

// Scan appends a hit to dst for each occurrence of a window in the text, in the order of the text.
func (s *Scanner) Scan(dst []Hit, body []byte) []Hit {
	s.found = s.found[:0]
	s.hashes = s.words.shingler.Append(text.Reuse(s.hashes), body)
	s.search()
	if len(s.found) == 0 {
		return dst
	}
	slices.SortFunc(s.found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.length, b.length))
	})
	s.spelled = s.words.spell(s.spelled[:0], body)
	return s.verify(dst, body)
}

// search finds the candidates among the words of the text.
func (s *Scanner) search() {
	s.sums = appendSums(s.sums[:0], s.hashes)
	x, sums := s.index, s.sums
	for i := range x.streams {
		st := &x.streams[i]
		most := len(s.hashes) - st.words + 1
		if most <= 0 {
			continue
		}
		begin, end, p, shift, filter := sums[:most], sums[st.words:][:most], st.power, x.shift&63, x.filter
		for k, sum := range begin {
			h := hashSum(end[k]-sum*p, st.words) & x.narrow
			if bits := uint64(1)<<(h&63) | 1<<(h>>6&63); filter[h>>shift]&bits == bits {
				s.addCandidates(st, k)
			}
		}
	}
}

// addCandidates adds the candidates that begin at the k-th word of the text and have one of the
// stream's lengths.
func (s *Scanner) addCandidates(st *stream, k int) {
	for i, n := range st.lengths {
		if k+n >= len(s.sums) {
			return
		}
		h := hashSum(s.sums[k+n]-s.sums[k]*st.powers[i], n) & s.index.narrow
		if s.index.mayHave(h) {
			s.found = append(s.found, candidate{k, n, h})
		}
	}
}

// verify appends a hit to dst for each candidate that has the words of a window.
func (s *Scanner) verify(dst []Hit, text []byte) []Hit {
	word, at, from := 0, 0, len(dst)
	s.position = s.position[:0]
	for _, c := range s.found {
		for ; word < c.word; word++ {
			at += bytes.IndexByte(s.spelled[at:], ' ') + 1
		}
		run := s.spelled[at:]
		if slot, ok := s.index.findSlot(c.hash, c.length, run[:endOf(run, c.length)]); ok {
			dst = append(dst, Hit{Window: s.index.slots[slot] - 1})
			s.position = append(s.position, c.word, c.word+c.length-1)
		}
	}
	if s.locator.words != nil && len(dst) > from {
		s.locator.locate(text, s.position)
		for i := range dst[from:] {
			dst[from+i].Start, _ = s.locator.position(s.position[2*i])
			_, dst[from+i].End = s.locator.position(s.position[2*i+1])
		}
	}
	return dst
}
