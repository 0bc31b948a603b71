package passage

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/passage/internal/texts"
	"doppel/pkg/text"
)

// plain is the oracle: using a map of all passages, it returns the position of the evidence and
// the number of occurrences of each repeated passage.
func plain(s Scheme, rule Rule, corpus [][]byte) map[uint64][2]uint64 {
	places := map[string][]uint64{}
	for i, t := range corpus {
		u := NewUnits(s)
		u.Set(t)
		for p := 0; p+s.Length <= u.Len(); p++ {
			passage := string(u.Text(p, p+s.Length))
			places[passage] = append(places[passage], uint64(i)<<32|uint64(p))
		}
	}
	want := map[uint64][2]uint64{}
	for _, at := range places {
		for n, pos := range at {
			switch {
			case rule.Keep == KeepFirst && n >= rule.Copies, rule.Keep == KeepNone && len(at) > rule.Copies && n > 0:
				want[pos] = [2]uint64{at[0], uint64(len(at))}
			case rule.Keep == KeepNone && len(at) > rule.Copies:
				want[pos] = [2]uint64{at[1], uint64(len(at))}
			}
		}
	}
	return want
}

// grouped computes the same result as plain, but uses a Signer and a Group. It collects the runs of
// each key in a map instead of sorting the runs by key.
func grouped(t testing.TB, s Scheme, rule Rule, corpus [][]byte) map[uint64][2]uint64 {
	signer, err := NewSigner(s)
	if err != nil {
		t.Fatal(err)
	}
	u, members := NewUnits(s), map[uint64][]Member{}
	for i, text := range corpus {
		u.Set(text)
		for _, r := range signer.all(text) {
			m := Member{Pos: uint64(i)<<32 | uint64(r.Start), Count: r.Count, Twice: r.Twice, Text: bytes.Clone(u.Text(r.Start, r.End(s)))}
			members[r.Key()] = append(members[r.Key()], m)
		}
	}
	g, err := NewGroup(s, rule)
	if err != nil {
		t.Fatal(err)
	}
	got := map[uint64][2]uint64{}
	for _, list := range members {
		if len(list) > 1 || list[0].Twice {
			flatten(t, got, matchesOf(g, list), g)
		}
	}
	return got
}

func matchesOf(g *Group, list []Member) (matches []Match) {
	g.Reset()
	context := make([]int, len(list))
	for i, m := range list {
		context[i] = g.Add(m)
	}
	for i, m := range list {
		matches = g.AppendMatches(matches, context[i], m.Pos)
	}
	return matches
}

// flatten adds the evidence and the copies of each matched passage to got.
func flatten(t testing.TB, got map[uint64][2]uint64, matches []Match, g *Group) {
	for _, m := range matches {
		for n := range uint64(m.Count) {
			if _, ok := got[m.Pos+n]; ok {
				t.Errorf("%x is repeated twice", m.Pos+n)
			}
			at := m.From + n
			if m.Period > 0 {
				at = m.From + n%uint64(m.Period)
			}
			got[m.Pos+n] = [2]uint64{at, uint64(m.Copies)}
		}
	}
}

// differ reports an error if got differs from want. Match.Copies counts only the occurrences of the
// match's rarest passage, so for the other passages it is a lower bound.
func differ(t testing.TB, name string, got, want map[uint64][2]uint64) {
	missed, extra, other := 0, 0, 0
	for pos, w := range want {
		if g, ok := got[pos]; !ok {
			missed++
		} else if g[0] != w[0] || g[1] > w[1] {
			other++
		}
	}
	for pos := range got {
		if _, ok := want[pos]; !ok {
			extra++
		}
	}
	if missed+extra+other > 0 {
		t.Errorf("%s: of %d repeated passages %d missed, %d with other evidence, and %d too many", name, len(want), missed, other, extra)
	}
}

func scheme(length, window int) Scheme {
	return Scheme{Bytes, length, window, text.None}
}

