package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// flat is the type of rows that can be copied page by page.
type flat struct {
	ID    int64    `parquet:"id"`
	Text  *string  `parquet:"text,optional"`
	Lang  string   `parquet:"lang,dict"`
	Site  *string  `parquet:"site,optional,dict"`
	Delta int32    `parquet:"delta,delta"`
	UUID  [16]byte `parquet:"uuid,uuid"`
	Flag  bool     `parquet:"flag"`
	Small uint32   `parquet:"small"`
	Deep  *deep    `parquet:"deep,optional"`
}

type deep struct {
	Score *float32 `parquet:"score,optional"`
	In    *meta    `parquet:"in,optional"`
}

// flats returns n rows, with nulls at each level of nesting.
func flats(n int) []flat {
	all := make([]flat, n)
	for i := range all {
		text, site, score := fmt.Sprintf("some text of %d", i*i), fmt.Sprint("site ", i%5), float32(i)
		all[i] = flat{ID: int64(i), Lang: []string{"en", "de"}[i%2], Delta: int32(i * 3), UUID: [16]byte{byte(i), 1}, Flag: i%3 == 0, Small: ^uint32(i)}
		if i%7 != 6 {
			all[i].Text = &text
		}
		if i%4 != 3 {
			all[i].Site = &site
		}
		if i%5 != 4 {
			all[i].Deep = &deep{Score: &score}
		}
		if i%10 == 3 {
			all[i].Deep.In = &meta{Text: text}
			all[i].Deep.Score = nil
		}
	}
	return all
}

// writeFlats writes rows to a new file, in row groups of the given size, and opens the file.
func writeFlats[T any](t testing.TB, name string, all []T, group int64, options ...pq.WriterOption) *os.File {
	t.Helper()
	options = append(options, pq.MaxRowsPerRowGroup(group), pq.KeyValueMetadata("made", "by a test"))
	if err := pq.WriteFile(name, all, options...); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

var drops = map[string]func(int64) bool{
	"none":   func(int64) bool { return true },
	"all":    func(int64) bool { return false },
	"odd":    func(i int64) bool { return i%2 == 0 },
	"group":  func(i int64) bool { return i < 300 || i >= 600 },
	"page":   func(i int64) bool { return i < 100 || i >= 200 },
	"first":  func(i int64) bool { return i%100 != 0 },
	"last":   func(i int64) bool { return i%100 != 99 },
	"one":    func(i int64) bool { return i != 450 },
	"random": func(i int64) bool { return rand.New(rand.NewPCG(1, uint64(i))).IntN(50) > 0 },
}

// rows reads a file with parquet-go and returns all rows as text. b is the content of the file.
func rows(t testing.TB, b []byte) (all []string) {
	t.Helper()
	f, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]pq.Row, 64)
	for _, g := range f.RowGroups() {
		r := g.Rows()
		defer r.Close()
		for err == nil {
			n := 0
			n, err = r.ReadRows(buf)
			for _, row := range buf[:n] {
				all = append(all, fmt.Sprintf("%+v", row))
			}
		}
		if err != io.EOF {
			t.Fatal(err)
		}
		err = nil
	}
	return all
}

