package dirgroup

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree builds a tree from a map of file names to file content; equal files become groups.
func tree(files map[string]string, roots ...string) *Tree {
	t, groups := New(roots), map[string][]string{}
	for name, text := range files {
		t.File(name)
		groups[text] = append(groups[text], name)
	}
	for text, names := range groups {
		if len(names) > 1 {
			t.Equal(names, int64(len(text)))
		}
	}
	return t
}

func show(pairs []Pair) (lines []string) {
	for _, p := range pairs {
		lines = append(lines, fmt.Sprintf("%s %s %s %d/%d %d/%d %d", p.Kind, p.A, p.B, p.SharedA, p.FilesA, p.SharedB, p.FilesB, p.Bytes))
	}
	return lines
}

func TestPairs(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"other names":           {map[string]string{"r/a/1": "x", "r/a/s/2": "yy", "r/b/one": "x", "r/b/t/two": "yy"}, []string{"similar r/a r/b 2/2 2/2 3"}},
		"the uppermost":         {map[string]string{"r/a/s/1": "x", "r/a/s/2": "y", "r/b/s/1": "x", "r/b/s/2": "y", "r/1": "p", "r/2": "q"}, []string{"equal r/a r/b 2/2 2/2 2"}},
		"within":                {map[string]string{"r/a/1": "x", "r/a/2": "y", "r/b/s/1": "x", "r/b/s/2": "y", "r/b/s/3": "z", "r/b/4": "w"}, []string{"within r/a r/b/s 2/2 2/3 2"}},
		"within, the other way": {map[string]string{"r/z/1": "x", "r/z/2": "y", "r/b/1": "x", "r/b/2": "y", "r/b/3": "z"}, []string{"within r/z r/b 2/2 2/3 2"}},
		"similar":               {map[string]string{"r/a/1": "x", "r/a/2": "y", "r/a/3": "p", "r/b/1": "x", "r/b/2": "y", "r/b/3": "q"}, []string{"similar r/a r/b 2/3 2/3 2"}},
		"too few":               {map[string]string{"r/a/1": "x", "r/b/1": "x"}, nil},
		"a copy inside":         {map[string]string{"r/a/1": "x", "r/a/2": "y", "r/a/s/1": "x", "r/a/s/2": "y"}, nil},
		"two in one": {map[string]string{"r/a/1": "x", "r/a/2": "y", "r/b/1": "p", "r/b/2": "q", "r/c/s/1": "x", "r/c/s/2": "y", "r/c/t/1": "p", "r/c/t/2": "q"},
			[]string{"equal r/a r/c/s 2/2 2/2 2", "equal r/b r/c/t 2/2 2/2 2"}},
	} {
		pairs, _ := tree(c.files, "r").Pairs(Options{Threshold: 0.6, Files: 2, Common: 100})
		if d := cmp.Diff(c.want, show(pairs)); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

// TestRandom checks on random trees that reported pairs have the right shares and do not overlap,
// and that every similar pair overlaps a reported pair.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		files := map[string]string{}
		for i := range 5 + r.IntN(25) {
			name := "r"
			for range r.IntN(4) {
				name += "/" + string(rune('a'+r.IntN(3)))
			}
			files[fmt.Sprintf("%s/%d", name, i)] = strings.Repeat("x", 1+r.IntN(12))
		}
		o := Options{Threshold: 0.3 + 0.1*float64(r.IntN(8)), Files: 1 + r.Int64N(2), Common: 100}
		pairs, _ := tree(files, "r/").Pairs(o)
		for i := range pairs {
			p := &pairs[i]
			a, b, bytes := plainShare(files, p.A, p.B)
			if a != [2]int64{p.SharedA, p.FilesA} || b != [2]int64{p.SharedB, p.FilesB} || bytes != p.Bytes || related(p.A, p.B) || p.ShareA() < o.Threshold {
				t.Fatalf("%v: %+v, want %v %v %d", files, p, a, b, bytes)
			}
			for j := range pairs[:i] {
				if pairs[j].covers(p) {
					t.Fatalf("%v: %+v and %+v", files, pairs[j], p)
				}
			}
		}
		for _, p := range plainPairs(files, o) {
			covered := false
			for i := range pairs {
				covered = covered || pairs[i].covers(&p)
			}
			if !covered {
				t.Fatalf("%v: %s and %s are not told in %v", files, p.A, p.B, show(pairs))
			}
		}
	}
}

// plainShare returns two numbers for each of the directories a and b: the number of its files that
// have an equal file in the other directory, and the number of all its files. It also returns the
// total size of those files in directory a that have an equal file in b.
func plainShare(files map[string]string, a, b string) (inA, inB [2]int64, bytes int64) {
	for name, text := range files {
		for side, dir := range []string{a, b} {
			if !strings.HasPrefix(name, dir+"/") {
				continue
			}
			in := []*[2]int64{&inA, &inB}[side]
			in[1]++
			for other, same := range files {
				if same == text && strings.HasPrefix(other, []string{b, a}[side]+"/") {
					in[0]++
					if side == 0 {
						bytes += int64(len(text))
					}
					break
				}
			}
		}
	}
	return inA, inB, bytes
}

func plainPairs(files map[string]string, o Options) (pairs []Pair) {
	dirs := map[string]bool{}
	for name := range files {
		for dir := name; strings.Contains(dir, "/"); {
			dir = dir[:strings.LastIndexByte(dir, '/')]
			dirs[dir] = true
		}
	}
	for a := range dirs {
		for b := range dirs {
			x, y, _ := plainShare(files, a, b)
			if a != b && !related(a, b) && x[1] >= o.Files && y[1] >= o.Files && float64(x[0]) >= o.Threshold*float64(x[1]) && x[0] > 0 {
				pairs = append(pairs, Pair{A: a, B: b})
			}
		}
	}
	return pairs
}

// TestCommon checks that a word found in too many directories is counted but produces no pair, and
// that a root may be / or end with a slash.
func TestCommon(t *testing.T) {
	files := map[string]string{}
	for i := range 6 {
		files[fmt.Sprintf("/r/%d/licence", i)] = "x"
		files[fmt.Sprintf("/r/%d/own", i)] = strings.Repeat("y", 1+i/2)
	}
	pairs, common := tree(files, "/r/").Pairs(Options{Threshold: 0.9, Files: 2, Common: 5})
	if common != 1 || len(pairs) != 3 || pairs[0].Kind != Same {
		t.Errorf("%d: %v", common, show(pairs))
	}
	if got := trim("/"); got != "/" {
		t.Errorf("%q", got)
	}
	pairs, _ = tree(map[string]string{"/a/1": "x", "/a/2": "y", "/b/1": "x", "/b/2": "y"}, "/").Pairs(Options{Threshold: 0.9, Files: 2, Common: 5})
	if d := cmp.Diff([]string{"equal /a /b 2/2 2/2 2"}, show(pairs)); d != "" {
		t.Error(d)
	}
}