func TestEqualsPlain(t *testing.T) {
	for name, corpus := range texts.All(t) {
		for _, length := range []int{20, 50, 150} {
			want := plain(scheme(length, 1), Rule{KeepFirst, 1}, corpus)
			for _, window := range []int{1, 8, length / 3, length - 1, length} {
				s := scheme(length, window)
				differ(t, name+" "+s.String(), grouped(t, s, Rule{KeepFirst, 1}, corpus), want)
			}
		}
	}
}

func TestRules(t *testing.T) {
	s := scheme(30, 12)
	for name, corpus := range texts.All(t) {
		for _, rule := range []Rule{{KeepFirst, 2}, {KeepFirst, 5}, {KeepNone, 1}, {KeepNone, 3}} {
			differ(t, name, grouped(t, s, rule, corpus), plain(s, rule, corpus))
		}
	}
}

func TestWords(t *testing.T) {
	s := Scheme{Words, 8, 3, text.Balanced}
	corpus := texts.Source(t, 200_000)
	corpus = append(corpus, []byte(strings.ToUpper(string(corpus[1]))), []byte("漢字かな交じり文 is ÄÖÜ, twice: 漢字かな交じり文 Is äöü twice"))
	for _, rule := range []Rule{{KeepFirst, 1}, {KeepNone, 1}} {
		want := plain(s, rule, corpus)
		if len(want) < 1000 {
			t.Errorf("only %d repeated passages", len(want))
		}
		differ(t, "words", grouped(t, s, rule, corpus), want)
	}
}

func FuzzEqualsPlain(f *testing.F) {
	f.Add([]byte("abcabcabcabcabc\x00abcabcab\x00"), byte(4), byte(2), byte(1))
	f.Add(bytes.Repeat([]byte("ab"), 600), byte(9), byte(9), byte(0))
	f.Fuzz(func(t *testing.T, data []byte, length, window, copies byte) {
		s := scheme(1+int(length)%64, 1)
		s.Window = 1 + int(window)%s.Length
		corpus := bytes.Split(data, []byte{0})
		for _, keep := range []Keep{KeepFirst, KeepNone} {
			rule := Rule{keep, 1 + int(copies)%4}
			differ(t, s.String(), grouped(t, s, rule, corpus), plain(s, rule, corpus))
		}
	})
}

// TestRuns checks that the runs of a text are contiguous and hold all its passages, and that
// encoding and parsing a body preserves the runs.
func TestRuns(t *testing.T) {
	for name, corpus := range texts.All(t) {
		for _, s := range []Scheme{scheme(20, 5), scheme(100, 25), scheme(60, 60)} {
			signer, err := NewSigner(s)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range corpus {
				runs := signer.all(text)
				next := 0
				for _, r := range runs {
					if r.Start != next || r.Count < 1 || r.Count > MaxCount {
						t.Fatalf("%s: run %+v does not begin at %d", name, r, next)
					}
					next += r.Count
				}
				if next != max(0, len(text)-s.Length+1) {
					t.Errorf("%s: %d of %d passages are in runs", name, next, len(text)-s.Length+1)
				}
				checkBody(t, runs)
			}
		}
	}
}

func checkBody(t *testing.T, runs []Run) {
	got, err := AppendParsed(nil, bodyOf(runs))
	same := slices.EqualFunc(got, runs, func(a, b Run) bool {
		a.Hash, b.Hash = a.Key(), b.Key()
		return a == b
	})
	if err != nil || !same {
		t.Errorf("of %d runs %d came back: %v", len(runs), len(got), err)
	}
}

func TestBodyErrors(t *testing.T) {
	for _, body := range []string{"", "A", "AAAAAAAAAA", "AAAAAAAAAAB", "--AAAAAAAAA=", "AAAAAAAAAA\n"} {
		if runs, err := AppendParsed(nil, []byte(body)); err == nil {
			t.Errorf("%q gives %v", body, runs)
		}
	}
}

