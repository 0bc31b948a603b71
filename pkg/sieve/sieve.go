// Package sieve decides which records to keep while a program reads them. It drops a record that
// is similar to a leader, which is a record kept earlier.
//
// The algorithm is greedy incremental clustering, as in CD-HIT and UCLUST. A record has a key
// for each band of its sketch (see doppel/pkg/lsh). The sieve compares a record only with the
// leaders that share a key with it. The comparison is exact: it uses the sets of shingles. The
// sieve chooses the most similar leader, or the first of equally similar leaders.
// [group.Leaders] makes the same decisions on the pairs of an [lsh.Index], except for a key that
// very many records share. For such a key, the index pairs each record with up to 16 others,
// including dropped records, whereas the sieve compares it with at most Options.Hot leaders.
//
// A record goes through two steps. [Worker.Look] may run in many goroutines. It compares the record
// with the leaders inserted so far, but if matches are rare, it compares nothing. [Sieve.Decide]
// runs in one goroutine, in record order, and compares the record with the other leaders. So the
// decisions do not depend on scheduling. [Sieve.Begin] finds the records of several batches that
// share no key, for which Decide has nothing to do.
//
// Cost: each key of a leader takes 11 to 16 bytes of memory. The set of a leader is computed at the
// first comparison with that leader, and cached; Options.Sets limits the size of the cache. If
// matches are rare, making sketches takes two fifths of the time, and looking up keys takes a
// quarter. If matches are frequent, comparisons take half of the time.
package sieve

import (
	"cmp"
	"slices"
	"sync/atomic"

	"doppel/pkg/group"
	"doppel/pkg/jaccard"
	"doppel/pkg/lsh"
	"doppel/pkg/minhash"
	"doppel/pkg/par"
	"doppel/pkg/text"
)

// Options defines which records are similar, and limits the memory of a sieve.
type Options struct {
	Scheme    minhash.Scheme // scheme of the sketches
	Key       []byte         // key of the shingle hashes, or nil
	Bands     lsh.Bands
	Threshold float64 // records with at least this Jaccard similarity to a leader are dropped
	Hot       int     // maximum number of leaders per key: the first Hot/2 leaders and the latest ones
	Table     int64   // maximum size in bytes of the table of keys; at this size HasRoom returns false
	Sets      int64   // maximum size in bytes of the cached sets; their parities take up to a quarter more
	Jobs      int     // number of goroutines in which Begin and End work

	// Text appends the text of a leader to dst. Many goroutines may call it at the same time.
	Text func(dst []byte, leader uint32) ([]byte, error)
}

// A Sieve holds the leaders, numbered from 0.
type Sieve struct {
	opt      Options
	unlike   int // lowest score that no two records below the threshold have or exceed
	table    *table
	inserted uint32                    // number of leaders
	leaders  atomic.Uint32             // number of leaders before the group; Look takes only these into account
	full     bool                      // HasRoom has returned false
	begun    bool                      // Begin has been called, but not yet End
	group    []*Lot                    // the lots whose keys Begin has looked up
	looked   [1 << partBits]*tablePart // the parts in which Begin has looked up the keys
	scratch  par.Spares[[]sighting]
	sets     *cache[[]uint64]
	parities *cache[parity]
	decider  *Worker
	pairs    int64
	compared atomic.Int64

	sparse          atomic.Bool // if true, Look compares nothing and leaves the work to Decide
	crowded         atomic.Bool // if true, Begin does not look up keys, because most records share some
	decided, shared int         // number of records in the current window, and how many of them share a key with a leader
}

// New returns a sieve without leaders.
func New(o Options) *Sieve {
	s := &Sieve{opt: o, table: newTable(o.Table, o.Hot), sets: newCache[[]uint64](o.Sets), parities: newCache[parity](o.Sets / 4), scratch: par.NewSpares[[]sighting](o.Jobs)}
	for float64(s.unlike)/jaccard.One < o.Threshold {
		s.unlike++
	}
	s.decider = s.NewWorker()
	return s
}

// Counts returns how many pairs of a record and a leader shared a key, and how many comparisons
// the sieve made. The number of comparisons depends on scheduling.
func (s *Sieve) Counts() (pairs, compared int64) { return s.pairs, s.compared.Load() }

// A Record is an input record, and the result of comparing it with the leaders.
type Record struct {
	Keys []uint64
	// Text returns the text of the record. Workers call it only if they compare the record.
	Text func() ([]byte, error)
	// Floor is the record's score with a leader of an earlier sieve, or -1 if there is no such
	// leader. The sieve accepts only leaders with a higher score.
	Floor int

	Score  int    // score with the most similar leader, in units of 1/[group.Scale]; -1 if no leader is similar
	Leader uint32 // number of the most similar leader
	seen   uint32 // number of leaders that Look took into account
	number uint32 // number of the leader that the record became, plus 1, if End inserts its keys
	shares uint32 // 1 if Begin has found that the record shares a key
	lot    *Lot   // nil if the record is in no lot
}

