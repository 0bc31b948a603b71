package passage

import (
	"iter"
	"slices"

	"doppel/pkg/fingerprint"
)

// A Run is a sequence of passages of one text that start at consecutive units and have the same
// least hash.
type Run struct {
	Hash  uint64 // least hash, mixed; its high KeyBits bits are the key
	Start int    // start of the first passage, in units
	Count int    // number of passages, 1 to MaxCount
	Twice bool   // whether the least hash occurs twice in the run, so two of its passages may be equal
}

// MaxCount is the maximum number of passages in a run. A Signer splits longer runs. Without a
// limit, a text full of padding would be one very long run.
const MaxCount = 256

// KeyBits is the number of bits in a key.
const KeyBits = 55

// Key returns the key of the run. Two runs that share a passage have equal keys. Runs without a
// common passage have equal keys if their least hashes come from equal windows, and otherwise with
// probability 2^-55.
func (r Run) Key() uint64 { return r.Hash >> (64 - KeyBits) }

// End returns the end of the run's text, in units.
func (r Run) End(s Scheme) int { return r.Start + r.Count - 1 + s.Length }

// A Signer finds the runs of texts. It is not safe for concurrent use.
type Signer struct {
	scheme Scheme
	hasher *fingerprint.Hasher
	units  *Units
	hashes []uint64
	runs   []Run
	bytes  []byte   // if units are bytes: bytes left over from earlier chunks, then the current chunk
	values []uint64 // if units are words: the same for hashes of words
	least  leastHash
}

// NewSigner returns a Signer for a scheme. It returns an error if [Scheme.Check] does.
func NewSigner(s Scheme) (*Signer, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	h, err := s.hasher(s.Window)
	return &Signer{scheme: s, hasher: h, units: NewUnits(s)}, err
}

// chunk is the number of units that a Signer hashes in one step. A chunk is small so that its
// hashes stay in the CPU cache, and so that the words and runs of a long text are never all in
// memory. Words with their positions and hashes need ten times the memory of the text.
const chunk = 4096

// Each yields the runs of a text in order, several at a time. A slice is valid only until the next
// slice is yielded. Each passage of the text is in exactly one run, so a run starts where the
// previous run ends. A text of fewer than L units has no runs.
func (s *Signer) Each(text []byte) iter.Seq[[]Run] {
	return func(yield func([]Run) bool) {
		s.least = leastHash{width: s.scheme.Length - s.scheme.Window + 1, at: -1}
		if s.scheme.Unit == Bytes {
			s.bytes = eachRuns(s, s.bytes[:0], slices.Chunk(text, chunk), s.hasher.AppendBytes, yield)
			return
		}
		// Read the words in slices that fit in the CPU cache, and discard their positions.
		u := s.units
		values := func(yield func([]uint64) bool) {
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
		s.values = eachRuns(s, s.values[:0], values, s.hasher.AppendValues, yield)
	}
}

// eachRuns yields the runs of a text whose units come in parts. The argument units is used as a
// buffer and is returned for reuse.
func eachRuns[T any](s *Signer, units []T, parts iter.Seq[[]T], hashes func([]uint64, []T) []uint64, yield func([]Run) bool) []T {
	first, length := 0, s.scheme.Length
	for part := range parts {
		if units = append(units, part...); len(units) < length {
			continue
		}
		n := len(units) - length + 1
		s.hashes = hashes(s.hashes[:0], units)
		if s.runs = s.least.scan(s.runs[:0], s.hashes, first, n); !yield(s.runs) {
			return units
		}
		units = append(units[:0], units[n:]...)
		first += n
	}
	if first > 0 {
		yield(s.least.end(s.runs[:0], first))
	}
	return units
}

// A leastHash tracks the least hash of each passage in turn. If the next passage lacks the window
// of this hash, search finds the new least hash. The searches take one comparison per hash on
// average, because the least of n random hashes is lost about once in n steps. Van Herk's method,
// which package fingerprint uses, takes three comparisons per hash and yields values without
// positions.
type leastHash struct {
	width int    // number of windows in a passage
	hash  uint64 // least hash
	at    int    // index of the last occurrence of the least hash in the current chunk's hashes
	start int    // number of the current run's first passage
	twice bool
}

// scan appends to dst the runs that end within the next n passages, whose window hashes are h. The
// argument first is the number of passages in the text that precede these n passages.
func (l *leastHash) scan(dst []Run, h []uint64, first, n int) []Run {
	for i := range n {
		last := i + l.width - 1
		switch x := h[last]; {
		case l.at < i:
			dst = l.search(dst, h[i:last+1], first, i)
		case x < l.hash:
			dst = l.startRun(dst, x, first+i)
			l.at = last
		case x == l.hash:
			l.at, l.twice = last, true
		}
	}
	l.at -= n
	return dst
}

// search finds the least hash of the i-th passage, whose window hashes are h. If the least hash
// changes, search ends the current run before this passage.
func (l *leastHash) search(dst []Run, h []uint64, first, i int) []Run {
	hash, at, twice := h[0], 0, false
	for j, x := range h[1:] {
		if x <= hash {
			twice = x == hash
			hash, at = x, j+1
		}
	}
	l.at = i + at
	if hash == l.hash && first+i > 0 { // an equal hash replaced the old one
		l.twice = true
		return dst
	}
	dst = l.startRun(dst, hash, first+i)
	l.twice = twice
	return dst
}

// startRun ends the current run before the given passage, and begins a run with a new hash there.
func (l *leastHash) startRun(dst []Run, hash uint64, passage int) []Run {
	dst = l.end(dst, passage)
	l.hash, l.start, l.twice = hash, passage, false
	return dst
}

// end ends the current run before the given passage, splits it into runs of at most MaxCount
// passages, and appends these runs to dst.
func (l *leastHash) end(dst []Run, passage int) []Run {
	// The least of many hashes is small, but a sort by high bits needs evenly spread keys. So the
	// hashes are spread by a bijection.
	h := l.hash * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	for l.start < passage {
		n := min(MaxCount, passage-l.start)
		dst = append(dst, Run{h, l.start, n, l.twice})
		l.start += n
	}
	return dst
}
