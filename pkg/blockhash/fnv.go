package blockhash

// In FNV-1a, the step for each byte waits four cycles for the multiplication of the previous step.
// The hashes of different files do not depend on each other, so one loop computes four of them,
// each in its own lane.
//
// On texts of 12 kB, the loop hashes 3.2 GB/s with four lanes and 0.8 GB/s with one (go test -bench
// . ./pkg/blockhash).

const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

// fnv continues the FNV-1a hash h with the bytes of text.
func fnv(h uint64, text []byte) uint64 {
	for _, c := range text {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}

// An fnvStream is a [digest.Stream]. Its value is the FNV-1a hash of the text so far.
type fnvStream uint64

func (s *fnvStream) Reset() { *s = fnvOffset }

func (s *fnvStream) Write(p []byte) (int, error) {
	*s = fnvStream(fnv(uint64(*s), p))
	return len(p), nil
}

func (s *fnvStream) Sum() Sum { return Sum{Hi: uint64(*s)} }

const lanes = 4

type lane struct {
	h    uint64
	rest []byte
	text int // index into texts
}

// fnvSums sets sums[i] to the hash of texts[i]. When a lane has finished a text, it starts the next
// one. When no text is left to start, the texts of the other lanes are finished one by one.
func fnvSums(sums []Sum, texts [][]byte) {
	if len(texts) < lanes {
		for i, t := range texts {
			sums[i] = Sum{Hi: fnv(fnvOffset, t)}
		}
		return
	}
	var ls [lanes]lane
	for i := range ls {
		ls[i] = lane{fnvOffset, texts[i], i}
	}
	for next := lanes; ; {
		advanceLanes(&ls)
		for i := range ls {
			l := &ls[i]
			if len(l.rest) > 0 {
				continue
			}
			if next == len(texts) {
				for _, l := range ls {
					sums[l.text] = Sum{Hi: fnv(l.h, l.rest)}
				}
				return
			}
			sums[l.text] = Sum{Hi: l.h}
			*l, next = lane{fnvOffset, texts[next], next}, next+1
		}
	}
}

// advanceLanes advances all lanes by the number of bytes left in the shortest lane.
func advanceLanes(ls *[lanes]lane) {
	n := min(len(ls[0].rest), len(ls[1].rest), len(ls[2].rest), len(ls[3].rest))
	a, b, c, d := ls[0].rest[:n], ls[1].rest[:n], ls[2].rest[:n], ls[3].rest[:n]
	h0, h1, h2, h3 := ls[0].h, ls[1].h, ls[2].h, ls[3].h
	for i := range a {
		h0 = (h0 ^ uint64(a[i])) * fnvPrime
		h1 = (h1 ^ uint64(b[i])) * fnvPrime
		h2 = (h2 ^ uint64(c[i])) * fnvPrime
		h3 = (h3 ^ uint64(d[i])) * fnvPrime
	}
	ls[0].h, ls[1].h, ls[2].h, ls[3].h = h0, h1, h2, h3
	for i := range ls {
		ls[i].rest = ls[i].rest[n:]
	}
}
