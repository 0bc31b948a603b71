package lineio_test

import (
	"fmt"
	"strings"
	"testing"

	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/msg"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/stagetest"
	"doppel/pkg/tool"
)

// ids is a Worker that collects the ids of signatures. It rejects a signature whose body is "x".
type ids struct{}

func (ids) Take(dst *[]byte, s line.Signature) error {
	if string(s.Body) == "x" {
		return fmt.Errorf("%q: not a body", s.Body)
	}
	*dst = append(append(*dst, s.ID...), ' ')
	return nil
}

func signatures(e *tool.Env) error {
	newWorker := func() lineio.Worker[[]byte] { return ids{} }
	return lineio.Signatures(e, new(schemes.Guard), nil, newWorker, func(b *[]byte) error {
		_, err := e.Out.Write(*b)
		return err
	})
}

func TestSignatures(t *testing.T) {
	var many, want strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&many, "%d\ts\tb\n", i)
		fmt.Fprintf(&want, "%d ", i)
	}
	for _, tc := range []struct {
		name, in, args, out, err string
		status                   int
	}{
		{name: "empty"},
		{name: "either form", in: "a\\tb\ts\tb\n" + `{"scheme":"s","id":"c\td","signature":"b"}` + "\n", out: "a\tb c\td "},
		{name: "many", in: many.String(), args: "-j3", out: want.String()},
		{
			name: "bad", in: "a\ts\tb\nb\nc\ts\tb\n", out: "a ", status: 2,
			err: "probe: <stdin>:2: want the columns id scheme signature, found 1 of 3\nprobe: hint: recsign writes signatures of records, as in: recsign FILE | lshpairs\n",
		},
		{
			name: "bad, and on", in: "a\ts\tb\nb\nc\ts\tx\nd\ts\tb\n", args: "-k", out: "a d ", status: 2,
			err: "probe: <stdin>:2: want the columns id scheme signature, found 1 of 3\nprobe: hint: recsign writes signatures of records, as in: recsign FILE | lshpairs\nprobe: <stdin>:3: \"x\": not a body\n",
		},
		{
			name: "two schemes", in: "a\ts\tb\nb\ts\tb\nc\tt\tb\n", args: "-k", status: 2,
			err: "probe: <stdin>:3: the scheme is t, but line 1 has the scheme s\n",
		},
		{name: "two schemes behind what ends the run", in: "a\ts\tb\nb\nc\tt\tb\n", out: "a ", status: 2, err: "probe: <stdin>:2: want the columns id scheme signature, found 1 of 3\nprobe: hint: recsign writes signatures of records, as in: recsign FILE | lshpairs\n"},
	} {
		out, err, status := stagetest.RunProbe(signatures, tc.in, append(strings.Fields(tc.args), "--no-progress")...)
		if out != tc.out || err != tc.err || status != tc.status {
			t.Errorf("%s: %.60q, %q, %d", tc.name, out, err, status)
		}
	}
}

func TestSignaturesMissingFile(t *testing.T) {
	_, err, status := stagetest.RunProbe(func(e *tool.Env) error {
		return lineio.Signatures(e, new(schemes.Guard), []string{"none"}, func() lineio.Worker[[]byte] { return ids{} }, nil)
	}, "")
	if status != 2 || !strings.Contains(err, "no such file") {
		t.Errorf("%q, %d", err, status)
	}
}

