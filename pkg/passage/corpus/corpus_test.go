package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"doppel/pkg/passage"
	"doppel/pkg/passage/internal/texts"
	"doppel/pkg/text"
)

// memory is a corpus in memory; its Source returns three texts per batch.
type memory [][]byte

func (t memory) open() (func() (Batch, error), error) {
	at := 0
	return func() (Batch, error) {
		if at == len(t) {
			return nil, io.EOF
		}
		b := t[at:min(at+3, len(t))]
		at += len(b)
		return b, nil
	}, nil
}

func (t memory) Done() {}

func (t memory) Texts() ([][]byte, error) { return t, nil }

// plain is the oracle: it finds repeats with a map of all passages, and returns them without
// periods.
func plain(s passage.Scheme, rule passage.Rule, corpus memory) []passage.Repeat {
	return plainValued(Options{Scheme: s, Rule: rule}, corpus)
}

// plainValued is the oracle for a Finder with Options.Value.
func plainValued(o Options, corpus memory) (want []passage.Repeat) {
	s, rule, within := o.Scheme, o.Rule, o.Value != nil && !o.Across
	places, stay := map[string][]uint64{}, map[string][]uint64{}
	u := passage.NewUnits(s)
	passages := func(fn func(passage string, pos uint64)) {
		for i, t := range corpus {
			u.Set(t)
			for p := 0; p+s.Length <= u.Len(); p++ {
				text := string(u.Text(p, p+s.Length))
				if within {
					text += fmt.Sprint("\x00", o.Value(i))
				}
				fn(text, position(i, p))
			}
		}
	}
	passages(func(passage string, pos uint64) { places[passage] = append(places[passage], pos) })
	passages(func(text string, pos uint64) {
		from, ok := evidence(rule, places[text], pos)
		if o.Across { // compare only with the copies that stay
			i := slices.IndexFunc(stay[text], func(k uint64) bool { return o.Value(recordOf(k)) != o.Value(recordOf(pos)) })
			if ok = i >= 0; ok {
				from = stay[text][i]
			} else {
				stay[text] = append(stay[text], pos)
			}
		}
		if !ok {
			return
		}
		r := passage.Repeat{Record: recordOf(pos), Start: unitOf(pos), From: recordOf(from), FromStart: unitOf(from), Count: 1, Copies: len(places[text])}
		if n := len(want) - 1; n >= 0 && want[n].Record == r.Record && want[n].From == r.From &&
			want[n].Start+want[n].Count == r.Start && want[n].FromStart+want[n].Count == r.FromStart {
			want[n].Count++
			want[n].Copies = min(want[n].Copies, r.Copies)
			return
		}
		want = append(want, r)
	})
	return want
}

// unfolded splits each repeat that has a period into one repeat per period.
func unfolded(repeats []passage.Repeat) (all []passage.Repeat) {
	for _, r := range repeats {
		for at := r.Start; at < r.Start+r.Count; at += all[len(all)-1].Count {
			all = append(all, r.Part(at))
		}
	}
	return all
}

func evidence(rule passage.Rule, at []uint64, pos uint64) (uint64, bool) {
	n := slices.Index(at, pos)
	if rule.Keep == passage.KeepNone {
		if n == 0 && len(at) > rule.Copies {
			return at[1], true
		}
		return at[0], len(at) > rule.Copies
	}
	return at[0], n >= rule.Copies
}

func find(t testing.TB, o Options, corpus memory) (got []passage.Repeat, stats Stats) {
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Scan(corpus.open); err != nil {
		t.Fatal(err)
	}
	err = f.Find(corpus.open, func(r passage.Repeat) error { got = append(got, r); return nil })
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return got, f.Stats()
}

func compare(t testing.TB, name string, got, want []passage.Repeat) {
	t.Helper()
	if got, want = unfolded(got), unfolded(want); slices.Equal(got, want) {
		return
	}
	t.Errorf("%s: %d repeats, not %d", name, len(got), len(want))
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("the %dth is %+v, not %+v", i, got[i], want[i])
			return
		}
	}
}

