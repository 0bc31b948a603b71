package record

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMeter(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(file, []byte(strings.Repeat("{}\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		names  []string
		stdin  io.Reader
		opt    Options
		known  bool
		before int64 // the total
	}{
		{names: []string{file, file}, known: true, before: 6000},
		{names: []string{file, "-"}, stdin: strings.NewReader("{}\n")},
		{names: []string{file}, opt: Options{Names: true}, before: 3000},
	} {
		var m Meter
		in := Input{Names: tc.names, Stdin: tc.stdin}
		if m.Expect(&Input{Names: tc.names, Stdin: tc.stdin}) {
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
