package record

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"doppel/pkg/files/filename"
)

func TestMeter(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(file, []byte(strings.Repeat("{}\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte(strings.Repeat("none\n", 3)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		names  []string
		files  []string
		stdin  io.Reader
		opt    Options
		known  bool
		before int64 // the total that Far returns before the first record is read
	}{
		{names: []string{file, file}, known: true, before: 6000},
		{names: []string{file, "-"}, stdin: strings.NewReader("{}\n"), known: true, before: 3003},
		{names: []string{file, "-"}, stdin: io.MultiReader(strings.NewReader("{}\n"))},
		// for files named by a list, progress counts the bytes of the list
		{names: []string{list}, opt: Options{Names: true}, known: true, before: 15},
		{stdin: strings.NewReader("none\x00none\x00"), opt: Options{Names: true, Null: true}, known: true, before: 10},
		{stdin: io.MultiReader(strings.NewReader("none\n")), opt: Options{Names: true}},
		{files: []string{file, "none"}, opt: Options{Names: true}, known: true, before: int64(len(file)) + 6},
	} {
		var m Meter
		in := Input{Names: tc.names, Stdin: tc.stdin}
		if tc.files != nil {
			in.Files = new(filename.List(tc.files))
		}
		if m.Expect(&in) {
			in.Meter = &m
		}
		if _, total, _ := m.Far(); total != tc.before {
			t.Errorf("%v: %d bytes are expected", tc.names, total)
		}
		rd, err := NewReader(in, tc.opt)
		if err != nil {
			t.Fatal(err)
		}
		for b := new(Batch); err == nil; {
			err = rd.Next(b)
		}
		if read, total, ok := m.Far(); ok != tc.known || ok && read != total {
			t.Errorf("%v: read %d of %d, known: %v", tc.names, read, total, ok)
		}
	}
}
