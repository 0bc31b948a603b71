package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"

	"doppel/pkg/record"
	"doppel/pkg/record/parquet/pages"
)

// withoutIndex copies a file, removes the positions of the page indexes from the footer of the
// copy, and returns the name of the copy.
func withoutIndex(t *testing.T, f *os.File) string {
	t.Helper()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	file, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Metadata().RowGroups {
		for i := range g.Columns {
			g.Columns[i].OffsetIndexOffset, g.Columns[i].OffsetIndexLength = 0, 0
		}
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), file.Metadata())
	if err != nil {
		t.Fatal(err)
	}
	b = append(binary.LittleEndian.AppendUint32(append(b, footer...), uint32(len(footer))), pages.Magic...)
	name := f.Name() + ".bare"
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// long returns n rows with texts of 4 kB; some texts are null.
func long(n int) []flat {
	all := flats(n)
	for i := range all {
		if all[i].Text != nil {
			text := fmt.Sprint(i, strings.Repeat(" and so on", 400))
			all[i].Text = &text
		}
	}
	return all
}

// TestIndex checks that a large group without an index is read in several runs, and that its
// records are the same as those of the group with an index.
func TestIndex(t *testing.T) {
	for _, version := range []int{1, 2} {
		f := writeFlats(t, filepath.Join(t.TempDir(), "a"), long(3000), 2500, pq.DataPageVersion(version), pq.PageBufferSize(100000))
		opt := record.Options{Fields: []string{"text", "lang"}, ID: "delta"}
		bare := withoutIndex(t, f)
		ids, texts, err := readTexts(t, opt, record.Input{Names: []string{f.Name()}})
		if err != nil || len(ids) != 3000 {
			t.Fatal(len(ids), err)
		}
		bareIDs, bareTexts, err := readTexts(t, opt, record.Input{Names: []string{bare}})
		for i := range bareTexts {
			bareTexts[i] = strings.Replace(bareTexts[i], bare, f.Name(), 1) // errors contain the file name
		}
		if d := cmp.Diff(texts, bareTexts); d != "" || !slices.Equal(ids, bareIDs) || err != nil {
			t.Errorf("version %d: %v %s", version, err, d)
		}
		s, err := open(mustOpen(t, bare), nil, &opt)
		if err != nil {
			t.Fatal(err)
		}
		if src := s.(*source); src.rowsPerRun(src.file.Groups[0]) > 1500 {
			t.Errorf("version %d: the group is not cut into runs", version)
		}
	}
}

// TestIndexDamaged checks that the records of a damaged file without an index get an error.
func TestIndexDamaged(t *testing.T) {
	f := writeFlats(t, filepath.Join(t.TempDir(), "a"), long(2500), 2500)
	name := withoutIndex(t, f)
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	clear(b[len(b)/2 : len(b)*3/4])
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	_, texts, err := readTexts(t, record.Options{Fields: []string{"text"}}, record.Input{Names: []string{name}})
	if err != nil || !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "reading Parquet") }) {
		t.Errorf("%d texts, %v", len(texts), err)
	}
}
