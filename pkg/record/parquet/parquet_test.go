package parquet

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// A doc is a row with a column of each kind that a dataset may have.
type doc struct {
	ID    int64              `parquet:"id"`
	Text  *string            `parquet:"text,optional"`
	Lang  string             `parquet:"lang,dict"`
	When  time.Time          `parquet:"when,timestamp(microsecond)"`
	Price int64              `parquet:"price,decimal(2:18)"`
	Tags  []string           `parquet:"tags,list"`
	Meta  meta               `parquet:"meta"`
	Some  map[string]float64 `parquet:"some"`
	Blob  []byte             `parquet:"blob"`
	Flag  *bool              `parquet:"flag,optional"`
}

type meta struct {
	Text  string   `parquet:"text"`
	Score *float32 `parquet:"score,optional"`
}

// docs returns n documents; every seventh text is null.
func docs(n int) []doc {
	all := make([]doc, n)
	for i := range all {
		text, flag, score := fmt.Sprintf("text %d é", i), i%2 == 0, float32(i)/3
		all[i] = doc{
			ID: int64(i) * 10, Text: &text, Lang: []string{"en", "de", "zh"}[i%3], When: time.UnixMicro(int64(i) * 1e6).UTC(),
			Price: int64(i) * 199, Tags: strings.Fields(strings.Repeat("tag ", i%4)), Meta: meta{Text: fmt.Sprint("meta ", i), Score: &score},
			Some: map[string]float64{"x": float64(i)}, Blob: []byte{byte(i), 0, 255}, Flag: &flag,
		}
		if i%7 == 6 {
			all[i].Text, all[i].Flag, all[i].Meta.Score = nil, nil, nil
		}
	}
	return all
}

// writeDocs writes documents to a new file, in row groups of the given size.
func writeDocs(t testing.TB, name string, all []doc, group int, options ...pq.WriterOption) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	options = append(options, pq.Compression(&pq.Zstd), pq.MaxRowsPerRowGroup(int64(group)), pq.KeyValueMetadata("made", "by a test"))
	w := pq.NewGenericWriter[doc](f, options...)
	if _, err := w.Write(all); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// readTexts returns the ids and the texts of all records, with the record's error in place of a
// missing text.
func readTexts(t *testing.T, opt record.Options, in record.Input) (ids, texts []string, err error) {
	t.Helper()
	rd, err := record.NewReader(in, opt)
	if err != nil {
		t.Fatal(err)
	}
	var b record.Batch
	for {
		if err := rd.Next(&b); err == io.EOF {
			return ids, texts, nil
		} else if err != nil {
			return ids, texts, err
		}
		b.Decode()
		for _, rec := range b.Records {
			text := string(rec.Text)
			if rec.Err != nil {
				text = rec.Err.Error()
			}
			ids, texts = append(ids, string(rec.ID)), append(texts, text)
		}
	}
}

func TestSource(t *testing.T) {
	all := docs(1000)
	for _, group := range []int{1, 70, 1000} {
		name := filepath.Join(t.TempDir(), "a.parquet")
		writeDocs(t, name, all, group, pq.PageBufferSize(1000))
		for _, in := range []record.Input{{Names: []string{name}}, {Stdin: mustOpen(t, name)}, {Stdin: pipe(t, name)}} {
			_, texts, err := readTexts(t, record.Options{Fields: []string{"text"}}, in)
			if err != nil || len(texts) != len(all) {
				t.Fatalf("group %d: %d records, %v", group, len(texts), err)
			}
			for i, text := range texts {
				want := ""
				if all[i].Text != nil {
					want = *all[i].Text
				} else if strings.HasSuffix(text, fmt.Sprintf(":%d: field \"text\" is null, not a string", i+1)) {
					continue
				}
				if text != want {
					t.Fatalf("group %d, record %d: %q, want %q", group, i, text, want)
				}
			}
		}
	}
}

