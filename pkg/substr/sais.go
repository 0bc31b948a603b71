package substr

// A code is a symbol of a text whose symbols were numbered, so that an array
// can be indexed by them.
type code interface{ ~uint8 | ~uint16 | ~int32 }

// suffixArray fills sa with the starts of the suffixes of the text in their
// order. All symbols are below k; len(sa) = len(text).
//
// It is induced sorting (G. Nong, S. Zhang, W. H. Chan, Two efficient
// algorithms for linear time suffix array construction, IEEE Trans. Computers
// 60, 2011). A suffix is of type S if it is smaller than the one that starts
// at the next symbol, else of type L; the first S after an L is an LMS suffix.
// Once the LMS suffixes are sorted, a scan to the right puts each L suffix in
// place and a scan to the left each S suffix. The LMS suffixes are sorted by
// the same two scans as far as the next LMS symbol, and, where that leaves
// ties, by the suffix array of the text that has a name for each of them.
//
// Cost: linear, 4 bytes a symbol besides sa at most; 50 to 75 ns a symbol for
// texts of 140 kB to 20 MB (BenchmarkSuffixArray).
func suffixArray[T code](text []T, sa []int32, k int) {
	n := len(text)
	if n < 2 {
		clear(sa)
		return
	}
	s := &sorter[T]{text: text, sa: sa, counts: make([]int32, k), bucket: make([]int32, k)}
	for _, c := range text {
		s.counts[c]++
	}
	clear(sa)
	s.tails()
	m := 0
	s.eachLMS(func(i int) {
		m++
		s.pushTail(i)
	})
	if m > 1 {
		s.induceL()
		s.induceS()
		s.sortLMS(m)
	}
	s.induceL()
	s.induceS()
}

type sorter[T code] struct {
	text   []T
	sa     []int32 // 0 is also an empty place: suffix 0 is never an LMS suffix
	counts []int32 // of each symbol
	bucket []int32 // where the next suffix that starts with the symbol goes
}

// tails points the buckets behind their last places.
func (s *sorter[T]) tails() {
	sum := int32(0)
	for c, n := range s.counts {
		sum += n
		s.bucket[c] = sum
	}
}

func (s *sorter[T]) pushTail(i int) {
	c := s.text[i]
	s.bucket[c]--
	s.sa[s.bucket[c]] = int32(i)
}

// eachLMS calls fn with the LMS suffixes, the last first.
func (s *sorter[T]) eachLMS(fn func(i int)) {
	text := s.text
	isS := false // the last suffix is greater than the empty one
	for i := len(text) - 2; i >= 0; i-- {
		switch {
		case text[i] < text[i+1]:
			isS = true
		case text[i] > text[i+1] && isS:
			isS = false
			fn(i + 1)
		}
	}
}

// induceL and induceS sort all suffixes, given the LMS suffixes in order at the ends of
// their buckets.
//
// While a suffix waits for the scan that shall use it, it is written as it is;
// if that scan has nothing to do with it, as its complement. So the scan need
// not look at the text, which would cost a cache miss each time.
func (s *sorter[T]) induceL() {
	text, sa, bucket := s.text, s.sa, s.bucket
	sum := int32(0)
	for c, n := range s.counts {
		bucket[c] = sum
		sum += n
	}
	put := func(i int32) {
		c := text[i]
		at := bucket[c]
		bucket[c]++
		if i > 0 && text[i-1] < c { // what comes before is of type S
			i = ^i
		}
		sa[at] = i
	}
	put(int32(len(text) - 1))
	for at, i := range sa {
		sa[at] = ^i
		if i > 0 {
			put(i - 1)
		}
	}
}

func (s *sorter[T]) induceS() {
	text, sa, bucket := s.text, s.sa, s.bucket
	s.tails()
	for at := len(sa) - 1; at >= 0; at-- {
		i := sa[at]
		if i <= 0 {
			sa[at] = ^i
			continue
		}
		i--
		c := text[i]
		bucket[c]--
		if i == 0 || text[i-1] > c { // what comes before is of type L
			sa[bucket[c]] = ^i
		} else {
			sa[bucket[c]] = i
		}
	}
}

// sortLMS leaves the m LMS suffixes, sorted, at the ends of their buckets, and
// all other places empty. They are sorted as far as the next LMS symbol.
func (s *sorter[T]) sortLMS(m int) {
	text, sa, n := s.text, s.sa, len(s.text)
	// After induceS the buckets point to their first suffix of type S: of these the LMS
	// suffixes go to the beginning.
	got, from := 0, int32(0)
	for c, n := range s.counts {
		for _, i := range sa[s.bucket[c] : from+n] {
			if i > 0 && text[i-1] > text[i] {
				sa[got] = i
				got++
			}
		}
		from += n
	}
	clear(sa[m:])
	names := s.name(m)
	reduced := sa[n-m:]
	if names < m {
		suffixArray(reduced, sa[:m], names)
	} else {
		for i, name := range reduced {
			sa[name] = int32(i)
		}
	}
	at := n
	s.eachLMS(func(i int) {
		at--
		sa[at] = int32(i)
	})
	for i, r := range sa[:m] {
		sa[i] = reduced[r]
	}
	clear(sa[m:])
	s.tails()
	for i := m - 1; i >= 0; i-- {
		lms := int(sa[i])
		sa[i] = 0
		s.pushTail(lms)
	}
}

// name writes, at the end of sa and in the order of the text, a number for
// each of the m LMS substrings at its beginning, equal for equal ones and in
// their order, and returns how many numbers there are.
func (s *sorter[T]) name(m int) int {
	text, sa := s.text, s.sa
	table := sa[m:] // by half the position: LMS suffixes are never neighbours
	end := len(text)
	s.eachLMS(func(i int) {
		table[i>>1] = int32(end - i) // the length of the LMS substring, less the symbol that ends it
		end = i
	})
	names, last, lastLen := int32(0), int32(0), int32(0)
	for at, i := range sa[:m] {
		length := table[i>>1]
		if at > 0 && !s.same(int(last), int(lastLen), int(i), int(length)) {
			names++
		}
		table[i>>1] = names + 1
		last, lastLen = i, length
	}
	to := len(sa)
	for at := len(table) - 1; at >= 0; at-- {
		if table[at] > 0 {
			to--
			sa[to] = table[at] - 1
		}
	}
	return int(names) + 1
}

// same reports whether the LMS substrings i and j, of the given lengths, are
// equal, with the LMS symbol that ends them. The last of the text is like no other.
func (s *sorter[T]) same(i, ni, j, nj int) bool {
	if ni != nj || i+ni >= len(s.text) || j+nj >= len(s.text) {
		return false
	}
	for d := 0; d <= ni; d++ {
		if s.text[i+d] != s.text[j+d] {
			return false
		}
	}
	return true
}
