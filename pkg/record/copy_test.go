package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// endless repeats bytes without end.
type endless string

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }

// full fails when more than its size is written.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

// TestCopyFails checks that the copy of an input that is not a dataset ends early, with the error of a
// reader.
func TestCopyFails(t *testing.T) {
	for _, c := range []struct {
		name string
		in   io.Reader
		opt  Options
		want string
	}{
		{"<stdin>", endless("\x00"), Options{}, "<stdin>: the file is neither text lines nor a known format"},
		{"<stdin>", endless("\x00"), Options{Lines: true, MaxRecord: 1 << 20}, "<stdin>:1: record of more than 1048576 bytes"},
		{"pipe", io.MultiReader(strings.NewReader("{\"text\":\"a\"}\n{}\n"), endless("x")), Options{MaxRecord: 1 << 20}, "pipe:3: record of more than 1048576 bytes"},
		{"a.csv", io.MultiReader(strings.NewReader("a,b\n1,2\n\""), endless("x")), Options{MaxRecord: 1 << 20}, "a.csv:3: record of more than 1048576 bytes"},
		{"<stdin>", io.MultiReader(strings.NewReader("a,b\n1,2\n\""), endless("\n")), Options{Dialect: Dialect{CSV: true}, MaxRecord: 1 << 20}, "<stdin>:3: record of more than 1048576 bytes"},
		{"<stdin>", endless("{\"text\":\"a\"}\n"), Options{}, "disk full"},
	} {
		disk := full(8 << 20)
		if err := CopyInput(&disk, c.in, c.name, c.opt); err == nil || err.Error() != c.want {
			t.Errorf("%q: got %v", c.want, err)
		}
	}
}

// TestCopyAll checks that the copy has the bytes of the input. Bad records are left to the readers of
// the copy, which may skip them.
func TestCopyAll(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, strings.Repeat("{\"text\":\"a\"}\n", 1<<16))
	z.Close()
	for _, in := range []string{
		"", "\n", "\xef\xbb\xbf{}", "{\"text\":\"a\"}\nno JSON\n{", "[{\"a\":1},\n{\"a\":2}] ",
		strings.Repeat("{\"text\":\"a\"}\n", 1<<16), packed.String(), packed.String() + packed.String(), "PAR1 no Parquet",
	} {
		var out bytes.Buffer
		if err := CopyInput(&out, strings.NewReader(in), "<stdin>", Options{MaxRecord: 1 << 10}); err != nil || out.String() != in {
			t.Errorf("%.40q: %v, copied %d of %d bytes", in, err, out.Len(), len(in))
		}
	}
}
