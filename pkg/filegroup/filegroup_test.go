package filegroup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/blockhash"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// content returns n pseudo-random bytes. Equal arguments produce equal bytes.
func content(n int, seed uint64) []byte {
	b, r := make([]byte, n), rand.New(rand.NewPCG(seed, uint64(n)))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func write(t testing.TB, name string, b []byte) {
	t.Helper()
	check(t, os.WriteFile(name, b, 0o666))
}

func options(t testing.TB, c Confirmation) *Options {
	h, err := blockhash.New(blockhash.XXH64, nil)
	check(t, err)
	return &Options{
		Sum: filesum.Options{Rule: blockhash.Default, Hash: h}, Confirm: c, Jobs: 2, Mem: 1 << 20,
		Report: func(err error) { t.Error(err) }, Read: func(int, int64) {},
	}
}

// find returns the names in each group.
func find(t testing.TB, o *Options, src filename.Source) (groups [][]string) {
	t.Helper()
	check(t, Find(src, o, func(g *Group) error {
		var names []string
		for _, m := range g.Members {
			names = append(names, string(m.Name))
		}
		groups = append(groups, names)
		return nil
	}))
	return groups
}

func list(names ...string) filename.Source { l := filename.List(names); return &l }

// plain is the oracle: it finds the groups of equal files by reading all files.
func plain(t testing.TB, names []string) (groups [][]string) {
	at := map[string]int{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		check(t, err)
		i, ok := at[string(b)]
		if !ok {
			i = len(groups)
			at[string(b)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], name)
	}
	kept := groups[:0]
	for _, g := range groups {
		if len(g) > 1 {
			kept = append(kept, g)
		}
	}
	return kept
}

// TestFind checks the groups found among random files against those that plain finds. Many of the
// files are equal, and some differ only outside the hashed blocks.
func TestFind(t *testing.T) {
	t.Chdir(t.TempDir())
	sizes := []int{1, 100, 4096, 8193, 100000, 300000}
	r := rand.New(rand.NewPCG(1, 2))
	var names []string
	for i := range 400 {
		b := content(sizes[r.IntN(len(sizes))], 0)
		if r.IntN(2) == 0 {
			b[len(b)/3] ^= byte(r.IntN(40)) // in a large file, a byte in the gap between blocks
		}
		names = append(names, fmt.Sprint(i))
		write(t, names[i], b)
	}
	for _, c := range []Confirmation{Bytes, Hash} {
		for _, jobs := range []int{1, 8} {
			o := options(t, c)
			o.Jobs, o.Mem = jobs, int64(jobs)<<10
			got := map[string][]string{}
			for _, g := range find(t, o, list(names...)) {
				got[g[0]] = g
			}
			want := map[string][]string{}
			for _, g := range plain(t, names) {
				want[g[0]] = g
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("confirmation %d, %d jobs:\n%s", c, jobs, d)
			}
		}
	}
}

func TestGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	big, other := content(100000, 1), content(100000, 1)
	other[20000] ^= 1
	for name, b := range map[string][]byte{
		"b": big, "a": big, "gap": other, "small": []byte("x"), "copy": []byte("x"), "alone": []byte("y"), "none": nil, "nothing": nil,
	} {
		write(t, name, b)
	}
	check(t, os.Link("b", "hard"))
	check(t, os.Symlink("b", "link"))
	all := []string{"b", "hard", "small", "none", "gap", "copy", "b", "./b", "a", "alone", "nothing"}
	for c, want := range map[Confirmation][][]string{
		Bytes:   {{"b", "a"}, {"small", "copy"}},
		Hash:    {{"b", "a"}, {"small", "copy"}},
		Nothing: {{"b", "gap", "a"}, {"small", "copy"}},
	} {
		if d := cmp.Diff(want, find(t, options(t, c), list(all...))); d != "" {
			t.Errorf("confirmation %d:\n%s", c, d)
		}
	}
	o := options(t, Bytes)
	o.Sum.Links = files.Follow
	if got := find(t, o, list("link", "b", "hard")); got != nil {
		t.Errorf("names of one file are a group: %q", got)
	}
	if got := find(t, o, list("link", "a")); !cmp.Equal(got, [][]string{{"link", "a"}}) {
		t.Errorf("%q", got)
	}
}

// A meddler is a source that calls a function after it has returned all names.
type meddler struct {
	filename.Source
	meddle func()
}

func (m meddler) Next(b *filename.Batch, n int) error {
	err := m.Source.Next(b, n)
	if err == io.EOF {
		m.meddle()
	}
	return err
}

// TestChanged checks that files that change, vanish or shrink during the search are
// reported and left out of the groups.
func TestChanged(t *testing.T) {
	for _, c := range []Confirmation{Bytes, Hash, Nothing} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Chdir(t.TempDir())
			names := strings.Fields("changed a vanished shrunk b replaced c")
			for _, name := range names {
				write(t, name, content(50000, 1))
			}
			meddle := func() {
				write(t, "changed", content(50000, 2))
				check(t, os.Remove("vanished"))
				check(t, os.Truncate("shrunk", 10))
				check(t, os.Remove("replaced"))
				check(t, os.Mkdir("replaced", 0o777))
			}
			o := options(t, c)
			o.Jobs = 1
			errs := map[string]error{}
			o.Report = func(err error) {
				var e *files.Error
				if !errors.As(err, &e) {
					t.Fatal(err)
				}
				errs[e.Name] = e.Err
			}
			got := find(t, o, meddler{list(names...), meddle})
			if d := cmp.Diff([][]string{{"a", "b", "c"}}, got); d != "" {
				t.Error(d)
			}
			for name, want := range map[string]error{"changed": files.ErrChanged, "vanished": os.ErrNotExist, "shrunk": files.ErrChanged, "replaced": files.ErrDirectory} {
				if !errors.Is(errs[name], want) {
					t.Errorf("%s: %v, want %v", name, errs[name], want)
				}
			}
		})
	}
}

