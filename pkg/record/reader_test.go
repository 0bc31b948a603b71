package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/files/filename"
)

// readAll returns the id and the text of every record, with the record's error in place of a
// missing text. err is the error that ended the reading.
func readAll(in Input, opt Options) (got []string, err error) {
	rd, err := NewReader(in, opt)
	if err != nil {
		return nil, err
	}
	var b Batch
	for {
		if err := rd.Next(&b); err == io.EOF {
			return got, nil
		} else if err != nil {
			return got, err
		}
		b.Decode()
		for _, rec := range b.Records {
			text := string(rec.Text)
			if rec.Err != nil {
				text = "!" + rec.Err.Error()
			}
			got = append(got, string(rec.ID)+" "+text)
		}
	}
}

func stdin(s string) Input { return Input{Stdin: strings.NewReader(s)} }

var texts = Options{Fields: []string{"text"}}

func TestLines(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		opt  Options
		want []string
	}{
		"empty":       {"", texts, nil},
		"plain":       {"{\"text\":\"a\"}\n{\"text\":\"b\"}\n", texts, []string{"0 a", "1 b"}},
		"no end":      {"{\"text\":\"a\"}\n{\"text\":\"b\"}", texts, []string{"0 a", "1 b"}},
		"CRLF":        {"{\"text\":\"a\"}\r\n{\"text\":\"b\"}\r\n", texts, []string{"0 a", "1 b"}},
		"mark":        {"\ufeff{\"text\":\"a\"}\n", texts, []string{"0 a"}},
		"blank":       {"\n{\"text\":\"a\"}\n \t\r\n\n{\"x\":1}\n", texts, []string{"0 a", `1 !<stdin>:5: no field "text"`}},
		"lines":       {"a\n\n b \r\n\xff\x00", Options{Lines: true}, []string{"0 a", "1 ", "2  b ", "3 \xff\x00"}},
		"NUL":         {"a\nb\x00c\r\n\x00", Options{Lines: true, Null: true}, []string{"0 a\nb", "1 c\r\n"}},
		"whole":       {"not json\n", Options{}, []string{"0 not json"}},
		"several":     {`{"a":"x","b":{"c":"y"}}`, Options{Fields: []string{"b.c", "a"}}, []string{"0 y\nx"}},
		"id":          {`{"text":"a","n":17}`, Options{Fields: []string{"text"}, ID: "n"}, []string{"17 a"}},
		"no id":       {`{"text":"a"}`, Options{Fields: []string{"text"}, ID: "n"}, []string{` !<stdin>:1: no field "n"`}},
		"NUL in JSON": {"a\n\x00b\nc\x00\nd\n", Options{}, []string{"0 a", "1 !<stdin>:2: the line contains a NUL", "2 !<stdin>:3: the line contains a NUL", "3 d"}},
		"long":        {"12345\n123456\n\n1\n", Options{MaxRecord: 5}, []string{"0 12345", "1 !<stdin>:2: record of more than 5 bytes", "2 1"}},
		"rows":        {"text,n\n\"a\nb\",1\n\nc\n", Options{Fields: []string{"text"}, Dialect: Dialect{CSV: true}}, []string{"0 a\nb", "1 !<stdin>:5: row has 1 fields, but the header has 2"}},
		"bad goes on": {"{\n{\"text\":\"b\"}\n", texts, []string{"0 !<stdin>:1: invalid JSON: unexpected end of line", "1 b"}},
	} {
		got, err := readAll(stdin(tc.in), tc.opt)
		if d := cmp.Diff(tc.want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
	}
}

// TestBlocks checks that records do not depend on where blocks end, and that a line may be longer
// than a block.
func TestBlocks(t *testing.T) {
	var in strings.Builder
	var want []string
	for i, n := range []int{10, blockSize - 30, blockSize, 5, 3*blockSize + 7, DefaultMax - 20, 0, 1} {
		text := strings.Repeat("x", n)
		fmt.Fprintf(&in, "{\"text\":\"%s\"}\n", text)
		want = append(want, fmt.Sprint(i, " ", text))
	}
	got, err := readAll(stdin(in.String()), texts)
	if err != nil || len(got) != len(want) {
		t.Fatal(len(got), err)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("record %d differs: %d and %d bytes", i, len(got[i]), len(want[i]))
		}
	}
}

