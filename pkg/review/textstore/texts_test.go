package textstore

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"doppel/pkg/record"
)

func write(t testing.TB, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func zipped(t testing.TB, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(content))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// numbered returns n records in JSON Lines, numbered consecutively, with some blank lines between
// them.
func numbered(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"text\":\"text %d\",\"name\":\"r%d\"}\n", from+i, from+i)
		if i%3 == 0 {
			b.WriteString(" \r\n")
		}
	}
	return b.String()
}

func TestText(t *testing.T) {
	field := record.Options{Fields: []string{"text"}}
	named, counted, lines := field, field, record.Options{Lines: true}
	named.ID, counted.WithFilename = "name", true
	plain, packed := write(t, "a.jsonl", numbered(0, 100)), write(t, "b.jsonl.gz", zipped(t, numbered(100, 50)))
	table := write(t, "c.csv", "text,name\n\"x\ny\",r0\nz,r1\n")
	text := write(t, "d.txt", "\none\n\r\ntwo")
	for _, c := range []struct {
		names    []string
		opt      record.Options
		id, want string
	}{
		{[]string{plain}, field, "0", "text 0"},
		{[]string{plain}, field, "99", "text 99"},
		{[]string{plain, packed}, field, "100", "text 100"},
		{[]string{packed, plain}, field, "49", "text 149"},
		{[]string{packed, plain}, field, "50", "text 0"},
		{[]string{plain, packed}, named, "r17", "text 17"},
		{[]string{plain, packed}, named, "r149", "text 149"},
		{[]string{plain, packed}, counted, plain + ":99", "text 99"},
		{[]string{plain, packed}, counted, packed + ":0", "text 100"},
		{[]string{plain}, field, "17#0-4", "text"},
		{[]string{plain}, named, "r17#5-7", "17"},
		{[]string{table}, field, "0", "x\ny"},
		{[]string{table}, named, "r1", "z"},
		{[]string{text}, lines, "0", ""},
		{[]string{text}, lines, "1", "one"},
		{[]string{text}, lines, "2", ""},
		{[]string{text}, lines, "3", "two"},
	} {
		s := New(c.names, c.opt)
		done := make(chan error)
		go func() { done <- s.Read() }()
		got, err := s.Text([]byte(c.id))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.id, got, err, c.want)
		}
		if err := <-done; err != nil {
			t.Errorf("%s: %v", c.id, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestNoText(t *testing.T) {
	field := record.Options{Fields: []string{"text"}}
	data := write(t, "a.jsonl", "{\"text\":\"abc\"}\n{\"x\":3}\n{}")
	bad := write(t, "b.jsonl.gz", zipped(t, "{\"text\":\"abc\"}\n{\"x\":1}\n"))
	for _, c := range []struct{ name, id, want string }{
		{data, "3", `no record has the id "3"`},
		{data, "x", `no record has the id "x"`},
		{data, "0#1-9", `record "0" has no part from byte 1 to 9: its text has 3 bytes`},
		{data, "1", "a.jsonl:2: "},
		{bad, "1", "b.jsonl.gz:2"},
		{"/no/such", "0", "no such file"},
	} {
		s := New([]string{c.name}, field)
		s.Read()
		if _, err := s.Text([]byte(c.id)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: %v", c.id, c.name, err)
		}
		s.Close()
	}
}

// FuzzTexts compares the texts of lines with those that record.Reader returns.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{"", "\n", "{\"text\":\"a\"}\n\n{\"text\":\"b\"}", "\xef\xbb\xbf{\"text\":\"a\"}\r\n \n", "{}\n{}\n{\"text\":\"last\"}\n"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, lines bool) {
		opt := record.Options{Lines: lines, Fields: []string{"text"}}
		rd, err := record.NewReader(record.Input{Stdin: strings.NewReader(s)}, opt)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for b := (record.Batch{}); ; {
			if err := rd.Next(&b); err == io.EOF {
				break
			} else if err != nil {
				return // the reader rejects the whole input, so there is nothing to compare
			}
			b.Decode()
			for _, r := range b.Records {
				want = append(want, fmt.Sprint(string(r.Text), r.Err != nil))
			}
		}
		store := New([]string{write(t, "x", s)}, opt)
		if err := store.Read(); err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			got, err := store.Text(fmt.Append(nil, i))
			if g := fmt.Sprint(string(got), err != nil); g != w {
				t.Errorf("record %d is %s, want %s", i, g, w)
			}
		}
		if got, err := store.Text(fmt.Append(nil, len(want))); err == nil {
			t.Errorf("record %d is %q, want none", len(want), got)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	name := write(b, "a.jsonl", strings.Repeat(fmt.Sprintf("{\"text\":\"%s\"}\n", strings.Repeat("some words ", 300)), 20000))
	info, _ := os.Stat(name)
	b.SetBytes(info.Size())
	for b.Loop() {
		if err := New([]string{name}, record.Options{Fields: []string{"text"}}).Read(); err != nil {
			b.Fatal(err)
		}
	}
}

// Text returns an error for a file that was replaced or changed after it was read.
func TestChanged(t *testing.T) {
	for name, change := range map[string]func(name string) error{
		"replaced": func(name string) error {
			if err := os.Rename(name, name+".old"); err != nil {
				return err
			}
			return os.WriteFile(name, []byte(numbered(100, 100)), 0o600)
		},
		"cut": func(name string) error { return os.Truncate(name, 200) },
	} {
		file := write(t, "a.jsonl", numbered(0, 100))
		s := New([]string{file}, record.Options{Fields: []string{"text"}})
		defer s.Close()
		if err := s.Read(); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Text([]byte("5")); string(got) != "text 5" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if err := change(file); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Text([]byte("5")); err == nil || err.Error() != file+": changed while it was read" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