func TestEach(t *testing.T) {
	each := func(e *tool.Env) error {
		return lineio.Each(e, nil, func(text []byte) error {
			var p line.Pair
			err := p.Parse(text)
			if err == nil {
				_, err = e.Out.Write(p.Append(nil, lineio.Format(e)))
			}
			return err
		})
	}
	for _, tc := range []struct {
		name, in, args, out, err string
		status                   int
	}{
		{name: "columns", in: "a\tb\n", out: "a\tb\n"},
		{name: "objects", in: `{"a":1,"b":"x"}` + "\n", args: "--json", out: `{"a":"1","b":"x"}` + "\n"},
		{name: "NUL", in: "a\tb\nc\x00d\te\x00", args: "-0", out: "a\tb\nc\x00d\te\x00"},
		{name: "bad", in: "a\tb\nc\nd\te\n", out: "a\tb\n", status: 2, err: "probe: <stdin>:2: want the columns a b, found 1 of 2\nprobe: hint: lshpairs writes pairs, as in: recsign FILE | lshpairs\n"},
		{name: "cut", in: "a\tb\nc\td", out: "a\tb\nc\td\n", status: 2, err: "probe: <stdin>:2: the last line has no line end: the list may be cut short\nprobe: hint: if the line is complete, add a line end\n"},
		{name: "cut, NUL", in: "a\tb\x00c\td\n", args: "-0", out: "a\tb\x00c\td\n\x00", status: 2, err: "probe: <stdin>:2: the last line has no line end: the list may be cut short\nprobe: hint: if the line is complete, add a line end\n"},
		{name: "long, cut", in: "a\t" + strings.Repeat("b", 3<<20), out: "a\t" + strings.Repeat("b", 3<<20) + "\n", status: 2, err: "probe: <stdin>:1: the last line has no line end: the list may be cut short\nprobe: hint: if the line is complete, add a line end\n"},
		{name: "Parquet", in: "PAR1\x15\n", status: 2, err: "probe: <stdin>:1: the file is Parquet, not lines\nprobe: hint: convert the input: reccat --to jsonl <stdin> |\n"},
		{name: "bad, and on", in: "a\tb\nc\nd\te\n", args: "-k", out: "a\tb\nd\te\n", status: 2, err: "probe: <stdin>:2: want the columns a b, found 1 of 2\nprobe: hint: lshpairs writes pairs, as in: recsign FILE | lshpairs\n"},
	} {
		out, err, status := stagetest.RunProbe(each, tc.in, strings.Fields(tc.args)...)
		if out != tc.out || err != tc.err || status != tc.status {
			t.Errorf("%s: %q, %q, %d", tc.name, out, err, status)
		}
	}
}

// Without a terminal, Header and Titles write the names of the columns only with --header. They
// flush the names.
func TestHeader(t *testing.T) {
	for name, write := range map[string]func(*tool.Env, lineio.Row) error{"header": lineio.Header, "titles": lineio.Titles} {
		for args, want := range map[string]string{"": "", "--header": "a\tb\n", "--json": "", "--header -0": "a\tb\x00"} {
			out, err, status := stagetest.RunProbe(func(e *tool.Env) error {
				failed := write(e, line.Pair{})
				if n := e.Out.Buffered(); n > 0 {
					t.Errorf("%s %s: %d bytes are held back", name, args, n)
				}
				return failed
			}, "", strings.Fields(args)...)
			if out != want || err != "" || status != 0 {
				t.Errorf("%s %s: %q, %q, %d, want %q", name, args, out, err, status, want)
			}
		}
	}
}

// Each adds no hint to an error that has one, and returns an error if a file is missing.
func TestEachErrors(t *testing.T) {
	for want, each := range map[string]func(*tool.Env) error{
		"probe: <stdin>:1: bad\nprobe: hint: mend it\n": func(e *tool.Env) error {
			return lineio.Each(e, nil, func([]byte) error {
				missing := new(line.Pair).Parse([]byte("x"))
				return msg.WithHint(hidden{missing}, "mend it")
			})
		},
		"probe: none: no such file or directory\n": func(e *tool.Env) error {
			return lineio.Each(e, []string{"none"}, func([]byte) error { return nil })
		},
	} {
		if _, err, status := stagetest.RunProbe(each, "x\n"); err != want || status != 2 {
			t.Errorf("%q, %d, want %q", err, status, want)
		}
	}
}

// hidden wraps an error and hides its message.
type hidden struct{ error }

func (hidden) Error() string { return "bad" }

func (h hidden) Unwrap() error { return h.error }