// A Worker signs and looks up records. It is not safe for concurrent use.
type Worker struct {
	sieve    *Sieve
	shingler *text.Shingler
	sketcher *minhash.Sketcher
	sketch   minhash.Sketch
	codec    minhash.Codec
	keys     []lsh.Key
	shingles []uint64 // shingles of the last text; nil if Sign sketched it in parts
	signed   bool     // true if the field shingles is valid and belongs to the record
	found    []match
	matches  []match
	set      probe  // set of the record's hashes
	other    probe  // scratch memory for computing the set of a leader's hashes
	parity   parity // of the record's set; no words if not yet computed
	text     []byte
}

// A match is a leader that shares keys with a record.
type match struct {
	leader uint32
	keys   int    // number of shared keys
	mask   uint64 // bit i is set if key i is shared, for the first 64 keys
}

// NewWorker returns a worker for one goroutine.
func (s *Sieve) NewWorker() *Worker {
	how := s.opt.Scheme
	return &Worker{
		sieve:    s,
		shingler: text.NewSetShingler(how.Text, s.opt.Key),
		sketcher: minhash.New(how.Slots, how.Seed),
		sketch:   minhash.Sketch{Slots: make([]uint32, how.Slots)},
		codec:    minhash.Codec{K: how.Slots, B: how.Bits},
	}
}

// Look compares a record with the leaders inserted so far. The second argument tells whether the
// worker's last call of Sign was for the record's text.
func (w *Worker) Look(r *Record, signed bool) error {
	w.signed = signed && w.shingles != nil
	if r.Score, r.seen = -1, 0; w.sieve.sparse.Load() {
		return nil
	}
	r.seen = w.sieve.leaders.Load()
	w.findMatches(r.Keys)
	w.matches = slices.DeleteFunc(w.matches, func(m match) bool { return m.leader >= r.seen })
	return w.compareMatches(r, w.matches)
}

// Decide compares a record with the leaders that Look did not take into account. If the record's
// score is -1 afterwards, no leader is similar to the record, and the caller can insert it.
func (s *Sieve) Decide(r *Record) error {
	if r.isAlone() {
		s.count(false)
		return nil
	}
	w, from := s.decider, r.seen
	w.findMatches(r.Keys)
	s.pairs += int64(len(w.matches))
	s.count(len(w.matches) > 0)
	if r.Score >= 0 && !slices.ContainsFunc(w.matches, func(m match) bool { return m.leader == r.Leader }) {
		r.Score, from = -1, 0 // the table no longer has the leader that Look found
	}
	fresh := w.matches
	if from > 0 {
		fresh = slices.DeleteFunc(slices.Clone(fresh), func(m match) bool { return m.leader < from })
	}
	return w.compareMatches(r, fresh)
}

// count counts a record that does or does not share a key with a leader. If few do, the searches of
// Look cost more than they save. With one such record in a hundred, the searches take a tenth of the
// total time. So Look does not search if fewer than one in 32 records of the last window shared a key
// with a leader. If more than half of the records do, Begin does not search.
func (s *Sieve) count(shares bool) {
	const window, rare, often = 1024, 1024 / 32, 1024 / 2
	if s.decided++; shares {
		s.shared++
	}
	if s.decided == window {
		s.sparse.Store(s.shared < rare)
		s.crowded.Store(s.shared > often)
		s.decided, s.shared = 0, 0
	}
}

// HasRoom reports whether the table has room for the keys of one more leader. There is always room
// for the first leader. Once there is no room, there is none for any later record.
func (s *Sieve) HasRoom(r *Record) bool {
	if s.full || s.inserted == 0 || r.isAlone() { // Begin has checked that there is room for the group
		return !s.full
	}
	s.full = !s.table.hasRoom(r.Keys)
	return !s.full
}

// Insert makes a record the next leader.
func (s *Sieve) Insert(r *Record) {
	number := s.inserted
	if s.inserted++; r.isAlone() {
		r.number = number + 1
		return
	}
	for _, key := range r.Keys {
		s.table.insert(key, number)
	}
	if !s.begun {
		s.leaders.Store(s.inserted)
	}
}

// findMatches sets w.matches to the matches of a record, sorted by descending number of shared
// keys.
func (w *Worker) findMatches(keys []uint64) {
	w.found, w.matches = w.found[:0], w.matches[:0]
	w.sieve.table.prefetch(keys)
	for i, key := range keys {
		w.sieve.table.find(key, func(leader uint32) { w.found = append(w.found, match{leader, 1, 1 << i}) })
	}
	slices.SortFunc(w.found, func(a, b match) int { return cmp.Compare(a.leader, b.leader) })
	for i, m := range w.found {
		if i > 0 && m.leader == w.found[i-1].leader {
			last := &w.matches[len(w.matches)-1]
			last.keys++
			last.mask |= m.mask
			continue
		}
		w.matches = append(w.matches, m)
	}
	slices.SortStableFunc(w.matches, func(a, b match) int { return cmp.Compare(b.keys, a.keys) })
}

