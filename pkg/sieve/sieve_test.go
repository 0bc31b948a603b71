package sieve

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/jaccard"
	"doppel/pkg/lsh"
	"doppel/pkg/minhash"
	"doppel/pkg/text"
)

func options(threshold float64) Options {
	return Options{
		Scheme: minhash.Scheme{Text: text.Default, Slots: 128, Bits: 16, Seed: 1},
		Bands:  lsh.Choose(128, threshold, 0.99), Threshold: threshold, Hot: hot, Table: 1 << 20, Sets: 1 << 20,
	}
}

// drawTexts returns n texts. Many are revisions of other texts; some are equal to others or empty.
func drawTexts(r *rand.Rand, n int) (texts []string) {
	words := func(n int) (all []string) {
		for range n {
			all = append(all, fmt.Sprint("w", r.IntN(5000)))
		}
		return all
	}
	for len(texts) < n {
		switch from := r.IntN(len(texts) + 1); {
		case r.IntN(40) == 0:
			texts = append(texts, " . ")
		case r.IntN(4) == 0 || from == len(texts):
			texts = append(texts, strings.Join(words(20+r.IntN(100)), " "))
		case r.IntN(5) == 0: // a text with repeated shingles
			texts = append(texts, texts[from]+" "+texts[from]+" "+texts[from])
		case r.IntN(5) == 0:
			texts = append(texts, strings.ToUpper(texts[from]))
		default:
			w := strings.Fields(texts[from])
			for range r.IntN(4) {
				w[r.IntN(len(w))] = fmt.Sprint("x", r.IntN(5000))
			}
			texts = append(texts, strings.Join(w, " "))
		}
	}
	return texts
}

// A verdict is the decision on a text: the index of its leader among the texts, and the score. A
// kept text is its own leader, with the score -1. A text for which the table has no room has the leader
// -1.
type verdict struct{ leader, score int }

// plain makes the same decisions as a sieve, but compares each text with all leaders for which
// shared returns true.
func plain(texts []string, threshold float64, shared func(a, b int) bool) (all []verdict) {
	shingler := text.NewSetShingler(text.Default, nil)
	var sets [][]uint64
	var leaders []int
	for i, body := range texts {
		set, _ := jaccard.Set(shingler.Append(nil, []byte(body)), nil)
		sets = append(sets, set)
		v := verdict{i, -1}
		for _, l := range leaders {
			if !shared(l, i) {
				continue
			}
			s := jaccard.Shared(sets[l], set, 0)
			score := jaccard.Resemblance.Score(len(sets[l]), len(set), s)
			if float64(score)/jaccard.One >= threshold && score > v.score {
				v = verdict{l, score}
			}
		}
		if v.score < 0 && len(set) > 0 {
			leaders = append(leaders, i)
		}
		all = append(all, v)
	}
	return all
}

// sieveAll passes texts to a sieve, in batches of the given size, and returns the verdict and the
// keys of each text. Several goroutines sign and look up batches. One to jobs batches are a group, but
// with one job there are no groups.
func sieveAll(texts []string, o Options, size, jobs int) (all []verdict, keys [][]uint64, err error) {
	s, err := sieveSome(texts, o, func() int { return size }, jobs)
	if s.full {
		err = errors.Join(err, errors.New("the table has no room"))
	}
	return s.all, s.keys, err
}

// A sieved is a sieve and the verdicts on the texts passed to it.
type sieved struct {
	*Sieve
	all   []verdict
	keys  [][]uint64 // of each text
	alone int        // number of texts that were alone
}