func unionOf(t testing.TB, files ...*os.File) *union {
	t.Helper()
	all, err := unify(openFiles(t, files...))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// copyBoth returns two copies of the files, one made page by page and one row by row. It checks
// that copying page by page gives the same result with one and with four goroutines.
func copyBoth(t testing.TB, files []*os.File, keep func(int64) bool) (pages, byRow []byte) {
	t.Helper()
	var one, four, slow bytes.Buffer
	for jobs, w := range map[int]io.Writer{1: &one, 4: &four} {
		if err := copyRows(w, files, dataform.Packing{Jobs: jobs}, write.Selection{Keep: keep}); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyByRow(&slow, unionOf(t, files...), nil, nil, write.Selection{Keep: keep}, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), four.Bytes()) {
		t.Error("output depends on the number of threads")
	}
	return one.Bytes(), slow.Bytes()
}

// TestSplice checks that copying page by page and copying row by row give the same rows.
func TestSplice(t *testing.T) {
	for _, codec := range []compress.Codec{&pq.Zstd, &pq.Snappy, &pq.Gzip, &pq.Uncompressed} {
		for _, version := range []int{1, 2} {
			for _, buffer := range []int{400, 1 << 18} {
				dir := t.TempDir()
				options := []pq.WriterOption{pq.Compression(codec), pq.DataPageVersion(version), pq.PageBufferSize(buffer)}
				files := []*os.File{
					writeFlats(t, filepath.Join(dir, "a"), flats(1000), 300, options...),
					writeFlats(t, filepath.Join(dir, "b"), flats(50), 1000, options...),
				}
				for name, keep := range drops {
					got, want := copyBoth(t, files, keep)
					if d := cmp.Diff(rows(t, want), rows(t, got)); d != "" {
						t.Fatalf("%s, version %d, pages of %d, %s: %s", codec, version, buffer, name, d)
					}
					checkFooter(t, files[0], got)
					if name == "random" {
						checkSeeks(t, got)
					}
				}
			}
		}
	}
}

// checkFooter compares the footer of a copy with the footer of the original file. b is the content
// of the copy.
func checkFooter(t *testing.T, from *os.File, b []byte) {
	t.Helper()
	before := openFiles(t, from)[0]
	after, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if before.Schema().String() != after.Schema().String() {
		t.Errorf("schema %s, want %s", after.Schema(), before.Schema())
	}
	if v, _ := after.Lookup("made"); v != "by a test" {
		t.Error("metadata is lost")
	}
	rows := int64(0)
	for _, g := range after.Metadata().RowGroups {
		rows += g.NumRows
		sum := int64(0)
		for _, c := range g.Columns {
			sum += c.MetaData.TotalCompressedSize
			if c.MetaData.NumValues != g.NumRows {
				t.Errorf("%s: %d values, %d rows", c.MetaData.PathInSchema, c.MetaData.NumValues, g.NumRows)
			}
		}
		if sum != g.TotalCompressedSize || g.NumRows == 0 {
			t.Errorf("%d rows, %d bytes, of columns %d", g.NumRows, g.TotalCompressedSize, sum)
		}
	}
	if rows != after.NumRows() {
		t.Errorf("%d rows, want %d", after.NumRows(), rows)
	}
}

// checkSeeks checks the offset index of a copy: it seeks to several rows, and reads from each of
// them to the end.
func checkSeeks(t *testing.T, got []byte) {
	t.Helper()
	a, _ := pq.OpenFile(bytes.NewReader(got), int64(len(got)))
	for _, g := range a.RowGroups() {
		for _, c := range g.ColumnChunks() {
			index, err := c.OffsetIndex()
			if err != nil || index.NumPages() == 0 {
				t.Fatal("no offset index", err)
			}
		}
		for row := int64(0); row < g.NumRows(); row += 1 + g.NumRows()/5 {
			for i, c := range g.ColumnChunks() {
				whole, part := values(t, c, 0), values(t, c, row)
				if d := cmp.Diff(whole[row:], part); d != "" {
					t.Fatalf("column %d from row %d: %s", i, row, d)
				}
			}
		}
	}
}

// values returns the values of the given row and all later rows of a column, as text.
func values(t *testing.T, c pq.ColumnChunk, row int64) (all []string) {
	t.Helper()
	pages := c.Pages()
	defer pages.Close()
	if err := pages.SeekToRow(row); err != nil {
		t.Fatal(err)
	}
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		vs := make([]pq.Value, page.NumValues())
		n, _ := page.Values().ReadValues(vs)
		for _, v := range vs[:n] {
			all = append(all, fmt.Sprintf("%+v", v))
		}
		pq.Release(page)
	}
}

// TestSpliceNot checks that files with lists, and files with different codecs, are copied row by
// row. Codecs must not differ in the copy, because readers use the codec of a column's first chunk.
func TestSpliceNot(t *testing.T) {
	dir := t.TempDir()
	a := writeFlats(t, filepath.Join(dir, "a"), flats(20), 10, pq.Compression(&pq.Snappy))
	b := writeFlats(t, filepath.Join(dir, "b"), flats(20), 10, pq.Compression(&pq.Gzip))
	l := writeFlats(t, filepath.Join(dir, "l"), docs(20), 10)
	for _, files := range [][]*os.File{{a, b}, {l}} {
		if spliceable(openFiles(t, files...), nil) {
			t.Errorf("%d files: by pages", len(files))
		}
		got, want := copyBoth(t, files, drops["odd"])
		if d := cmp.Diff(rows(t, want), rows(t, got)); d != "" {
			t.Error(d)
		}
	}
}

