package parquet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
	"doppel/pkg/record/write"
)

// A peer is a file that testdata/peers.py wrote with another library.
type peer struct {
	name    string
	rows    int
	columns []string
}

func peers(t testing.TB) (all []peer) {
	t.Helper()
	b, err := os.ReadFile("testdata/peers/files.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var p peer
		fields := strings.Split(strings.TrimSpace(line), "\t")
		p.name, p.columns = filepath.Join("testdata/peers", fields[0]), strings.Fields(fields[2])
		if _, err := fmt.Sscan(fields[1], &p.rows); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// want returns the rows that the file should contain, reduced to the columns of the file.
func (p *peer) want(t testing.TB) (rows []map[string]any) {
	t.Helper()
	b, err := os.ReadFile("testdata/peers/rows.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i, whole := range objects(t, b)[:p.rows] {
		whole["long"] = fmt.Sprint(i, " ", strings.Repeat("and so on ", 400))
		row := map[string]any{}
		for _, name := range p.columns {
			row[name] = whole[name]
		}
		rows = append(rows, row)
	}
	return rows
}

func objects(t testing.TB, lines []byte) (all []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(lines) {
		var v map[string]any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// got returns, as objects, the rows of a file for which keep returns true.
func got(t testing.TB, f *os.File, keep func(int64) bool) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := writeLines(&out, []*os.File{f}, write.Selection{Keep: keep}); err != nil {
		t.Fatal(err)
	}
	return objects(t, out.Bytes())
}

// TestPeers checks that the values in files of other writers are read correctly.
func TestPeers(t *testing.T) {
	for _, p := range peers(t) {
		if d := cmp.Diff(p.want(t), got(t, mustOpen(t, p.name), drops["none"])); d != "" {
			t.Errorf("%s: %s", p.name, d)
		}
	}
}

// TestPeerColumns checks that each column with one value per row can be read alone, starting at any
// row.
func TestPeerColumns(t *testing.T) {
	for _, p := range peers(t) {
		for _, name := range []string{"id", "text", "lang", "flag", "sure", "score", "small", "meta.text", "meta.done", "long"} {
			field, inner, _ := strings.Cut(name, ".")
			if !strings.Contains(" "+strings.Join(p.columns, " ")+" ", " "+field+" ") {
				continue
			}
			_, texts, err := readTexts(t, record.Options{Fields: []string{name}}, record.Input{Names: []string{p.name}})
			if err != nil || len(texts) != p.rows {
				t.Fatalf("%s: %s: %d texts, %v", p.name, name, len(texts), err)
			}
			for i, row := range p.want(t) {
				v := row[field]
				if inner != "" {
					v = v.(map[string]any)[inner]
				}
				if want := fmt.Sprint(v); texts[i] != want && (v != nil || !strings.Contains(texts[i], "is null")) {
					t.Fatalf("%s: %s of row %d: %q, want %q", p.name, name, i, texts[i], want)
				}
			}
		}
	}
}

// TestPeersTwice checks that partial copies of the files of other writers can be read and copied
// again.
func TestPeersTwice(t *testing.T) {
	for _, p := range peers(t) {
		for name, keep := range drops {
			var want []map[string]any
			for i, row := range p.want(t) {
				if keep(int64(i)) {
					want = append(want, row)
				}
			}
			f := mustOpen(t, p.name)
			for step, keep := range []func(int64) bool{keep, drops["none"]} {
				f = copySelected(t, f, keep)
				if d := cmp.Diff(want, got(t, f, drops["none"])); d != "" {
					t.Fatalf("%s, %s, step %d: %s", p.name, name, step, d)
				}
			}
		}
	}
}

// copySelected returns a copy of a file with the kept rows.
func copySelected(t testing.TB, f *os.File, keep func(int64) bool) *os.File {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "copy"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	if err := copyRows(out, []*os.File{f}, dataform.Packing{Jobs: 2}, write.Selection{Keep: keep}); err != nil {
		t.Fatalf("%s: %v", f.Name(), err)
	}
	return out
}

// TestChat checks that chats in JSON lines survive two round trips through Parquet. The chats
// contain lists of objects that have boolean fields.
func TestChat(t *testing.T) {
	var lines []string
	for i := range 300 {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"ok":%t,"turns":[{"bot":%t,"text":"a %d"},{"bot":true,"text":null}]}`+"\n", i, i < 40 || i%3 == 0, i%2 == 0, i))
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "chat"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := convert.NewLineWriter(f, pages.CodecNamed("", 0).Encoder(), 2)
	for _, line := range lines {
		if err := w.WriteLine([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	odd := func(i int64) bool { return i%2 == 1 }
	var want, out bytes.Buffer
	for i, line := range lines {
		if i%4 == 3 {
			want.WriteString(line)
		}
	}
	err = writeLines(&out, []*os.File{copySelected(t, copySelected(t, f, odd), odd)}, write.Selection{Keep: drops["none"]})
	if d := cmp.Diff(want.String(), out.String()); d != "" || err != nil {
		t.Error(d, err)
	}
}