// sieveSome is like sieveAll, but calls size for the size of each batch. It does not require that the
// table has room for all leaders.
func sieveSome(texts []string, o Options, size func() int, jobs int) (s sieved, err error) {
	var mu sync.RWMutex
	var leaders []int
	o.Text = func(dst []byte, leader uint32) ([]byte, error) {
		mu.RLock()
		defer mu.RUnlock()
		return append(dst, texts[leaders[leader]]...), nil
	}
	o.Jobs = jobs
	s.Sieve = New(o)
	type batch struct {
		records []Record
		lot     Lot
		done    chan error
	}
	work, order := make(chan *batch, jobs), make(chan *batch, jobs)
	for range jobs {
		go func() {
			w := s.NewWorker()
			for b := range work {
				var err error
				for i := range b.records {
					r := &b.records[i]
					text, _ := r.Text()
					r.Keys = w.Sign(nil, text)
					err = errors.Join(err, w.Look(r, true))
				}
				s.Fill(&b.lot, b.records)
				b.done <- err
			}
		}()
	}
	go func() {
		for rest := texts; len(rest) > 0; {
			b, n := &batch{done: make(chan error, 1)}, min(size(), len(rest))
			part := rest[:n]
			rest = rest[n:]
			for _, body := range part {
				b.records = append(b.records, Record{Floor: -1, Text: func() ([]byte, error) { return []byte(body), nil }})
			}
			order <- b
			work <- b
		}
		close(order)
		close(work)
	}()
	decide := func(r *Record) {
		if r.isAlone() {
			s.alone++
		}
		err = errors.Join(err, s.Decide(r))
		v := verdict{len(s.all), -1}
		switch {
		case r.Score >= 0:
			v = verdict{leaders[r.Leader], r.Score}
		case len(r.Keys) > 0 && !s.HasRoom(r):
			v.leader = -1
		case len(r.Keys) > 0:
			mu.Lock()
			leaders = append(leaders, len(s.all))
			mu.Unlock()
			s.Insert(r)
		}
		s.all, s.keys = append(s.all, v), append(s.keys, r.Keys)
	}
	draw := rand.New(rand.NewPCG(uint64(jobs), 1))
	for b := range order {
		group, lots := []*batch{b}, []*Lot{&b.lot}
		for range draw.IntN(jobs) {
			if b := <-order; b != nil {
				group, lots = append(group, b), append(lots, &b.lot)
			}
		}
		for _, b := range group {
			err = errors.Join(err, <-b.done)
		}
		if jobs > 1 {
			s.Begin(lots)
		}
		for _, b := range group {
			for i := range b.records {
				decide(&b.records[i])
			}
		}
		s.End()
	}
	return s, err
}

func shareKey(a, b []uint64) bool {
	return slices.ContainsFunc(a, func(k uint64) bool { return slices.Contains(b, k) })
}

// TestSieve compares the decisions of a sieve with those of the function plain, which compares each
// record with all leaders that share a key with it. It tests several numbers of goroutines, batch
// sizes and cache sizes.
func TestSieve(t *testing.T) {
	for _, threshold := range []float64{0.3, 0.5, 0.8, 0.95, 1} {
		texts := drawTexts(rand.New(rand.NewPCG(1, uint64(threshold*100))), 800)
		o := options(threshold)
		var want []verdict
		for _, jobs := range []int{1, 4} {
			for _, size := range []int{1, 100} {
				for _, mem := range []int64{1, 1 << 20} {
					o.Sets = mem
					got, keys, err := sieveAll(texts, o, size, jobs)
					if err != nil {
						t.Fatal(err)
					}
					if want == nil {
						want = plain(texts, threshold, func(a, b int) bool { return shareKey(keys[a], keys[b]) })
					}
					if d := cmp.Diff(want, got, cmp.AllowUnexported(verdict{})); d != "" {
						t.Fatalf("threshold %v, %d threads, batches of %d, %d bytes of sets: %s", threshold, jobs, size, mem, d)
					}
				}
			}
		}
		exact := plain(texts, threshold, func(a, b int) bool { return true })
		missed := 0
		for i := range exact {
			if want[i].score < 0 && exact[i].score >= 0 {
				missed++
			}
		}
		if missed > len(texts)/100 {
			t.Errorf("threshold %v: %d missed", threshold, missed)
		}
	}
}

