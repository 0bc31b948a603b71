package parquet

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

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// A trim says which records a test keeps, and which parts of their texts it cuts.
type trim struct {
	field string
	jobs  int
	keep  func(int64) bool
	parts func(ordinal int64, text []byte) []write.Range
}

// run returns a copy of the kept records in the given format, without the parts to cut.
func (c *trim) run(t testing.TB, kind string, names ...string) []byte {
	t.Helper()
	b, err := c.try(kind, names...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (c *trim) try(kind string, names ...string) ([]byte, error) {
	opt := record.Options{Fields: []string{c.field}}
	rd, err := record.NewReader(record.Input{Names: names}, opt)
	if err != nil {
		return nil, err
	}
	cutter, err := write.NewCutter(opt)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	sink := write.New(rd, &out, dataform.Form{Kind: dataform.KindNamed(kind), Packing: dataform.Packing{Jobs: c.jobs}}, nil)
	for b := new(record.Batch); err == nil; {
		if err = rd.Next(b); err == nil {
			b.Decode()
			err = c.batch(sink, cutter, b)
		}
	}
	if err != io.EOF {
		return nil, err
	}
	err = sink.Close()
	return out.Bytes(), err
}

func (c *trim) batch(sink *write.Sink, cutter *write.Cutter, b *record.Batch) (err error) {
	for i := range b.Records {
		rec := &b.Records[i]
		switch {
		case !c.keep(rec.Ordinal):
			continue
		case rec.Err != nil: // the text is null
			err = sink.Keep(rec)
		default:
			err = sink.KeepCut(cutter, rec, c.parts(rec.Ordinal, rec.Text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cutSome returns the parts to cut: up to two parts of every third text, and the whole of some
// texts.
func cutSome(ordinal int64, text []byte) []write.Range {
	r := rand.New(rand.NewPCG(7, uint64(ordinal)))
	switch n := len(bytes.TrimRight(text, "é")); {
	case n < 4 || ordinal%3 != 0:
		return nil
	case ordinal%21 == 0:
		return []write.Range{{Start: 0, End: len(text)}}
	default:
		a, b := r.IntN(n/2), r.IntN(n/2)
		return []write.Range{{Start: a / 2, End: a}, {Start: n/2 + b/2, End: n/2 + b}}
	}
}

func late(ordinal int64, text []byte) []write.Range {
	if ordinal != 150 {
		return nil
	}
	return []write.Range{{Start: 1, End: len(text)}}
}

// TestCut checks that cutting Parquet files has the same result as cutting the same records as JSON
// lines, for any output format, number of goroutines and size of pages.
func TestCut(t *testing.T) {
	dir := t.TempDir()
	for _, version := range []int{1, 2} {
		options := []pq.WriterOption{pq.DataPageVersion(version), pq.PageBufferSize(400)}
		flat := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
		writeFlats(t, flat[0], flats(400), 150, options...)
		writeFlats(t, flat[1], flats(50), 20, options...)
		nested := []string{filepath.Join(dir, "l")}
		writeFlats(t, nested[0], docs(200), 60, options...)
		for field, names := range map[string][]string{
			"text": flat, "lang": flat, "site": flat, "deep.in.text": flat, // texts with nulls, texts in dictionaries, and nested texts
			"text ": nested, "meta.text": nested,
		} {
			at := fmt.Sprintf("version %d, %s", version, field)
			for _, name := range []string{"none", "page", "random"} {
				testCut(t, at+", drops "+name, &trim{strings.TrimSpace(field), 1, drops[name], cutSome}, names)
			}
			testCut(t, at+", one cut", &trim{strings.TrimSpace(field), 1, drops["none"], late}, names)
		}
	}
}

func testCut(t *testing.T, name string, c *trim, files []string) {
	t.Helper()
	all := &trim{c.field, 1, drops["none"], func(int64, []byte) []write.Range { return nil }}
	lines := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(lines, all.run(t, "jsonl", files...), 0o600); err != nil {
		t.Fatal(err)
	}
	want := string(c.run(t, "jsonl", lines))
	if d := cmp.Diff(want, string(c.run(t, "jsonl", files...))); d != "" {
		t.Fatalf("%s, as lines: %s", name, d)
	}
	one := c.run(t, "parquet", files...)
	more := *c
	more.jobs = 4
	if !bytes.Equal(one, more.run(t, "parquet", files...)) {
		t.Fatalf("%s: output depends on the number of threads", name)
	}
	f := asFile(t, one)
	if d := cmp.Diff(want, string(all.run(t, "jsonl", f.Name()))); d != "" {
		t.Fatalf("%s: %s", name, d)
	}
	if len(files) > 1 { // only flat rows are divided between several files
		checkFooter(t, mustOpen(t, files[0]), one)
		if c.field == "site" {
			checkSeeks(t, one)
		}
	}
}

// TestCutSaysLess checks that the footer has no sort order and no bounds for a column that was cut,
// and that the pages of all other columns are copied byte by byte.
func TestCutSaysLess(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	f := writeFlats(t, name, flats(600), 300, pq.SortingWriterConfig(pq.SortingColumns(pq.Ascending("id"), pq.Ascending("text"))))
	c := &trim{"text", 1, drops["none"], func(ordinal int64, text []byte) []write.Range {
		if ordinal != 7 {
			return nil
		}
		return []write.Range{{Start: 0, End: 4}}
	}}
	cut := c.run(t, "parquet", name)
	file, err := pq.OpenFile(bytes.NewReader(cut), int64(len(cut)))
	if err != nil {
		t.Fatal(err)
	}
	before := openFiles(t, f)[0].Meta.RowGroups
	for i, g := range file.Metadata().RowGroups {
		if n := len(g.SortingColumns); n != min(1, len(before[i].SortingColumns)) {
			t.Errorf("group %d: sorted by %d columns", i, n)
		}
		for j := range g.Columns {
			from, to := &before[i].Columns[j].MetaData, &g.Columns[j].MetaData
			isCut := i == 0 && j == 1
			if kept := len(to.Statistics.MaxValue) > 0; kept == isCut && len(from.Statistics.MaxValue) > 0 {
				t.Errorf("group %d, column %d: bounds: %v", i, j, kept)
			}
			if same := from.TotalCompressedSize == to.TotalCompressedSize; same == isCut {
				t.Errorf("group %d, column %d: of the same size: %v", i, j, same)
			}
		}
	}
}

// TestCutDictionary checks that a cut removes the original text from the dictionary.
func TestCutDictionary(t *testing.T) {
	type row struct {
		Text string `parquet:"text,dict"`
	}
	all := make([]row, 1000)
	for i := range all {
		all[i].Text = strings.Repeat(fmt.Sprintf("a text of %d ", i/5*5), 100)
	}
	name := filepath.Join(t.TempDir(), "a")
	writeFlats(t, name, all, 400, pq.PageBufferSize(100))
	c := &trim{"text", 2, drops["none"], func(ordinal int64, text []byte) []write.Range {
		if ordinal/5 != 3 {
			return nil
		}
		return []write.Range{{Start: 10, End: len(text)}}
	}}
	got := c.run(t, "parquet", name)
	if bytes.Contains(got, []byte("a text of 15 ")) || !bytes.Contains(got, []byte("a text of 90 ")) {
		t.Error("the dictionary is not of what is left")
	}
}

func TestCutRefused(t *testing.T) {
	dir := t.TempDir()
	names := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	writeFlats(t, names[0], flats(20), 10)
	writeFlats(t, names[1], docs(20), 10)
	first := func(int64, []byte) []write.Range { return []write.Range{{Start: 0, End: 1}} }
	for field, want := range map[string]string{
		"id":   `field "id" has the type INT64: want strings to cut parts from`,
		"uuid": `field "uuid" has the type FIXED_LEN_BYTE_ARRAY: want strings to cut parts from`,
	} {
		for _, kind := range []string{"jsonl", "parquet"} {
			c := &trim{field, 1, drops["none"], first}
			if _, err := c.try(kind, names[0]); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", field, err, want)
			}
		}
	}
	far := &trim{"text", 1, drops["none"], func(int64, []byte) []write.Range { return []write.Range{{Start: 0, End: 99}} }}
	if _, err := far.try("parquet", names[0]); err == nil || !strings.Contains(err.Error(), "a part ends at byte 99, but the text has 14 bytes") {
		t.Error(err)
	}
	two := &trim{"text", 1, drops["none"], first}
	if _, err := two.try("parquet", names...); err == nil || !strings.Contains(err.Error(), "schema differs from") {
		t.Error(err)
	}
}

// TestCutPeers checks that cutting files of other writers changes nothing but the texts.
func TestCutPeers(t *testing.T) {
	for _, p := range peers(t) {
		for _, field := range []string{"text", "lang", "long", "meta.text"} {
			column, _, _ := strings.Cut(field, ".")
			if slices.Contains(p.columns, column) {
				testCut(t, p.name+", "+field, &trim{field, 1, drops["none"], cutSome}, []string{p.name})
			}
		}
	}
}
