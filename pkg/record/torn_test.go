package record

import (
	"io"
	"strings"
	"testing"

	"doppel/pkg/record/jsonscan"
)

// TestTorn checks that a truncated JSON line is an error even if whole lines are compared, and that
// complete lines are records.
func TestTorn(t *testing.T) {
	const torn = "{\"a\": 1}\n{\"a\": \"x\n{\"a\": 3}\n"
	for _, c := range []struct {
		name, data string
		opt        Options
		bad        int
	}{
		{"x.jsonl", torn, Options{}, 1},
		{"<stdin>", torn, Options{}, 1},
		{"x.txt", torn, Options{}, 1},
		{"x.jsonl.gz", "plain\n", Options{}, 1},
		{"x.jsonl", "plain\n{\n}\n\"\n[1\n", Options{}, 5},
		{"x.jsonl", " {\"a\": 1} \r\n[1]\n\"s\"\n1.5\ntrue\nnull\n \n{}\n[]\n\"\"", Options{}, 0},
		{"x.jsonl", "{\"a\": 1\n", Options{}, 1},
		{"x.jsonl", "\xef\xbb\xbf{\"a\": 1}\n", Options{}, 0},
		{"<stdin>", "{\"a\": \"x\n{\"a\": 3}\n", Options{}, 1},
		{"<stdin>", "{}\nplain\n", Options{}, 1},
		{"<stdin>", "plain\n{\"a\": \"x\n", Options{}, 0},
		{"<stdin>", "{\nint x;\n}\n", Options{}, 0},
		{"<stdin>", "{\"a\", 1},\n{\"b\", 2},\n", Options{}, 0},
		{"x.jsonl", torn, Options{Lines: true}, 0},
		{"x.jsonl", torn, Options{Torn: true}, 0},
		{"x.jsonl", torn, Options{Fields: []string{"a"}, Skip: func(int64) bool { return true }}, 0},
	} {
		if got := badRecords(t, c.name, c.data, c.opt); got != c.bad {
			t.Errorf("%s %q %+v: %d bad records, want %d", c.name, c.data, c.opt, got, c.bad)
		}
	}
}

// badRecords reads data from a file with the given name and returns the number of records with
// errors.
func badRecords(t *testing.T, name, data string, opt Options) (n int) {
	t.Helper()
	rd, err := NewReader(Input{Names: []string{"-"}, Stdin: strings.NewReader(data), Called: map[string]string{"-": name}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	var b Batch
	for {
		if err := rd.Next(&b); err == io.EOF {
			return n
		} else if err != nil {
			t.Fatal(err)
		}
		b.Decode()
		for i := range b.Records {
			if b.Records[i].Err != nil {
				n++
			}
		}
	}
}

// FuzzWhole checks that objects, arrays and strings that are valid JSON pass endsAsBegun. The
// converse does not hold.
func FuzzWhole(f *testing.F) {
	for _, s := range []string{"", "{}", `{"a":[1]}`, "[", `"\""`, "1", " {} \r", "\t"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var s jsonscan.Scanner
		if err := s.Scan(line, jsonscan.NewTree()); err == nil && len(line) > 0 && strings.ContainsRune(`{["`, rune(strings.TrimLeft(string(line), " \t\r\n")[0])) && !endsAsBegun(line) {
			t.Errorf("%q is JSON, and taken for torn", line)
		}
	})
}