func TestInputs(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for name, text := range map[string]string{a: "{\"text\":\"1\"}\n{\"text\":\"2\"}", b: "{\"text\":\"3\"}\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := Input{Names: []string{a, "-", b}, Stdin: strings.NewReader("{\"text\":\"s\"}\n")}
	got, err := readAll(in, texts)
	if d := cmp.Diff([]string{"0 1", "1 2", "2 s", "3 3"}, got); d != "" || err != nil {
		t.Error(d, err)
	}
	got, err = readAll(Input{Names: []string{b, a}}, Options{Fields: []string{"text"}, WithFilename: true})
	if d := cmp.Diff([]string{b + ":0 3", a + ":0 1", a + ":1 2"}, got); d != "" || err != nil {
		t.Error(d, err)
	}
	if got, err := readAll(Input{Names: []string{a, dir + "/none"}}, texts); err == nil || len(got) != 2 {
		t.Error(got, err)
	}
	for _, names := range [][]string{{"-", "-"}, {"-", a, "-"}} {
		if _, err := NewReader(Input{Names: names}, texts); err == nil {
			t.Errorf("%v: no error", names)
		}
	}
	for _, opt := range []Options{{Lines: true, ID: "x"}, {Fields: []string{"a", "a"}}} {
		if _, err := NewReader(Input{}, opt); err == nil {
			t.Errorf("%+v: no error", opt)
		}
	}
}

func TestOpenStream(t *testing.T) {
	if s, err := OpenStream(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, %v", s, err)
	}
}

// TestNames checks that the content of each listed file is one text, that directories are skipped,
// that missing files cause an error, and that a FIFO causes an error without being opened.
func TestNames(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("odd\nname", []byte("content"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo("fifo", 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := readAll(stdin("odd\nname\x00fifo\x00none\x00.\x00"), Options{Names: true, Null: true})
	if err != nil || len(got) != 3 || got[0] != "odd\nname content" {
		t.Fatalf("%q, %v", got, err)
	}
	for _, g := range got[1:] {
		if !strings.Contains(g, " !<stdin>:") {
			t.Errorf("%q: no error", g)
		}
	}
}

// TestNamesOfFiles checks that lists of names are read as in package files: a CR is part of a name,
// empty names count as lines, and names given as operands have no line number.
func TestNamesOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("cr\r", []byte("content"), 0o666); err != nil {
		t.Fatal(err)
	}
	given := filename.List{"cr\r", "none"}
	for _, tc := range []struct {
		in   Input
		want []string
	}{
		{stdin("cr\r\n\nnone"), []string{"cr\r content", "none !<stdin>:3: none: no such file or directory"}},
		{Input{Files: &given}, []string{"cr\r content", "none !none: no such file or directory"}},
	} {
		if got, err := readAll(tc.in, Options{Names: true}); err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := readAll(stdin("a\x00b\x00"), Options{Names: true}); !errors.Is(err, filename.ErrNUL) || !strings.HasPrefix(err.Error(), "<stdin>: ") {
		t.Error(err)
	}
	if got, err := readAll(stdin(".\ncr\r\n"), Options{Names: true}); err != nil || !slices.Equal(got, []string{"cr\r content"}) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestCutAtError(t *testing.T) {
	rd, err := NewReader(stdin("{\"text\":\"a\"}\n{\n{\"text\":\"b\"}\n"), texts)
	if err != nil {
		t.Fatal(err)
	}
	var b Batch
	if err := rd.Next(&b); err != nil {
		t.Fatal(err)
	}
	b.Decode()
	if b.CutAtError(); len(b.Records) != 1 || b.Cut == nil || !strings.HasPrefix(b.Cut.Error(), "<stdin>:2: ") {
		t.Errorf("%d records, %v", len(b.Records), b.Cut)
	}
}

// TestLongLine checks that a long line does not enlarge later batches, which reuse its memory.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("x", 20*blockSize)
	in := strings.Repeat(long+"\n"+strings.Repeat("y\n", 1<<19), 2)
	rd, err := NewReader(Input{Stdin: strings.NewReader(in)}, Options{Lines: true})
	if err != nil {
		t.Fatal(err)
	}
	var b Batch
	for n := 0; ; n += len(b.Records) {
		err := rd.Next(&b)
		if err == io.EOF && n == 2+2<<19 {
			return
		}
		if err != nil {
			t.Fatal(n, err)
		}
		if len(b.Records) > blockSize {
			t.Fatalf("%d records in a batch", len(b.Records))
		}
	}
}