// compareMatches compares a record with some of its matches. It skips a match that cannot be
// more similar than the best match so far.
//
// Two leaders that share a key have been compared with each other and are not similar. If the
// threshold is t and a record has the score s with one of them, its score with the other is
// below 1 + t - s, because 1 minus the Jaccard similarity satisfies the triangle inequality.
func (w *Worker) compareMatches(r *Record, matches []match) error {
	filled, compared := false, int64(0)
	defer func() { w.sieve.compared.Add(compared) }()
	for _, m := range matches {
		least := r.Floor + 1
		if r.Score >= 0 {
			if least = max(least, r.Score); m.leader > r.Leader {
				least = max(least, r.Score+1)
			}
			if far := group.Scale + w.sieve.unlike - r.Score - 1; far < least {
				i := slices.IndexFunc(w.matches, func(o match) bool { return o.leader == r.Leader })
				if i >= 0 && w.matches[i].mask&m.mask != 0 {
					continue // r.Leader and m.leader share a key, so m.leader cannot be more similar
				}
			}
		}
		if !filled {
			filled = true
			if err := w.fillSet(r); err != nil {
				return err
			}
		}
		possible, missing := true, false
		if compared++; compared > 1 { // mostly, the first leader is similar
			possible, missing = w.boundScore(m.leader, least)
		}
		if !possible {
			continue
		}
		set, err := w.setOf(m.leader)
		if err != nil {
			return err
		}
		if missing {
			w.sieve.putParity(m.leader, set)
		}
		if score := w.score(set, least); score >= 0 {
			r.Score, r.Leader = score, m.leader
		}
	}
	return nil
}

func (w *Worker) fillSet(r *Record) error {
	if !w.signed {
		text, err := r.Text()
		if err != nil {
			return err
		}
		w.shinglesOf(text)
	}
	w.set.fill(w.shingles)
	w.parity.words = w.parity.words[:0]
	return nil
}

// boundScore compares the parities of the record and a leader. If the result is false, score would
// return -1. Otherwise, the leader's parity may be missing.
func (w *Worker) boundScore(leader uint32, least int) (possible, missing bool) {
	p, ok := w.sieve.parities.get(leader)
	if !ok {
		return true, true
	}
	if len(w.parity.words) == 0 {
		w.parity.fill(w.set.slots, w.set.n, w.set.zero)
	}
	return w.parity.mostShared(&p) >= jaccard.Resemblance.Need(w.set.n, p.n, w.sieve.opt.Threshold, least), false
}

func (w *Worker) setOf(leader uint32) (set []uint64, err error) {
	if set, ok := w.sieve.sets.get(leader); ok {
		return set, nil
	}
	if w.text, err = w.sieve.opt.Text(w.text[:0], leader); err != nil {
		return nil, err
	}
	set = w.other.distinct(w.shinglesOf(w.text))
	w.sieve.sets.put(leader, set, int64(8*len(set)+setBytes))
	return set, nil
}

// shinglesOf returns the shingles of a text. The slice is valid until the next call.
func (w *Worker) shinglesOf(text []byte) []uint64 {
	w.signed = false
	w.shingles = w.shingler.Append(w.shingles[:0], text)
	return w.shingles
}

// score compares the record with a set. It returns the score, or -1 if the similarity is below the
// threshold or the score is below the given minimum.
func (w *Worker) score(set []uint64, least int) int {
	na, nb := w.set.n, len(set)
	need := jaccard.Resemblance.Need(na, nb, w.sieve.opt.Threshold, least)
	if need > min(na, nb) {
		return -1
	}
	shared := w.set.shared(set, need)
	if shared < 0 {
		return -1
	}
	return jaccard.Resemblance.Score(na, nb, shared)
}

// Sign appends the keys of a text to dst, one per band. The keys are hashes of the buckets that
// recsign and lshkeys compute for the text. A text without shingles has no keys, because it is
// similar to no other text.
func (w *Worker) Sign(dst []uint64, body []byte) []uint64 {
	w.shingles = w.shingler.Append(text.Reuse(w.shingles), body)
	if !w.sketcher.Sketch(&w.sketch, w.shingles) {
		return dst
	}
	w.codec.Cut(w.sketch.Slots) // as in a signature, which stores only these bits of each slot
	w.keys = w.sieve.opt.Bands.Append(w.keys[:0], w.sketch.Slots, w.sketch.Digest)
	for _, k := range w.keys {
		dst = append(dst, lsh.Hash(k.Bucket))
	}
	return dst
}
