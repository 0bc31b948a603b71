package record

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readPicked returns the ordinals, ids and texts of the wanted records.
func readPicked(t *testing.T, rd *Reader, places *Places, wanted func(int64) bool) (all []string) {
	t.Helper()
	for {
		var b Batch
		err := rd.Next(&b)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Decode()
		places.Note(&b)
		for _, rec := range b.Records {
			if wanted(rec.Ordinal) {
				all = append(all, fmt.Sprintf("%d %s %s %s %v", rec.Ordinal, rec.Name, rec.ID, rec.Text, rec.Err))
			}
		}
	}
}

// TestPlaces checks that Places.Reader reads the wanted records as the first reading did. The files
// have blank lines, both kinds of line ends, long lines, and a last line without a line end.
func TestPlaces(t *testing.T) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	var names []string
	for i := range 3 {
		var text strings.Builder
		for n := range 3000 {
			fmt.Fprintf(&text, `{"text":"%d %s"}`, n, strings.Repeat("x", r.IntN(1+n)))
			text.WriteString([]string{"\n", "\r\n", "\n\n"}[r.IntN(3)])
		}
		text.WriteString(`{"text":"the last"}`)
		names = append(names, filepath.Join(dir, fmt.Sprint(i)))
		if err := os.WriteFile(names[i], []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opt := Options{Fields: []string{"text"}}
	for _, share := range []int{1, 2, 50, 5000} {
		wanted := func(n int64) bool { return int(n*7919%9973)%share == 0 }
		rd, err := NewReader(Input{Names: names}, opt)
		if err != nil {
			t.Fatal(err)
		}
		p := new(Places)
		want := readPicked(t, rd, p, wanted)
		if !p.Known(9003) || p.Known(9004) {
			t.Error("not all places are known")
		}
		rd, err = p.Reader(opt, wanted)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, readPicked(t, rd, nil, wanted)); d != "" || len(want) == 0 {
			t.Errorf("1 in %d: %s", share, d)
		}
		if p.Seal(); !p.sealed {
			t.Error("the places are not sealed")
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNoPlaces checks that Places stores no positions for a stream, and that a later reading
// returns an error if the file has been replaced.
func TestNoPlaces(t *testing.T) {
	rd, err := NewReader(Input{Stdin: strings.NewReader("{}\n")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := new(Places)
	readPicked(t, rd, p, func(int64) bool { return true })
	if p.Known(1) || (*Places)(nil).Known(1) || new(Places).Known(0) {
		t.Error("places are known")
	}
	name := filepath.Join(t.TempDir(), "a")
	for range 2 { // the second file replaces the first
		os.Remove(name)
		if err := os.WriteFile(name, []byte("{}\n{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if p.Known(2) {
			rd, err = p.Reader(Options{}, func(int64) bool { return true })
			if err == nil {
				err = rd.Next(new(Batch))
			}
			if err == nil || !strings.Contains(err.Error(), "changed while it was read") {
				t.Errorf("another file: %v", err)
			}
			return
		}
		if rd, err = NewReader(Input{Names: []string{name}}, Options{}); err != nil {
			t.Fatal(err)
		}
		p = new(Places)
		readPicked(t, rd, p, func(int64) bool { return true })
		if err := os.Rename(name, name+"2"); err != nil {
			t.Fatal(err)
		}
	}
}
