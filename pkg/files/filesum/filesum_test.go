package filesum

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/blockhash"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func content(n, seed int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(uint64(i+seed+1) * 0x9e3779b97f4a7c15 >> 56)
	}
	return b
}

// names creates a file of each size and returns the names of the files.
func names(t testing.TB, sizes []int) (all []string) {
	dir := t.TempDir()
	for i, n := range sizes {
		name := filepath.Join(dir, fmt.Sprintf("%d.%d.x", i, n))
		check(t, os.WriteFile(name, content(n, i), 0o666))
		all = append(all, name)
	}
	return all
}

func options(t testing.TB, r blockhash.Rule, kind blockhash.Kind) Options {
	h, err := blockhash.New(kind, nil)
	check(t, err)
	return Options{Rule: r, Hash: h, Empty: true}
}

// plain is the oracle: it computes the sum of a file in the simplest way.
func plain(t testing.TB, o *Options, name string) blockhash.Sum {
	all, err := os.ReadFile(name)
	check(t, err)
	d := o.Hash.NewStream()
	for _, s := range o.Rule.Spans(nil, int64(len(all))) {
		d.Write(all[s.Off : s.Off+s.Len])
	}
	d.Write(blockhash.AppendSize(nil, int64(len(all))))
	return d.Sum()
}

// TestEach checks that a file has the same sum whether its blocks are gathered or streamed, and
// whatever the number of jobs.
func TestEach(t *testing.T) {
	const b = 4096
	all := names(t, []int{0, 1, b - 1, b, b + 1, 2 * b, 2*b + 1, 3*b - 1, 3 * b, 300000, gather - 9, gather, gather + 1, 1000000, 5, 70000})
	for _, r := range []blockhash.Rule{
		blockhash.Default, {Selection: blockhash.Published, Block: b, Count: 3}, {Selection: blockhash.Full, Block: b, Count: 3},
		{Block: 100, Count: 9}, {Block: 90000, Count: 3}, {Block: 300000, Count: 2},
	} {
		for _, kind := range []blockhash.Kind{blockhash.FNV1a, blockhash.XXH64, blockhash.XXH3} {
			o := options(t, r, kind)
			for _, jobs := range []int{1, 3} {
				l, i := filename.List(slices.Repeat(all, 9)), 0
				err := Each(&l, jobs, &o, func(rows []Row, read int64) error {
					for _, row := range rows {
						name := all[i%len(all)]
						if string(row.Name) != name || !row.Hashed || row.Err != nil || row.Sum != plain(t, &o, name) {
							t.Errorf("%s, %d jobs: %s: %v %v", o.Scheme(), jobs, row.Name, row.Hashed, row.Err)
						}
						i++
					}
					return nil
				})
				if err != nil || i != 9*len(all) {
					t.Errorf("%d rows, %v", i, err)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	all := names(t, []int{10, 0, 20})
	l := filename.List{all[0], "none", all[1], filepath.Dir(all[0]), all[2]}
	o := options(t, blockhash.Default, blockhash.XXH64)
	o.Empty = false
	var b filename.Batch
	check(t, l.Next(&b, 10))
	rows := NewSigner(&o).Sign(nil, b.Items)
	for i, want := range []error{nil, os.ErrNotExist, nil, files.ErrDirectory, nil} {
		if hashed := want == nil && i != 2; !errors.Is(rows[i].Err, want) || rows[i].Hashed != hashed {
			t.Errorf("%s: %v, hashed %v", rows[i].Name, rows[i].Err, rows[i].Hashed)
		}
	}
	if rows[4].Sum != plain(t, &o, all[2]) {
		t.Error("an error disturbs the next file")
	}
}

func TestEmitFails(t *testing.T) {
	l := filename.List(names(t, []int{1, 2, 3}))
	o := options(t, blockhash.Default, blockhash.XXH64)
	broken := errors.New("broken")
	if err := Each(&l, 2, &o, func([]Row, int64) error { return broken }); err != broken {
		t.Error(err)
	}
}

func TestSalts(t *testing.T) {
	info := files.Info{Mode: 0o100644, UID: 1, GID: 2, Dev: 3, Mtime: files.Time{Sec: 4, Nsec: 5}, Ctime: files.Time{Sec: 6, Nsec: 7}}
	word := func(n byte) string { return string([]byte{n, 0, 0, 0, 0, 0, 0, 0}) }
	for salt, want := range map[Salt]string{
		Mtime: word(4) + word(5), Ctime: word(6) + word(7), UID: word(1), GID: word(2), Dev: word(3),
		Mode: "\xa4\x81" + word(0)[:6], Ext: "gz" + word(2), Base: "a.tar.gz" + word(8),
	} {
		if got := string(salt.append(nil, []byte("dir.x/a.tar.gz"), &info)); got != want {
			t.Errorf("%s: %q, want %q", salt, got, want)
		}
	}
	for name, want := range map[string]string{"a.b/c": "", ".profile": "", "x/.a.b": "b", "a.": "", "a": ""} {
		if got := string(ext([]byte(name[strings.LastIndexByte(name, '/')+1:]))); got != want {
			t.Errorf("extension of %q: %q, want %q", name, got, want)
		}
	}
	if _, err := ParseSalts([]string{"mtime", "colour"}); err == nil {
		t.Error("a salt that does not exist: no error")
	}
}

// TestSalted checks that a salt distinguishes files with equal content and changes nothing else.
func TestSalted(t *testing.T) {
	dir := t.TempDir()
	var l filename.List
	for _, name := range []string{"a.txt", "b.txt", "a.jpg"} {
		l = append(l, filepath.Join(dir, name))
		check(t, os.WriteFile(l[len(l)-1], content(50000, 1), 0o666))
	}
	var b filename.Batch
	check(t, l.Next(&b, 10))
	for _, r := range []blockhash.Rule{blockhash.Default, {Block: 1 << 20, Count: 1}} {
		o := options(t, r, blockhash.XXH3)
		o.Salts = []Salt{Ext}
		rows := NewSigner(&o).Sign(nil, b.Items)
		if rows[0].Sum != rows[1].Sum || rows[0].Sum == rows[2].Sum {
			t.Errorf("%s: %x %x %x", o.Scheme(), rows[0].Sum, rows[1].Sum, rows[2].Sum)
		}
	}
}

func BenchmarkSign(b *testing.B) {
	l := filename.List(names(b, []int{1000, 8000, 100000, 12000, 3000}))
	var batch filename.Batch
	check(b, l.Next(&batch, 64))
	for _, kind := range []blockhash.Kind{blockhash.FNV1a, blockhash.XXH64, blockhash.XXH3} {
		b.Run(string(kind), func(b *testing.B) {
			o := options(b, blockhash.Default, kind)
			s, rows := NewSigner(&o), []Row(nil)
			rows = s.Sign(rows, batch.Items)
			b.SetBytes(s.Read())
			b.ReportAllocs()
			for b.Loop() {
				rows = s.Sign(rows[:0], batch.Items)
			}
		})
	}
}