func mustOpen(t *testing.T, name string) *os.File {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// pipe returns the file as a reader that cannot seek.
func pipe(t *testing.T, name string) io.Reader { return struct{ io.Reader }{mustOpen(t, name)} }

func TestFields(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.parquet")
	writeDocs(t, name, docs(3), 2)
	in := record.Input{Names: []string{name}}
	ids, texts, err := readTexts(t, record.Options{Fields: []string{"meta.text", "lang"}, ID: "id"}, in)
	if d := cmp.Diff([][]string{{"0", "10", "20"}, {"meta 0\nen", "meta 1\nde", "meta 2\nzh"}}, [][]string{ids, texts}); d != "" || err != nil {
		t.Error(d, err)
	}
	if _, texts, err := readTexts(t, record.Options{Fields: []string{"price"}}, in); err != nil || texts[2] != "3.98" {
		t.Error(texts, err)
	}
	for field, want := range map[string]string{
		"none": `no field "none"`, "meta": "an object, not a string",
		"tags.list.element": "an array, not a string", "tags": "an array, not a string",
	} {
		if _, _, err := readTexts(t, record.Options{Fields: []string{field}}, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", field, err, want)
		}
	}
}

// TestWhole checks that the texts of whole rows differ exactly where the rows differ.
func TestWhole(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	all := docs(50)
	writeDocs(t, a, append(all, all...), 30)
	changed := docs(50)
	changed[7].Tags = nil
	changed[8].Blob = []byte{8}
	writeDocs(t, b, changed, 100)
	_, texts, err := readTexts(t, record.Options{}, record.Input{Names: []string{a}})
	_, other, err2 := readTexts(t, record.Options{}, record.Input{Names: []string{b}})
	if err != nil || err2 != nil || !slices.Equal(texts[:50], texts[50:]) {
		t.Fatal("equal rows have different texts", err, err2)
	}
	for i := range other {
		if same := texts[i] == other[i]; same != (i != 7 && i != 8) {
			t.Errorf("row %d: same %v", i, same)
		}
	}
}

// keepSome returns a copy of the kept records. It writes them to a sink, as keepdrop does.
func keepSome(names []string, keep func(int64) bool) ([]byte, error) {
	var out bytes.Buffer
	rd, err := record.NewReader(record.Input{Names: names}, record.Options{NoText: true})
	if err != nil {
		return nil, err
	}
	sink, b := write.New(rd, &out, dataform.Form{}, nil), record.Batch{}
	for {
		err := rd.Next(&b)
		if err == io.EOF {
			err = sink.Close()
			return out.Bytes(), err
		}
		if err != nil {
			return nil, err
		}
		b.Decode()
		for i := range b.Records {
			if keep(b.Records[i].Ordinal) {
				if err := sink.Keep(&b.Records[i]); err != nil {
					return nil, err
				}
			}
		}
	}
}

func TestCopy(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	all := docs(300)
	writeDocs(t, a, all[:200], 64)
	writeDocs(t, b, all[200:], 30)
	odd := func(i int64) bool { return i%2 == 1 }
	out, err := keepSome([]string{a, b}, odd)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pq.Read[doc](bytes.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	var want []doc
	for i, d := range all {
		if odd(int64(i)) {
			want = append(want, d)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	before, err := pq.OpenFile(mustOpen(t, a), size(t, a))
	if err != nil {
		t.Fatal(err)
	}
	after, err := pq.OpenFile(bytes.NewReader(out), int64(len(out)))
	if err != nil || before.Schema().String() != after.Schema().String() {
		t.Errorf("%v\n%s\n%s", err, before.Schema(), after.Schema())
	}
	if v, _ := after.Lookup("made"); v != "by a test" || after.Metadata().RowGroups[0].Columns[1].MetaData.Codec != before.Metadata().RowGroups[0].Columns[1].MetaData.Codec {
		t.Error("metadata or compression is lost")
	}
}

func TestCopyTwoSchemas(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	writeDocs(t, a, docs(3), 3)
	f, err := os.Create(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := pq.Write(f, []meta{{Text: "x"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := keepSome([]string{a, b}, func(int64) bool { return true }); err == nil || !strings.Contains(err.Error(), "schema differs from") {
		t.Errorf("%v", err)
	}
}

// TestDamaged checks that reading a truncated or damaged file returns an error.
func TestDamaged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.parquet")
	writeDocs(t, name, docs(500), 100)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{4, 5, 100, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(name, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := readTexts(t, record.Options{Fields: []string{"lang"}}, record.Input{Names: []string{name}}); err == nil {
			t.Errorf("cut at %d: no error", n)
		}
	}
	broken := slices.Clone(whole)
	for i := 4; i < len(whole)/3; i++ {
		broken[i] ^= 0x55
	}
	if err := os.WriteFile(name, broken, 0o666); err != nil {
		t.Fatal(err)
	}
	_, texts, err := readTexts(t, record.Options{Fields: []string{"meta.text"}}, record.Input{Names: []string{name}})
	if err == nil && !strings.Contains(strings.Join(texts, "\n"), "reading Parquet") {
		t.Error("a damaged file: no error")
	}
}

func BenchmarkText(b *testing.B) {
	name := filepath.Join(b.TempDir(), "a.parquet")
	all, size := docs(20000), 0
	for i := range all {
		text := strings.Repeat(fmt.Sprintf("some words of text %d, ", i), 130)
		all[i].Text = &text
		size += len(text)
	}
	writeDocs(b, name, all, 5000)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var batch record.Batch
	for b.Loop() {
		rd, err := record.NewReader(record.Input{Names: []string{name}}, record.Options{Fields: []string{"text"}})
		if err != nil {
			b.Fatal(err)
		}
		for rd.Next(&batch) == nil {
			batch.Decode()
		}
	}
}
