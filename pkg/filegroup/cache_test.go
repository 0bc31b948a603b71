package filegroup

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
)

// later returns a time at which files just created are old enough to be cached.
func later() int64 { return time.Now().Unix() + 10 }

func cached(t testing.TB, text string, now int64) *Cache {
	t.Helper()
	c, err := NewCache(strings.NewReader(text), now)
	check(t, err)
	return c
}

func written(t testing.TB, c *Cache) string {
	t.Helper()
	var b bytes.Buffer
	check(t, c.Write(&b))
	return b.String()
}

// TestCache checks that a second search reads no cached file and finds the same groups, and that a
// file is read again if it has changed.
func TestCache(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a", "b", "c"} {
		write(t, name, content(20000, 1))
	}
	write(t, "d", content(20000, 2))
	for _, confirm := range []Confirmation{Hash, Nothing} {
		text, names := "", []string{"a", "b", "c", "d"}
		search := func() (groups [][]string, read int64) {
			o := options(t, confirm)
			o.Cache = cached(t, text, later())
			o.Read = func(_ int, n int64) { read += n }
			groups = find(t, o, list(names...))
			text = written(t, o.Cache)
			return groups, read
		}
		first, _ := search()
		known := text
		if again, read := search(); cmp.Diff(first, again) != "" || read != 0 || text != known {
			t.Errorf("%v, want %v; read %d bytes", again, first, read)
		}
		write(t, "c", content(20000, 2))
		groups, read := search()
		if d := cmp.Diff([][]string{{"a", "b"}, {"c", "d"}}, groups); d != "" || read == 0 {
			t.Errorf("%s, read %d bytes", d, read)
		}
		if a, b := strings.Count(known, "\n"), strings.Count(text, "\n"); a > b+1 || b > a+1 {
			t.Errorf("%d lines became %d", a, b)
		}
		write(t, "c", content(20000, 1))
	}
}

// TestCacheIsNotRacy checks that a file that has just changed is not cached, because its times may
// stay the same if it changes again.
func TestCacheIsNotRacy(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a", content(100, 1))
	write(t, "b", content(100, 1))
	o := options(t, Hash)
	o.Cache = cached(t, "", time.Now().Unix())
	find(t, o, list("a", "b"))
	if got := written(t, o.Cache); got != titled("") {
		t.Errorf("%s", got)
	}
}

// titled returns the text of a cache file with the given lines and their checksum.
func titled(lines string) string { return cacheTitle + sumOf(lines) + "\n" + lines }

func TestCacheFile(t *testing.T) {
	const line = "xxh64/3x4096\t1\t2\t3\t4.000000005\t-6.000000007\t00000000000000ff0000000000000000\n"
	good := titled(line)
	if got := written(t, cached(t, good, 0)); got != good {
		t.Errorf("%s came back as %s", good, got)
	}
	for _, bad := range []string{"other\n", cacheTitle, cacheTitle + "x\n", titled("x\n"), titled(strings.Replace(line, "\t1\t", "\tx\t", 1)), titled(strings.Replace(line, "4.0", "4,0", 1))} {
		if _, err := NewCache(strings.NewReader(bad), 0); !errors.Is(err, errNotCache) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for i := range good {
		harmed := good[:i] + string(good[i]^1) + good[i+1:]
		for _, bad := range []string{harmed, good[:max(i, 1)]} {
			if _, err := NewCache(strings.NewReader(bad), 0); !errors.Is(err, errNotCache) {
				t.Errorf("%q: %v", bad, err)
			}
		}
	}
	if got := written(t, cached(t, oldTitle+line, 0)); got != titled("") {
		t.Errorf("an old cache came back as %s", got)
	}
}

func FuzzCache(f *testing.F) {
	f.Add("xxh64/3x4096\t1\t2\t3\t4.000000005\t-6.000000007\t00000000000000ff0000000000000000\n")
	f.Add("\t\t\t\t\t\t\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := NewCache(strings.NewReader(titled(text)), 0)
		if err != nil {
			return
		}
		first := written(t, c)
		if again := written(t, cached(t, first, 0)); again != first {
			t.Errorf("%q is read and written as %q", first, again)
		}
	})
}

// TestNames checks that hard links become further names of one member, that spared files are marked
// and come first, and that files smaller than MinSize are left out.
func TestNames(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a", content(100, 1))
	write(t, "b", content(100, 1))
	write(t, "x", content(10, 1))
	write(t, "y", content(10, 1))
	check(t, os.Link("a", "a2"))
	check(t, os.Link("b", "b2"))
	o := options(t, Bytes)
	o.MinSize, o.Spared = 11, list("b")
	var got []Group
	check(t, Find(list("a", "a2", "x", "y", "b2", "./b"), o, func(g *Group) error { got = append(got, *g); return nil }))
	if len(got) != 1 || len(got[0].Members) != 2 {
		t.Fatalf("%v", got)
	}
	b, a := got[0].Members[0], got[0].Members[1]
	if !b.Spared || a.Spared || string(b.Name) != "b" || string(bytes.Join(b.Others, []byte(" "))) != "b2 ./b" || string(bytes.Join(a.Others, []byte(" "))) != "a2" {
		t.Errorf("%s %s, %s %s", a.Name, a.Others, b.Name, b.Others)
	}
}

// TestKnown checks that Catalog.Find finds files whose content is in the catalog, does not read
// files whose size is not in it, and uses cached hashes.
func TestKnown(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a", content(100, 1))
	write(t, "b", content(100, 2))
	write(t, "c", content(101, 1))
	write(t, "empty", nil)
	k, how := Catalog{}, Whole(files.Refuse)
	how.Empty = true
	rows := filesum.NewSigner(&how).Sign(nil, []filename.Item{{Name: []byte("a")}, {Name: []byte("empty")}})
	k.Add(rows[0].Sum, 100, []byte("there/a"))
	k.Add(rows[0].Sum, 100, []byte("there/again"))
	k.Add(rows[1].Sum, 0, []byte("there/empty"))
	o, read := options(t, Bytes), int64(0)
	o.Read = func(_ int, n int64) { read += n }
	o.Cache = cached(t, "", later())
	search := func() (names []string) {
		check(t, k.Find(list("a", "b", "c", "empty"), o, func(g *Group) error {
			for _, m := range g.Members {
				names = append(names, string(m.Name))
			}
			return nil
		}))
		return names
	}
	if d := cmp.Diff([]string{"there/a", "a"}, search()); d != "" || read != 200 {
		t.Errorf("%s, read %d bytes", d, read)
	}
	o.Cache = cached(t, written(t, o.Cache), later())
	if d := cmp.Diff([]string{"there/a", "a"}, search()); d != "" || read != 200 {
		t.Errorf("%s, read %d bytes", d, read)
	}
}
