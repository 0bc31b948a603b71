package forecast

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"doppel/pkg/lsh"
)

// A Sample holds the keys of records drawn at random from some files of a dataset.
type Sample struct {
	Frame Frame
	drawn []drawn
}

// A Frame holds the sampling rates of a sample.
type Frame struct {
	Files   float64 // share of the data that is in the drawn files
	Records float64 // share of the drawn files' records that are in the sample
}

// Rate returns the share of all records that are in the sample.
func (f Frame) Rate() float64 { return f.Files * f.Records }

// drawn describes a record of the sample.
type drawn struct {
	frame int // number of the file; 0 for every record if all files were read, so that Rates.Within equals Rates.Across
	place
	bytes int // size of the text in bytes
	keys  []lsh.Key
}

// A place is the number of a file and the ordinal of a record in the file.
type place struct{ file, ordinal int }

// before reports whether p's id precedes q's id in byte order. Ids have the form file:ordinal.
func (p place) before(q place) bool {
	return p.file < q.file || p.file == q.file && strconv.Itoa(p.ordinal) < strconv.Itoa(q.ordinal)
}

// Add adds a record: its file and ordinal, the size of its text in bytes, and its keys. There is
// one key per band, or no key if the text has no shingles. Records must be added in input order.
func (s *Sample) Add(file, ordinal, bytes int, keys []lsh.Key) {
	d := drawn{file, place{file, ordinal}, bytes, slices.Clone(keys)}
	if s.Frame.Files == 1 {
		d.frame = 0
	}
	s.drawn = append(s.drawn, d)
}

// Len returns the number of added records.
func (s *Sample) Len() int { return len(s.drawn) }

// Pairs holds estimates about the candidate pairs of the whole dataset.
type Pairs struct {
	Seen       int     // number of candidate pairs in the sample
	Candidates float64 // number of candidate pairs, each counted once
	Error      float64 // relative standard error of Candidates that is due to sampling
	Most       float64 // probable maximum of Candidates: Candidates plus two standard errors or, if the sample has no pair, the number of pairs that it may have missed
	Lines      float64 // number of candidate pairs, each counted once for each part in which it is found
	Paired     float64 // number of records in candidate pairs
	Copies     float64 // mean number of bins to which a text is copied
	Length     float64 // mean length of the texts in pairs, divided by the mean length of all texts
}

// Pairs estimates the candidate pairs of the whole dataset if its keys are divided into the given
// number of parts. hot is the value of lsh.Pairing.Hot.
//
// A pair of records is in the sample with a known probability. Pairs weights each pair by the
// inverse of that probability (Horvitz and Thompson 1952). The weighted sum is correct for groups
// of any size, with three exceptions: a copy is paired only with the first copy, a hot bucket has
// fewer pairs than its records can form, and Paired counts a record only once even if it has many
// partners. For copies and for Paired, Unthin estimates how many partners the records have. In a
// hot bucket, the number of pairs is proportional to the number of records in the bucket.
func (s *Sample) Pairs(hot, parts int) Pairs {
	rate := s.Frame.Rate()
	r := Rates{Within: s.Frame.Records, Across: rate}
	all := s.groups()
	plain, inHot := all.pairs(hot, rate)
	met := func(buckets int) float64 { // expected number of parts in which a pair with this many shared buckets is found
		n := float64(parts)
		return n * (1 - math.Pow(1-1/n, float64(buckets)))
	}
	p := Pairs{Copies: 1, Length: 1}
	if len(all) == 0 {
		return p
	}
	copies := Unthin(all.copies(nil), r)
	inverse := func(others int) float64 { return 1 / float64(1+others) }
	keyed := 0.0
	for _, g := range all {
		keyed += float64(g.n) / rate
	}
	p.Candidates = keyed * (1 - copies.Mean(inverse))
	p.Lines = p.Candidates * met(len(all[0].keys))
	once := make([]float64, len(all)) // for each group in a pair, the expected value of 1/c, where c is the number of copies in the whole dataset
	if degree := degrees(len(all), plain); len(plain) > 0 {
		copies := Unthin(all.copies(degree), r) // count only records in pairs, because these often have more copies than other records
		for i, g := range all {
			for _, n := range g.files {
				if degree[i] > 0 {
					once[i] += float64(n) / float64(g.n) * copies.Given(Seen{n - 1, g.n - n}, inverse)
				}
			}
		}
	}
	for _, one := range plain {
		a, b := &all[one.a], &all[one.b]
		within := a.within(b)
		weight := (float64(within)/r.Within + float64(a.n*b.n-within)/r.Across) / rate * once[one.a] * once[one.b]
		p.Candidates += weight
		p.Lines += weight * met(one.buckets)
	}
	for _, one := range inHot {
		p.Candidates += one.weight / rate
		p.Lines += one.weight / rate * met(one.buckets)
	}
	both := append(plain, inHot...)
	n := all.partners(both)
	p.Copies = s.copiesInBins(all, both, parts)
	p.Paired = keyed * (1 - Unthin(n.seen, r).Mean(func(n int) float64 { return float64(1 - min(n, 1)) }))
	p.Seen = int(n.pairs)
	p.Most = p.Candidates
	if rate < 1 && n.pairs == 0 {
		p.Most = 3 / (rate * rate) // if the dataset has this many pairs, one sample in twenty has no pair
	}
	if n.pairs > 0 {
		p.Error = math.Sqrt(n.pairs*(1-rate*rate)+n.adjacent*(1-rate)) / n.pairs
		p.Most *= 1 + 2*p.Error
		p.Length = s.length(all, n.paired)
	}
	return p
}