// TestTwoCodecs checks that each chunk is read with its own codec if the chunks of a column have
// different codecs.
func TestTwoCodecs(t *testing.T) {
	dir, files := t.TempDir(), []*os.File(nil)
	for i, codec := range []compress.Codec{&pq.Snappy, &pq.Gzip, &pq.Lz4Raw, &pq.Uncompressed, &pq.Zstd} {
		files = append(files, writeFlats(t, filepath.Join(dir, fmt.Sprint(i)), flats(40), 30, pq.Compression(codec)))
	}
	var mixed, want, got bytes.Buffer
	if err := copyByPage(&mixed, openFiles(t, files...), dataform.Packing{Jobs: 1}, nil, write.Selection{Keep: drops["odd"]}, nil); err != nil {
		t.Fatal(err)
	}
	if err := writeLines(&want, files, write.Selection{Keep: drops["odd"]}); err != nil {
		t.Fatal(err)
	}
	err := writeLines(&got, []*os.File{asFile(t, mixed.Bytes())}, write.Selection{Keep: drops["none"]})
	if d := cmp.Diff(want.String(), got.String()); d != "" || err != nil {
		t.Error(d, err)
	}
}

// TestSpliceStatistics checks that a chunk that loses rows has no null count, because the copy does
// not count nulls, and that other chunks keep their statistics.
func TestSpliceStatistics(t *testing.T) {
	f := writeFlats(t, filepath.Join(t.TempDir(), "a"), flats(1000), 300)
	out, _ := copyBoth(t, []*os.File{f}, drops["one"])
	file, err := pq.OpenFile(bytes.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range file.Metadata().RowGroups {
		if kept := len(g.Columns[0].MetaData.Statistics.MaxValue) > 0; kept != (i != 1) {
			t.Errorf("group %d: has statistics: %v", i, kept)
		}
		if text := g.Columns[1].MetaData.Statistics; i != 1 && text.NullCount == 0 {
			t.Errorf("group %d: nulls are not counted", i)
		}
	}
}

func BenchmarkSplice(b *testing.B) {
	text := strings.Repeat("some words of a text, ", 130)
	all := make([]meta, 20000)
	for i := range all {
		all[i].Text = fmt.Sprint(text, i)
	}
	f := writeFlats(b, filepath.Join(b.TempDir(), "a"), all, 5000)
	b.SetBytes(int64(len(all) * len(text)))
	b.ReportAllocs()
	for b.Loop() {
		err := copyRows(io.Discard, []*os.File{f}, dataform.Packing{Jobs: 1}, write.Selection{Keep: func(i int64) bool { return i%300 != 7 }})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// TestSpliceDictionary checks that a column that loses rows gets a dictionary of the kept values,
// that no dropped text remains, and that the copy is not larger than the file.
func TestSpliceDictionary(t *testing.T) {
	type row struct {
		Text string `parquet:"text,dict"`
	}
	all := make([]row, 1000)
	for i := range all {
		all[i].Text = strings.Repeat(fmt.Sprintf("a text of %d ", i/5*5), 100)
	}
	f := writeFlats(t, filepath.Join(t.TempDir(), "a"), all, 400, pq.PageBufferSize(100))
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	got, want := copyBoth(t, []*os.File{f}, func(i int64) bool { return i/5 != 3 && i != 90 })
	if d := cmp.Diff(rows(t, want), rows(t, got)); d != "" {
		t.Error(d)
	}
	if bytes.Contains(got, []byte("a text of 15 ")) || !bytes.Contains(got, []byte("a text of 90 ")) {
		t.Error("the dictionary is not of what is left")
	}
	if int64(len(got)) > info.Size() {
		t.Errorf("%d bytes of %d", len(got), info.Size())
	}
}