func scheme(length, window int) passage.Scheme {
	return passage.Scheme{Unit: passage.Bytes, Length: length, Window: window}
}

var first = passage.Rule{Keep: passage.KeepFirst, Copies: 1}

func TestEqualsPlain(t *testing.T) {
	for name, corpus := range texts.All(t) {
		for _, length := range []int{20, 50, 150} {
			want := plain(scheme(length, 1), first, corpus)
			for _, o := range []Options{
				{Scheme: scheme(length, length/3), Rule: first, Mem: 1 << 28, Jobs: 1},
				{Scheme: scheme(length, 12), Rule: first, Mem: 1 << 14, Jobs: 3},
				{Scheme: scheme(length, length-1), Rule: first, Mem: 1 << 20, Jobs: 2},
			} {
				got, _ := find(t, o, corpus)
				compare(t, fmt.Sprint(name, " ", o), got, want)
			}
		}
	}
}

func TestRules(t *testing.T) {
	for name, corpus := range texts.All(t) {
		for _, rule := range []passage.Rule{{Keep: passage.KeepFirst, Copies: 3}, {Keep: passage.KeepNone, Copies: 1}, {Keep: passage.KeepNone, Copies: 2}} {
			got, _ := find(t, Options{Scheme: scheme(40, 15), Rule: rule, Mem: 1 << 16, Jobs: 2}, corpus)
			compare(t, name, got, plain(scheme(40, 15), rule, corpus))
		}
	}
}

// TestValues checks a Finder that compares only records with equal values, or only records with
// different values, for several amounts of memory.
func TestValues(t *testing.T) {
	value := func(record int) uint32 { return uint32(record*7) % 3 }
	none := passage.Rule{Keep: passage.KeepNone, Copies: 1}
	all := texts.All(t)
	all["large"] = largeCorpus(500)
	for name, corpus := range all {
		for _, o := range []Options{
			{Rule: first}, {Rule: none}, {Rule: passage.Rule{Keep: passage.KeepFirst, Copies: 3}}, {Rule: first, Across: true},
		} {
			o.Scheme, o.Value = scheme(80, 10), value
			want := plainValued(o, corpus)
			for _, mem := range []int64{1 << 14, 1 << 18, 1 << 28} {
				o.Mem, o.Jobs = mem, 2
				got, stats := find(t, o, corpus)
				compare(t, fmt.Sprint(name, " ", o.Rule, " across ", o.Across, " mem ", mem), got, want)
				if name == "large" && mem == 1<<14 && stats.Deeper == 0 {
					t.Errorf("%v: no group was too large", o.Rule)
				}
			}
		}
	}
	if _, err := New(Options{Scheme: scheme(80, 10), Rule: none, Value: value, Across: true}); err == nil {
		t.Error("different values under a rule that keeps no copy: no error")
	}
}

func TestWords(t *testing.T) {
	s := passage.Scheme{Unit: passage.Words, Length: 8, Window: 3, Normalize: text.Balanced}
	corpus := texts.Source(t, 200_000)
	want := plain(s, first, corpus)
	for _, mem := range []int64{1 << 10, 1 << 16, 1 << 28} {
		got, _ := find(t, Options{Scheme: s, Rule: first, Mem: mem, Jobs: 2}, corpus)
		compare(t, "words", got, want)
	}
}