// TestCheck checks that Group.Check reports and removes files that have changed since the
// comparison.
func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range strings.Fields("a b c d") {
		write(t, name, []byte("text"))
	}
	err := Find(list("a", "b", "c", "d"), options(t, Bytes), func(g *Group) error {
		write(t, "a", []byte("TEXT, and more of it"))
		check(t, os.Remove("c"))
		var errs []error
		g.Check(files.Refuse, func(err error) { errs = append(errs, err) })
		if len(errs) != 2 || !errors.Is(errs[0], files.ErrChanged) || !errors.Is(errs[1], os.ErrNotExist) {
			t.Errorf("%v", errs)
		}
		if len(g.Members) != 2 || string(g.Members[0].Name) != "b" || string(g.Members[1].Name) != "d" {
			t.Errorf("%v", g.Members)
		}
		return nil
	})
	check(t, err)
}

// TestComparer compares more files than may be open at once. Two of them no longer exist.
func TestComparer(t *testing.T) {
	t.Chdir(t.TempDir())
	var ms []Member
	add := func(name string, b []byte) {
		write(t, name, b)
		info, err := files.Stat([]byte(name), files.Refuse)
		check(t, err)
		ms = append(ms, Member{Name: []byte(name), Info: info})
	}
	text := content(3*chunk, 1)
	add("gone", text)
	for i := range 3 * maxRivals {
		other := bytes.Clone(text)
		other[i%3*chunk+i%3] ^= byte(i % 3) // makes three groups of equal files
		add(fmt.Sprint(i), other)
	}
	add("later", text)
	check(t, os.Remove("gone"))
	check(t, os.Remove("later"))
	f := finder{o: options(t, Bytes)}
	v := f.comparer()(ms)
	if len(v.groups) != 3 || len(v.errs) != 2 {
		t.Fatalf("%d groups, %v", len(v.groups), v.errs)
	}
	for i, g := range v.groups {
		if len(g.Members) != maxRivals || string(g.Members[0].Name) != fmt.Sprint(i) {
			t.Errorf("group %d has %d members from %s", i, len(g.Members), g.Members[0].Name)
		}
	}
}

func TestFails(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a", []byte("x"))
	write(t, "b", []byte("x"))
	broken := errors.New("broken")
	emit := func(*Group) error { return broken }
	if err := Find(list("a", "b"), options(t, Bytes), emit); err != broken {
		t.Error(err)
	}
	if err := Find(filename.NewReader(&brokenReader{broken}, '\n'), options(t, Bytes), emit); err != broken {
		t.Error(err)
	}
	t.Setenv("TMPDIR", "/no/such/place")
	if err := Find(list(slices.Repeat([]string{"a", "b"}, 5000)...), options(t, Bytes), emit); err == nil || err == broken {
		t.Errorf("no scratch directory: %v", err)
	}
}

type brokenReader struct{ err error }

func (b *brokenReader) Read([]byte) (int, error) { return 0, b.err }

// FuzzStore checks that entries are read back unchanged in any order.
func FuzzStore(f *testing.F) {
	f.Add([]byte("a name"), int64(5), uint64(7))
	f.Fuzz(func(t *testing.T, name []byte, size int64, seed uint64) {
		s := new(store)
		defer s.log.Close()
		var places []uint64
		nth := func(i int) ([]byte, files.Info) {
			return bytes.Repeat(name, 1+i%7), files.Info{Size: size + int64(i), Dev: seed, Ino: seed << 1, Mtime: files.Time{Sec: -size, Nsec: 7}, Ctime: files.Time{Sec: size}}
		}
		const n = 300
		for i := range n {
			name, info := nth(i)
			place, err := s.add(name, &info, filename.Unknown)
			check(t, err)
			places = append(places, place)
		}
		r := s.reader()
		for i := range n {
			i = int((uint64(i)*seed + uint64(i)) % n)
			m, err := r.get(places[i])
			check(t, err)
			if name, info := nth(i); !bytes.Equal(m.Name, name) || m.Info != info {
				t.Fatalf("entry %d: %q %v, want %q %v", i, m.Name, m.Info, name, info)
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	b.Chdir(b.TempDir())
	var ms []Member
	for _, name := range []string{"a", "b", "c"} {
		write(b, name, content(1<<20, 1))
		info, err := files.Stat([]byte(name), files.Refuse)
		check(b, err)
		ms = append(ms, Member{Name: []byte(name), Info: info})
	}
	f := finder{o: options(b, Bytes)}
	split := f.comparer()
	b.SetBytes(3 << 20)
	b.ReportAllocs()
	for b.Loop() {
		split(ms)
	}
}