func TestScheme(t *testing.T) {
	for in, want := range map[string]string{
		"200": "passage/200/k50/none", "20": "passage/20/k12/none", "5": "passage/5/k5/none",
		"w50": "passage/w50/k12/balanced", "w2": "passage/w2/k2/balanced",
		"0": "", "": "", "w": "", "-3": "", "65537": "", "c5": "", "007": "",
	} {
		s, err := NewScheme(in, text.Balanced)
		if (err == nil) != (want != "") || err == nil && s.String() != want {
			t.Errorf("%q is %v, %v, not %s", in, s, err, want)
		}
		if again, err := ParseScheme(want); want != "" && (err != nil || again != s) {
			t.Errorf("%q: %v, %v", want, again, err)
		}
	}
	for _, bad := range []string{"passage/200/k201/none", "passage/200/k50/balanced", "passage/w9/k5/aggressive", "passage/w9/k5/none",
		"passage/9/5/none", "passage/9/k05/none", "minhash/9/k5/none", "passage/9/k5", "passage/9/k5/none/x"} {
		if s, err := ParseScheme(bad); err == nil {
			t.Errorf("%s is %v", bad, s)
		}
	}
}

// FuzzUnits compares the words of Units with the words of package text, and checks the byte ranges
// that Units returns.
func FuzzUnits(f *testing.F) {
	f.Add([]byte("One, two: Ünïcode\xff漢字 ไทย e\u0301x İı ǅ"))
	f.Add(bytes.Repeat([]byte("a bc漢字, d\xffe ไทย "), 40))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, how := range []text.Normalization{text.Conservative, text.Balanced} {
			s := Scheme{Words, 3, 2, how}
			u, shingler := NewUnits(s), text.NewShingler(text.Options{Shingle: text.Default.Shingle, Normalize: how})
			u.Set(in)
			var all []byte
			if u.Len() > 0 {
				all = bytes.TrimSuffix(u.Text(0, u.Len()), []byte(" "))
			}
			if want := shingler.Normalized(nil, in); !bytes.Equal(all, want) {
				t.Fatalf("%v: %q has words %q, not %q", how, in, all, want)
			}
			again := NewUnits(s)
			again.Set(all)
			if !slices.Equal(again.values, u.values) {
				t.Fatalf("%v: words of %q are not those of %q", how, all, in)
			}
			last := 0
			for i := range u.Len() {
				start, end := u.Place(i, i+1)
				word := bytes.TrimSuffix(u.Text(i, i+1), []byte(" "))
				if got := shingler.Normalized(nil, in[start:end]); start < last || !bytes.Equal(got, word) {
					t.Fatalf("%v: word %d of %q is %q at %d, where %q stands", how, i, in, word, start, got)
				}
				last = end
			}
		}
	})
}

func TestUnitsOrder(t *testing.T) {
	u := NewUnits(scheme(3, 2))
	u.Set([]byte("abcdef"))
	start, end := u.Place(1, 4)
	if cmp.Compare(u.Len(), 6) != 0 || string(u.Text(1, 4)) != "bcd" || start != 1 || end != 4 {
		t.Error("bytes are not where they are")
	}
}

// TestPeriodicRuns checks a text in which each next passage loses the old least hash but gains an
// equal one. The run must continue, and Twice must be set.
func TestPeriodicRuns(t *testing.T) {
	s := scheme(10, 4)
	signer, err := NewSigner(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, times := range []int{2, 40, 3 * chunk} {
		in := bytes.Repeat([]byte("abcdefg"), times) // the period, 7, is the number of windows in a passage
		passages := len(in) - 9
		runs := signer.all(in)
		if want := (passages + MaxCount - 1) / MaxCount; len(runs) != want {
			t.Errorf("%d passages are in %d runs, not %d", passages, len(runs), want)
		}
		for i, r := range runs {
			if r.Hash != runs[0].Hash || r.Start != i*MaxCount || r.Twice != (passages > 7) {
				t.Errorf("%d times: run %d is %+v", times, i, r)
			}
		}
	}
}

// TestGroupEnters checks that a group stores each distinct passage once, however many texts
// share it.
func TestGroupEnters(t *testing.T) {
	g, err := NewGroup(scheme(10, 4), Rule{KeepFirst, 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		in := fmt.Appendf(nil, "some text that %d others have", i)
		g.Add(Member{Pos: uint64(i) << 32, Count: len(in) - 9, Text: in})
	}
	if n := len(g.passages); g.byHash.n != n {
		t.Errorf("%d passages are entered %d times", n, g.byHash.n)
	}
}
