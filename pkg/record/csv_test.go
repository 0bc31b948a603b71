package record

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// rowsOf reads a stream of CSV as the tools do. It returns the values of all rows, the first of
// which is the header, and the bytes of all rows.
func rowsOf(t *testing.T, in io.Reader) (rows [][]string, written string, err error) {
	t.Helper()
	rd, err := NewReader(Input{Stdin: in}, Options{Dialect: Dialect{CSV: true}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var b Batch
	for {
		err := rd.Next(&b)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, "", err
		}
		b.Decode()
		for i := range b.Records {
			var row []string
			rd.table.eachField(b.Records[i].Raw, func(_ int, f []byte) { row = append(row, string(rd.table.unquoted(nil, f))) })
			rows = append(rows, row)
			out.Write(append(slices.Clip(b.Records[i].Raw), '\n'))
		}
	}
	written = out.String()
	if header := rd.Header(); header != nil {
		rows = append([][]string{rd.table.names}, rows...)
		written = string(header) + "\n" + written
	}
	return rows, written, nil
}

// readOtherwise reports whether encoding/csv may split these rows differently from the tools, or
// whether the tools may refuse the header, because it could be the header of another dialect. It
// returns true if there are no rows.
func readOtherwise(s string, rows [][]string) bool {
	if len(rows) == 0 {
		return true
	}
	header := strings.Join(rows[0], " ")
	return strings.ContainsAny(header, ";|\t,'\\") || strings.HasPrefix(header, "sep=") || binaryBytes([]byte(s)) || strings.ContainsAny(s, "\f\x1b") || strings.Contains(strings.ReplaceAll(s, "\r\n", ""), "\r") ||
		strings.Contains(s, "\n ") && len(rows[0]) > 1 || strings.HasPrefix(strings.TrimLeft(s, "\r\n"), " ") || strings.HasPrefix(s, string(utf8Mark))
}

// FuzzCSV checks that rows have the values that encoding/csv reads. It also writes all rows to a
// sink, reads this output byte by byte, and checks that it has the same number of rows.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a,b\r\n\"x\n,\"\"y\",2\r\n3,4", "a\n\n\"\"\n", "a,\n,\n", "\"a\"\"b\",c\n\"\",\n", "a\n \n   \r\n\n \"\n "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		oracle := csv.NewReader(strings.NewReader(s))
		oracle.FieldsPerRecord = -1
		want, err := oracle.ReadAll()
		if err != nil || strings.Contains(s, "\t") || readOtherwise(s, want) {
			return
		}
		got, written, err := rowsOf(t, strings.NewReader(s))
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		for i := range got { // encoding/csv drops a CR before a newline in quotes
			for j := range got[i] {
				got[i][j] = strings.ReplaceAll(got[i][j], "\r\n", "\n")
			}
		}
		if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
		again, _, err := rowsOf(t, iotest.OneByteReader(strings.NewReader(written)))
		if err != nil || len(again) != len(got) {
			t.Fatalf("%q was written as %q", s, written)
		}
	})
}

// TestBlankRows checks that, in a table with one column, a line of white space is a row but an
// empty line is not.
func TestBlankRows(t *testing.T) {
	for text, want := range map[string][][]string{
		"text\na\n\t\n \nb\n":      {{"text"}, {"a"}, {"\t"}, {" "}, {"b"}},
		"text\r\na\r\n  \r\n\r\n ": {{"text"}, {"a"}, {"  "}, {" "}},
		"\n \ntext\n\n\n\"\"\n":    {{"text"}, {""}},
		"a,b\n \n1,2\n\n\t\n":      {{"a", "b"}, {"1", "2"}},
	} {
		for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if got, _, err := rowsOf(t, in); err != nil || !slices.EqualFunc(got, want, slices.Equal[[]string]) {
				t.Errorf("%q: %q, %v, want %q", text, got, err, want)
			}
		}
	}
}

// TestRowObject checks that AppendObject pairs the names in the header with the values of the row.
func TestRowObject(t *testing.T) {
	table := Table{rowFormat: rowFormat{comma: ',', quote: '"'}, names: []string{"a", `b"`}}
	got, err := table.AppendObject(nil, []byte("\"x \"\"y\"\"\n\",\xff\r"))
	var values map[string]string
	if err != nil || json.Unmarshal(got, &values) != nil || values["a"] != "x \"y\"\n" {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := table.AppendObject(nil, []byte("1")); err == nil {
		t.Error("a row of one field passes where the header has two")
	}
}

// TestNotTextPacked checks that an error about compressed binary data does not claim that the
// file is not compressed.
func TestNotTextPacked(t *testing.T) {
	binary := append(bytes.Repeat([]byte{0, 1, 0xfe}, 50), '\n')
	var gz, zst bytes.Buffer
	z := gzip.NewWriter(&gz)
	z.Write(binary)
	z.Close()
	e, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	e.Write(binary)
	e.Close()
	for _, tc := range []struct {
		name string
		data []byte
		want string
	}{
		{"x.gz", gz.Bytes(), "the content of the gzip file is neither text lines nor a known format"},
		{"x.csv.gz", gz.Bytes(), "the content of the gzip file is neither text lines nor a known format"},
		{"x.jsonl.zst", zst.Bytes(), "the content of the zstd file is neither text lines nor a known format"},
		{"x", zst.Bytes(), "the content of the zstd file is neither text lines nor a known format"},
		{"x.gz", binary, "the file is not gzip"},
	} {
		name := filepath.Join(t.TempDir(), tc.name)
		if err := os.WriteFile(name, tc.data, 0o600); err != nil {
			t.Fatal(err)
		}
		rd, err := NewReader(Input{Names: []string{name}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := rd.Next(new(Batch)); err == nil || err.Error() != name+": "+tc.want {
			t.Errorf("%s: %v, want %s", name, err, tc.want)
		}
	}
}

// TestNotText checks that files that are not text are rejected with a message that names their
// format.
func TestNotText(t *testing.T) {
	for _, tc := range []struct{ name, data, want string }{
		{"x", "text of any kind \xff", ""},
		{"x.gz", "{}", ""},
		{"x.gz", "\x1e\x8b\x08", "x.gz: the file is not gzip"},
		{"x", "a\x00b\n", "x: the file is neither text lines nor a known format"},
		{"x", "ARROW1\x00\x00", "x: Arrow (Feather) is not supported as input"},
		{"x", "ARROW1 is a word", ""},
		{"x", "\xff\xfe{\x00", "x: UTF-16 is not supported as input"},
		{"x", "{\x00\"\x00a", "x: UTF-16 is not supported as input"},
		{"x", "\xff\xff\xff\xff\x10", "x: an Arrow stream is not supported as input"},
	} {
		got := ""
		if err := notText(tc.name, "", []byte(tc.data)); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%q: %q, want %q", tc.data, got, tc.want)
		}
	}
}