// A group is a set of equal records of a sample.
type group struct {
	records []int       // indices into Sample.drawn
	n       int         // number of the group's records
	files   map[int]int // number of the group's records in each file
	keys    []lsh.Key
}

type groups []group

// groups returns the groups of equal records, in the order of their first records.
func (s *Sample) groups() (all groups) {
	at := map[uint64]int{}
	for i, d := range s.drawn {
		if len(d.keys) == 0 {
			continue
		}
		n, ok := at[d.keys[0].Digest]
		if !ok {
			n = len(all)
			at[d.keys[0].Digest] = n
			all = append(all, group{files: map[int]int{}, keys: d.keys})
		}
		g := &all[n]
		g.records, g.n = append(g.records, i), g.n+1
		g.files[d.frame]++
	}
	return all
}

// copies counts the records by the number of their copies in the sample. The copies of a record are
// the other records of its group. Each record of group i is counted weights[i] times, or once if
// weights is nil.
func (all groups) copies(weights []int) map[Seen]int {
	seen := map[Seen]int{}
	for i, g := range all {
		weight := 1
		if weights != nil {
			weight = weights[i]
		}
		for _, n := range g.files {
			if weight > 0 {
				seen[Seen{n - 1, g.n - n}] += n * weight
			}
		}
	}
	return seen
}

// degrees returns, for each of n groups, the number of pairs that contain the group.
func degrees(n int, pairs []pair) []int {
	d := make([]int, n)
	for _, p := range pairs {
		d[p.a], d[p.b] = d[p.a]+1, d[p.b]+1
	}
	return d
}

// A pair consists of two groups that share buckets; a and b are their indices.
type pair struct {
	a, b, buckets int
	weight        float64 // number of pairs that the pair represents, if it shares only hot buckets
}

// pairs returns two lists of pairs of groups: first the pairs that share a bucket that is not hot,
// then the pairs that share only hot buckets. A bucket is hot if the estimated number of its groups
// in the whole dataset is greater than the given limit.
func (all groups) pairs(hot int, rate float64) (plain, inHot []pair) {
	type entry struct {
		bucket uint64
		group  uint32
	}
	var entries []entry
	for i, g := range all {
		for _, k := range g.keys {
			entries = append(entries, entry{k.Bucket, uint32(i)})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.bucket, b.bucket), cmp.Compare(a.group, b.group)) })
	expected := float64(hot) * rate
	if rate < 1 {
		expected += 3*math.Sqrt(expected) + 2
	}
	p := lsh.Pairing{Hot: int(expected)}
	var found [2][]uint64
	var wanted float64 // number of pairs that hot buckets would have if they were as large as in the whole dataset
	var members []lsh.Member
	for n := 0; len(entries) > 0; entries = entries[n:] {
		members = members[:0]
		for n = 0; n < len(entries) && entries[n].bucket == entries[0].bucket; n++ {
			members = append(members, lsh.Member{Rank: entries[n].group, Group: uint64(entries[n].group)})
		}
		kind := 0
		if n > p.Hot {
			kind = 1
			wanted += 2 * lsh.HotReach * float64(n)
		}
		p.Bucket(0, members, func(a, b uint32) { found[kind] = append(found[kind], uint64(a)<<32|uint64(b)) })
	}
	scale := wanted / float64(max(1, len(found[1])))
	if rate == 1 {
		scale = 1
	}
	plain = distinct(found[0])
	known := make(map[[2]int]bool, len(plain))
	for _, one := range plain {
		known[[2]int{one.a, one.b}] = true
	}
	for _, one := range distinct(found[1]) {
		if !known[[2]int{one.a, one.b}] {
			one.weight = scale
			inHot = append(inHot, one)
		}
	}
	return plain, inHot
}