// TestLocator checks that the byte ranges that a Locator returns for evidence hold the same words
// as the repeats.
func TestLocator(t *testing.T) {
	s := passage.Scheme{Unit: passage.Words, Length: 8, Window: 3, Normalize: text.Balanced}
	corpus := memory(texts.Source(t, 100_000))
	f, err := New(Options{Scheme: s, Rule: first, Mem: 1 << 12, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Scan(corpus.open); err != nil {
		t.Fatal(err)
	}
	var repeats []passage.Repeat
	if err := f.Find(corpus.open, func(r passage.Repeat) error { repeats = append(repeats, r); return nil }); err != nil {
		t.Fatal(err)
	}
	l := f.NewLocator()
	repeats = unfolded(repeats)
	for _, r := range repeats {
		if err := l.Ask(r.From, r.FromStart, r.FromStart+r.End(s.Length)-r.Start); err != nil {
			t.Fatal(err)
		}
	}
	n, here, there := 0, passage.NewUnits(s), passage.NewUnits(s)
	err = l.Answer(corpus.open, func(start, end int) error {
		r := repeats[n]
		n++
		here.Set(corpus[r.Record])
		there.Set(corpus[r.From][start:end])
		if got, want := there.Text(0, there.Len()), here.Text(r.Start, r.End(s.Length)); !bytes.Equal(got, want) {
			return fmt.Errorf("%+v: %q, not %q", r, got, want)
		}
		return nil
	})
	if err := errors.Join(err, l.Close(), f.Close()); err != nil || n != len(repeats) || n == 0 {
		t.Errorf("%d answers of %d: %v", n, len(repeats), err)
	}
}

// TestEvidence checks that the bytes of each repeat equal its evidence, and that the evidence is
// earlier in the corpus.
func TestEvidence(t *testing.T) {
	for name, corpus := range texts.All(t) {
		got, _ := find(t, Options{Scheme: scheme(30, 10), Rule: first, Mem: 1 << 20, Jobs: 2}, corpus)
		for _, r := range unfolded(got) {
			size := r.Count - 1 + 30
			here, there := corpus[r.Record][r.Start:r.Start+size], corpus[r.From][r.FromStart:r.FromStart+size]
			if !bytes.Equal(here, there) || position(r.From, r.FromStart) >= position(r.Record, r.Start) {
				t.Fatalf("%s: %+v is no evidence", name, r)
			}
		}
	}
}

// TestPeriodic checks texts that repeat a letter or a short string. Each passage has the same
// evidence as the passage one period before it, so Find must fold their matches. However long the
// text is, the test allows only a few matches per run and a few repeats in total.
func TestPeriodic(t *testing.T) {
	for _, period := range []string{"a", "ab", "abc", "abcdefg"} {
		text := bytes.Repeat([]byte(period), 8_000/len(period))
		corpus := memory{text, text, []byte("other " + string(text)), text[1:]}
		for _, rule := range []passage.Rule{first, {Keep: passage.KeepFirst, Copies: 2}, {Keep: passage.KeepNone, Copies: 1}} {
			for _, mem := range []int64{1 << 12, 1 << 26} {
				o := Options{Scheme: scheme(200, 50), Rule: rule, Mem: mem, Jobs: 2}
				got, stats := find(t, o, corpus)
				if stats.Matches > 4*stats.Runs || len(got) > 40 {
					t.Errorf("%s %v: %d matches of %d runs, %d repeats", period, o, stats.Matches, stats.Runs, len(got))
				}
				total := 0
				for _, r := range got {
					total += r.Count
				}
				if int64(total) != stats.Repeated {
					t.Errorf("%s %v: repeats of %d passages, not %d", period, o, total, stats.Repeated)
				}
			}
			short := memory{text[:900], text[:700], []byte("other " + string(text[:800])), text[1:500]}
			got, _ := find(t, Options{Scheme: scheme(200, 50), Rule: rule, Mem: 1 << 16, Jobs: 2}, short)
			compare(t, period, got, plain(scheme(200, 1), rule, short))
		}
	}
}

func FuzzEqualsPlain(f *testing.F) {
	f.Add([]byte("abcabcabcabcabc\x00abcabcab\x00"), byte(4), byte(2), byte(1), byte(0))
	f.Add(bytes.Repeat([]byte("ab"), 600), byte(9), byte(9), byte(0), byte(0))
	f.Add([]byte("abcabcabcabcabc\x00abcabcab\x00abcab\x00cabca"), byte(4), byte(2), byte(1), byte(2))
	f.Add([]byte("abcabcabcabcabc\x00abcabcab\x00abcab\x00cabca"), byte(4), byte(2), byte(1), byte(130))
	f.Fuzz(func(t *testing.T, data []byte, length, window, copies, values byte) {
		s := scheme(1+int(length)%64, 1)
		s.Window = 1 + int(window)%s.Length
		corpus := memory(bytes.Split(data, []byte{0}))
		rule := passage.Rule{Keep: passage.Keep(copies >> 7), Copies: 1 + int(copies)%4}
		o := Options{Scheme: s, Rule: rule, Mem: 1 << (10 + copies%16), Jobs: 2}
		if n := uint32(values) % 4; n > 0 { // n is the maximum number of distinct values
			o.Value = func(record int) uint32 { return uint32(record*5) % 7 % n }
			if o.Across = values > 127; o.Across {
				o.Rule = first
			}
		}
		got, _ := find(t, o, corpus)
		compare(t, s.String(), got, plainValued(o, corpus))
	})
}

// TestAdd checks that a Finder filled with Add, in any order, finds the same repeats as a Finder
// filled with Scan.
func TestAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	o := Options{Scheme: scheme(40, 15), Rule: first, Mem: 1 << 16, Jobs: 2}
	for name, corpus := range texts.All(t) {
		want, _ := find(t, o, corpus)
		f, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range shuffled(t, r, o.Scheme, corpus) {
			if err := f.Add(l.record, l.run); err != nil {
				t.Fatal(err)
			}
		}
		var got []passage.Repeat
		err = f.Find(memory(corpus).open, func(r passage.Repeat) error { got = append(got, r); return nil })
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		compare(t, name, got, want)
	}
}

// TestAddTwice checks that Find rejects a run that was added twice: the run would repeat itself.
func TestAddTwice(t *testing.T) {
	corpus := memory{bytes.Repeat([]byte("ab"), 200)}
	for _, second := range []passage.Run{{Start: 0, Count: 9}, {Start: 8, Count: 9}, {Start: 9, Count: 9}} {
		f, err := New(Options{Scheme: scheme(20, 9), Rule: first, Mem: 1 << 20, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(f.Add(0, passage.Run{Start: 0, Count: 9}), f.Add(0, second))
		if err != nil {
			t.Fatal(err)
		}
		err = f.Find(corpus.open, func(passage.Repeat) error { return nil })
		if overlap := second.Start < 9; errors.Is(err, errOverlap) != overlap || !overlap && err != nil {
			t.Errorf("%+v: %v", second, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

type keyLine struct {
	record int
	run    passage.Run
}

func shuffled(t testing.TB, r *rand.Rand, s passage.Scheme, corpus memory) (lines []keyLine) {
	signer, err := passage.NewSigner(s)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range corpus {
		for runs := range signer.Each(text) {
			for _, run := range runs {
				lines = append(lines, keyLine{i, run})
			}
		}
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

// TestErrors checks that Find returns an error if the second reading of the corpus fails or yields
// other texts, and that New returns an error if the options are invalid.
func TestErrors(t *testing.T) {
	corpus := memory{bytes.Repeat([]byte("ab"), 200), bytes.Repeat([]byte("ab"), 200)}
	broken := errors.New("broken")
	bad := func() (func() (Batch, error), error) {
		return func() (Batch, error) { return nil, broken }, nil
	}
	unopened := func() (func() (Batch, error), error) { return nil, broken }
	for name, second := range map[string]Source{
		"broken": bad, "unopened": unopened, "shorter": corpus[:1].open, "none": memory{}.open, "cut": memory{corpus[0], corpus[1][:9]}.open,
		"longer": memory{corpus[0], corpus[1], nil}.open,
	} {
		f, err := New(Options{Scheme: scheme(20, 9), Rule: first, Mem: 1 << 20, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Scan(corpus.open); err != nil {
			t.Fatal(err)
		}
		if err := f.Find(second, func(passage.Repeat) error { return nil }); err == nil {
			t.Errorf("%s: no error", name)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := New(Options{Scheme: scheme(20, 21), Rule: first, Mem: 1 << 20, Jobs: 2}); err == nil {
		t.Error("a scheme that is none")
	}
	if _, err := New(Options{Scheme: scheme(20, 9), Rule: passage.Rule{}, Mem: 1 << 20, Jobs: 2}); err == nil {
		t.Error("a rule that is none")
	}
}

// TestLarge checks groups that are too large for memory: many equal texts, many texts that share
// less than a passage, and both.
func TestLarge(t *testing.T) {
	corpus, s := largeCorpus(500), scheme(80, 10)
	for _, rule := range []passage.Rule{first, {Keep: passage.KeepNone, Copies: 2}} {
		want := plain(s, rule, corpus)
		for _, mem := range []int64{1 << 14, 1 << 18, 1 << 28} {
			got, stats := find(t, Options{Scheme: s, Rule: rule, Mem: mem, Jobs: 2}, corpus)
			compare(t, fmt.Sprint(mem), got, want)
			if deeper := stats.Deeper > 0; deeper != (mem < 1<<20) {
				t.Errorf("mem %d: %d groups were too large", mem, stats.Deeper)
			}
		}
	}
}

func largeCorpus(n int) (corpus memory) {
	r := rand.New(rand.NewPCG(5, 6))
	shared := texts.Letters(r, 1, 60, "abcdefgh")[0]
	page := texts.Letters(r, 1, 500, "abcdefgh")[0]
	for range n {
		own := texts.Letters(r, 2, 60, "abcdefgh")
		corpus = append(corpus, slices.Concat(own[0], shared, own[1]), page, slices.Concat(own[1], shared, own[0]))
	}
	return append(corpus, corpus[:99]...)
}

// TestOneLetter checks texts that repeat a single letter: all passages are equal and have the same
// evidence.
func TestOneLetter(t *testing.T) {
	corpus := memory{bytes.Repeat([]byte("a"), 5000), []byte("aaaaaaaab"), bytes.Repeat([]byte("a"), 3000)}
	s := scheme(80, 10)
	for _, rule := range []passage.Rule{first, {Keep: passage.KeepNone, Copies: 2}} {
		want := plain(s, rule, corpus)
		for _, mem := range []int64{1 << 14, 1 << 28} {
			got, _ := find(t, Options{Scheme: s, Rule: rule, Mem: mem, Jobs: 2}, corpus)
			compare(t, fmt.Sprint(mem), got, want)
		}
	}
}

func TestNoScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	corpus := memory(texts.Source(t, 50_000))
	f, err := New(Options{Scheme: scheme(40, 15), Rule: first, Mem: 1 << 12, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	err = f.Scan(corpus.open)
	if err == nil {
		err = f.Find(corpus.open, func(passage.Repeat) error { return nil })
	}
	if err == nil {
		t.Error("no error without a scratch directory")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestEmitFails checks that Find returns the error that its callback returns.
func TestEmitFails(t *testing.T) {
	corpus, full := memory(texts.Source(t, 50_000)), errors.New("full")
	f, err := New(Options{Scheme: scheme(40, 15), Rule: first, Mem: 1 << 20, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Scan(corpus.open); err != nil {
		t.Fatal(err)
	}
	if err := f.Find(corpus.open, func(passage.Repeat) error { return full }); err != full {
		t.Errorf("%v, not %v", err, full)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseWhileWorking lets reduce return an error while other workers still process their bins.
// The workers must not use fields that Close clears.
func TestCloseWhileWorking(t *testing.T) {
	corpus := memory{}
	for i := range 40 {
		corpus = append(corpus, bytes.Repeat([]byte(fmt.Sprintf("passage %d of many ", i/2)), 20))
	}
	for range 30 {
		f, err := New(Options{Scheme: scheme(20, 9), Rule: first, Mem: 1 << 10, Jobs: 8})
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(f.Scan(corpus.open), f.divide(), f.spill(corpus.open))
		if err != nil || f.stats.Bins < 2 {
			t.Fatalf("%d bins, %v", f.stats.Bins, err)
		}
		f.bins.file.Close()
		if f.reduce() == nil {
			t.Error("a file that cannot be read: no error")
		}
		f.Close()
	}
}
