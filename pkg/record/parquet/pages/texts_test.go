package pages

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

type text struct {
	A string `parquet:"a,plain"`
}

type maybe struct {
	A *string `parquet:"a,optional,plain"`
}

type listed struct {
	A string `parquet:"a,dict"`
}

type maybeListed struct {
	A *string `parquet:"a,optional,dict"`
}

type byLengths struct {
	A string `parquet:"a,delta"`
}

type deep struct {
	G *maybe `parquet:"g,optional"`
}

// manyTexts returns texts of various kinds: empty texts, long texts, and texts that look like
// lengths.
func manyTexts(rnd *rand.Rand, n int) (all []string) {
	for range n {
		all = append(all, strings.Repeat(string(rune('a'+rnd.IntN(3))), rnd.IntN(4)*rnd.IntN(60))+"\x00\x01"[:rnd.IntN(3)])
	}
	return all
}

// writeTexts writes a file of one column and opens it.
func writeTexts[T any](t testing.TB, all []string, row func(i int, s string) T, options ...pq.WriterOption) *File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "x.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	w := pq.NewGenericWriter[T](f, options...)
	for i, s := range all {
		if _, err := w.Write([]T{row(i, s)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return reopen(t, f.Name())
}

func reopen(t testing.TB, name string) *File {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	file, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// byLibrary returns the values of the file's only column as parquet-go decodes them.
func byLibrary(t testing.TB, f *File) (all []string) {
	t.Helper()
	for _, g := range f.Groups {
		_, err := eachValue((&reader{chunk: g.chunks[0]}).ReadPage, 1<<62, func(values []pq.Value) error {
			all = append(all, shown(values)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// readValues returns the values of n rows of the group's only column, starting at the given row.
func readValues(g *Group, from, n int64) (all []string, err error) {
	err = g.Values(0, from, n, func(values []pq.Value) error {
		all = append(all, shown(values)...)
		return nil
	})
	return all, err
}

// readPages is like readValues, but reads with TextPage.
func readPages(g *Group, from, n int64) (all []string, err error) {
	for row := from; row < from+n; {
		p, err := g.TextPage(0, row)
		if err != nil {
			return all, err
		}
		err = p.Each(row, from+n, func(row int64, text []byte) bool {
			v := pq.NullValue()
			if text != nil {
				v = pq.ByteArrayValue(text)
			}
			all = append(all, shown([]pq.Value{v.Level(0, p.texts.level(int(row-p.first)), 0)})...)
			return true
		})
		if err != nil {
			return all, err
		}
		row = p.End
		p.Release()
	}
	return all, nil
}

// shown formats values and their levels as strings.
func shown(values []pq.Value) (all []string) {
	for _, v := range values {
		all = append(all, fmt.Sprintf("%q %v %d %d %d", v.Bytes(), v.IsNull(), v.RepetitionLevel(), v.DefinitionLevel(), v.Column()))
	}
	return all
}

// copied returns a copy of f with the rows for which keep returns true.
func copied(t testing.TB, f *File, codec *Codec, keep func(int64) bool) *File {
	t.Helper()
	var b bytes.Buffer
	o, err := NewOutput(&b, f, codec, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &Recoder{Keep: keep, To: codec}
	for tasks := (&Tasks{Files: []*File{f}, Codec: codec, Keep: keep}); ; {
		k, err := tasks.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = o.Add(r.Run(k))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "copy.parquet")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return reopen(t, name)
}

// compareTexts checks that this package and parquet-go read the same values from several starting
// rows, and that copies that omit some rows keep the values of the other rows.
func compareTexts(t testing.TB, f *File, rnd *rand.Rand, codec *Codec) {
	t.Helper()
	want := byLibrary(t, f)
	first := int64(0)
	for _, g := range f.Groups {
		for _, from := range []int64{0, 1, g.Rows() / 2, g.Rows() - 1} {
			from = min(from, g.Rows()-1)
			n := g.Rows() - from - rnd.Int64N(g.Rows()-from)
			some := want[first+from:][:n]
			for name, read := range map[string]func(*Group, int64, int64) ([]string, error){"pages": readPages, "values": readValues} {
				if got, err := read(g, from, n); err != nil || !slices.Equal(got, some) {
					t.Fatalf("%d rows from %d by %s: %v\n%q, want\n%q", n, from, name, err, got, some)
				}
			}
		}
		first += g.Rows()
	}
	for _, share := range []int{4, 100} {
		gone := rnd.IntN(4)
		keep := make([]bool, len(want))
		var left []string
		for i, v := range want {
			if keep[i] = rnd.IntN(share) >= gone || i == 0; keep[i] {
				left = append(left, v)
			}
		}
		if got := byLibrary(t, copied(t, f, codec, func(row int64) bool { return keep[row] })); !slices.Equal(got, left) {
			t.Fatalf("the copy has\n%q, want\n%q", got, left)
		}
	}
}

func TestTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 9))
	for version := 1; version <= 2; version++ {
		for _, by := range []compress.Codec{&pq.Uncompressed, &pq.Snappy, &pq.Zstd, &pq.Lz4Raw, &pq.Gzip} {
			for _, to := range []string{"", "none", "zstd", "snappy"} {
				all := manyTexts(rnd, 1+rnd.IntN(2500))
				options := []pq.WriterOption{pq.DataPageVersion(version), pq.Compression(by), pq.PageBufferSize(1 + rnd.IntN(1<<(8+rnd.IntN(12)))), pq.MaxRowsPerRowGroup(1 + rnd.Int64N(2000))}
				null := 1 + rnd.IntN(len(all)+3)
				one := func(i int, s string) *string {
					if i%null == 0 {
						return nil
					}
					return &s
				}
				codec := CodecNamed(to, 0)
				compareTexts(t, writeTexts(t, all, func(_ int, s string) text { return text{s} }, options...), rnd, codec)
				compareTexts(t, writeTexts(t, all, func(i int, s string) maybe { return maybe{one(i, s)} }, options...), rnd, codec)
				compareTexts(t, writeTexts(t, all, func(_ int, s string) listed { return listed{s} }, options...), rnd, codec)
				compareTexts(t, writeTexts(t, all, func(i int, s string) maybeListed { return maybeListed{one(i, s)} }, options...), rnd, codec)
				compareTexts(t, writeTexts(t, all, func(_ int, s string) byLengths { return byLengths{s} }, options...), rnd, codec)
				compareTexts(t, writeTexts(t, all, func(i int, s string) deep {
					if i%7 == 3 {
						return deep{}
					}
					return deep{&maybe{one(i, s)}}
				}, options...), rnd, codec)
			}
		}
	}
}

func FuzzTexts(f *testing.F) {
	f.Add(uint64(1), "a b", 1, uint16(3), byte(0))
	f.Add(uint64(2), strings.Repeat("text ", 300), 2, uint16(1000), byte(3))
	f.Fuzz(func(t *testing.T, seed uint64, joined string, version int, page uint16, null byte) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		options := []pq.WriterOption{pq.DataPageVersion(1 + version&1), pq.Compression([]compress.Codec{&pq.Uncompressed, &pq.Zstd}[seed%2]), pq.PageBufferSize(1 + int(page))}
		file := writeTexts(t, strings.Split(joined, " "), func(i int, s string) maybe {
			if i%(1+int(null)) == 0 {
				return maybe{}
			}
			return maybe{&s}
		}, options...)
		compareTexts(t, file, rnd, CodecNamed("", 0))
	})
}

// TestEmptyPage checks that dataPages returns no page if there are no rows, because parquet-go
// writes nothing in that case.
func TestEmptyPage(t *testing.T) {
	if made, pages, err := dataPages(nil, 0); len(made) > 0 || len(pages) > 0 || err != nil {
		t.Errorf("%d bytes, %d pages, %v", len(made), len(pages), err)
	}
}