// distinct returns each pair once, with the number of buckets in which it was found.
func distinct(found []uint64) (pairs []pair) {
	slices.Sort(found)
	for n := 0; len(found) > 0; found = found[n:] {
		for n = 1; n < len(found) && found[n] == found[0]; n++ {
		}
		pairs = append(pairs, pair{a: int(found[0] >> 32), b: int(uint32(found[0])), buckets: n})
	}
	return pairs
}

// within returns the number of pairs (a, b) for which a is a record of g, b is a record of h, and
// both records are in the same file.
func (g *group) within(h *group) (n int) {
	for f, k := range g.files {
		n += k * h.files[f]
	}
	return n
}

// partners holds counts of partners and pairs in the sample.
type partners struct {
	seen            map[Seen]int // maps numbers of partners in the sample to numbers of records
	paired          []bool       // for each group, whether its records are in pairs
	pairs, adjacent float64      // number of pairs of records; number of ways to choose two such pairs, in order, that share a record
}

func (all groups) partners(pairs []pair) partners {
	n := partners{seen: map[Seen]int{}, paired: make([]bool, len(all))}
	near := make([][]int, len(all))
	for _, p := range pairs {
		near[p.a], near[p.b] = append(near[p.a], p.b), append(near[p.b], p.a)
	}
	for i := range all {
		total, g := all[i].n-1, &all[i]
		for _, j := range near[i] {
			total += all[j].n
		}
		n.paired[i] = total > 0
		n.pairs += float64(g.n*total) / 2
		n.adjacent += float64(g.n) * float64(total) * float64(total-1)
		for f, k := range g.files {
			within := k - 1
			for _, j := range near[i] {
				within += all[j].files[f]
			}
			n.seen[Seen{within, total - within}] += k
		}
	}
	return n
}

// lengthPrior is a number of imaginary records of mean length. Sample.length adds them to the
// records in pairs, so that its result stays near 1 if few records are in pairs.
const lengthPrior = 20

// length returns the mean length of the texts in the selected groups, divided by the mean length of
// all texts.
func (s *Sample) length(all groups, some []bool) float64 {
	var part, of, bytes, sum float64
	for i, g := range all {
		for _, record := range g.records {
			size := float64(s.drawn[record].bytes)
			of, sum = of+1, sum+size
			if some[i] {
				part, bytes = part+1, bytes+size
			}
		}
	}
	if part == 0 || sum == 0 {
		return 1
	}
	ratio := bytes / part / (sum / of)
	return (part*ratio + lengthPrior) / (part + lengthPrior)
}

// extraBins is the mean number of bins beyond the first that receive a text of a large group, if
// the whole group is in the sample and the similarities in the group vary widely. It was measured
// on revisions of web pages.
const extraBins = .7

// copiesInBins returns the mean number of bins to which the text of a paired record is copied. In a
// small sample, groups are small, and their texts seldom go to more than one bin. Measurements show
// that the number of bins beyond the first grows with the sampling rate r as r/(r+K), where K is a
// constant of the dataset.
func (s *Sample) copiesInBins(all groups, pairs []pair, parts int) float64 {
	r, extra := s.Frame.Rate(), s.bins(all, pairs, parts)-1
	if extra <= 0 || extra >= extraBins || r == 1 {
		return 1 + max(0, extra)
	}
	return 1 + extraBins/(1+r*(extraBins/extra-1))
}

// bins returns the mean number of bins to which a text is copied if only the pairs of the sample
// are considered. The bin of a pair (a, b) depends on one record: of all records r in pairs (r, a),
// the record whose id is least in byte order. If there is no such pair, the bin depends on a.
func (s *Sample) bins(all groups, of []pair, parts int) float64 {
	var pairs [][2]int
	for _, g := range all {
		for _, copied := range g.records[1:] {
			pairs = append(pairs, [2]int{g.records[0], copied})
		}
	}
	for _, p := range of {
		pairs = append(pairs, [2]int{all[p.a].records[0], all[p.b].records[0]})
	}
	least := map[int]int{}
	for _, p := range pairs {
		if l, ok := least[p[1]]; !ok || s.drawn[p[0]].before(s.drawn[l].place) {
			least[p[1]] = p[0]
		}
	}
	texts, bins := map[int]bool{}, map[[2]int]bool{}
	for _, p := range pairs {
		by, ok := least[p[0]]
		if !ok {
			by = p[0]
		}
		for _, record := range p {
			texts[record], bins[[2]int{record, s.drawn[by].ordinal % parts}] = true, true
		}
	}
	return float64(len(bins)) / float64(max(1, len(texts)))
}