// TestSieveOfFewMatches checks the decisions of a sieve in which Look stops searching, because few
// texts share a key with a leader, and later searches again, because many texts do.
func TestSieveOfFewMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var texts []string
	for range 1400 {
		texts = append(texts, drawTexts(r, 1)[0])
		if r.IntN(100) == 0 {
			texts = append(texts, texts[r.IntN(len(texts))]+" more")
		}
	}
	texts = append(texts, texts...)
	want := []verdict(nil)
	for _, jobs := range []int{1, 4} {
		got, keys, err := sieveAll(texts, options(0.8), 50, jobs)
		if want == nil {
			want = plain(texts, 0.8, func(a, b int) bool { return shareKey(keys[a], keys[b]) })
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(verdict{})); d != "" || err != nil {
			t.Fatal(jobs, d, err)
		}
	}
}

// TestSieveOfTemplates checks that the decisions do not depend on the number of goroutines even if
// a key has more leaders than Options.Hot.
func TestSieveOfTemplates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var texts []string
	for range 600 { // half of each text is the template, so some band depends only on the template
		var b strings.Builder
		for i := range 120 {
			if i < 60 {
				fmt.Fprintf(&b, "t%d ", i)
			} else {
				fmt.Fprintf(&b, "w%d ", r.IntN(20))
			}
		}
		texts = append(texts, b.String())
	}
	o := options(0.5)
	o.Bands = lsh.Bands{B: 32, R: 2}
	want, keys, err := sieveAll(texts, o, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	count, most := map[uint64]int{}, 0
	for i, v := range want {
		if v.score < 0 {
			for _, key := range keys[i] {
				count[key]++
				most = max(most, count[key])
			}
		}
	}
	if most <= hot {
		t.Errorf("a key has at most %d leaders: nothing is tested", most)
	}
	for range 3 {
		got, _, err := sieveAll(texts, o, 50, 4)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(verdict{})); d != "" || err != nil {
			t.Fatal(d, err)
		}
	}
}

// TestSieveErrors checks that Look and Decide return the error if a text cannot be read.
func TestSieveErrors(t *testing.T) {
	lost := errors.New("lost")
	o := options(0.8)
	o.Text = func(dst []byte, _ uint32) ([]byte, error) { return dst, lost }
	s := New(o)
	w := s.NewWorker()
	r := Record{Floor: -1, Keys: w.Sign(nil, []byte("a b c d")), Text: func() ([]byte, error) { return []byte("a b c d"), nil }}
	s.Insert(&r)
	if err := w.Look(&r, true); err != lost {
		t.Error(err)
	}
	r.seen = 0 // make Decide treat the leader as new
	if err := s.Decide(&r); err != lost {
		t.Error(err)
	}
	r.Text = func() ([]byte, error) { return nil, lost }
	if err := w.Look(&r, false); err != lost {
		t.Error(err)
	}
}

// FuzzSieve compares a sieve's decisions on texts with a vocabulary of 16 words with the decisions
// of the function plain.
func FuzzSieve(f *testing.F) {
	f.Add([]byte("abcdefghabcdefgxabcdefgh"), byte(8), byte(80))
	f.Fuzz(func(t *testing.T, data []byte, size, percent byte) {
		var texts []string
		for part := range slices.Chunk(data[:min(len(data), 2000)], int(size%64)+1) {
			texts = append(texts, strings.Join(strings.Split(fmt.Sprintf("%x", part), ""), " "))
		}
		threshold := float64(percent%100+1) / 100
		got, keys, err := sieveAll(texts, options(threshold), 3, 2)
		want := plain(texts, threshold, func(a, b int) bool { return shareKey(keys[a], keys[b]) })
		hotKeys := map[uint64]int{}
		for i, v := range got {
			for _, key := range keys[i] {
				if hotKeys[key]++; v.score < 0 && hotKeys[key] > hot {
					return
				}
			}
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(verdict{})); d != "" || err != nil {
			t.Error(threshold, texts, d, err)
		}
	})
}
