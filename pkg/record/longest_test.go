package record

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

// A sizedForm writes a dataset whose records have given sizes.
type sizedForm struct {
	opt         Options
	begin, end  string
	first, last string // of a record, with the bytes of the record between them
	between     string // after each record but the last
	lines       int64  // number of lines of a record
	blank       bool   // blank lines are no records
}

var sizedForms = []sizedForm{
	{opt: Options{Lines: true}, between: "\n"},
	{opt: Options{Lines: true, Null: true}, between: "\x00"},
	{opt: Options{NoText: true}, first: `{"a":"`, last: `"}`, between: "\n", blank: true},
	{opt: Options{NoText: true}, first: `{"a":"`, last: `"}`, between: "\r\n", begin: "\ufeff", end: "\r\n", blank: true},
	{opt: Options{NoText: true}, begin: "[\n", first: `{"a":"`, last: `"}`, between: ",\n", end: "\n]\n"},
	{opt: Options{Fields: []string{"b"}, Dialect: Dialect{CSV: true}}, begin: "\ufeffa,b\n", first: "\"\n", last: "\",1", between: "\r\n", end: "\n", lines: 2, blank: true},
	{opt: Options{Dialect: Dialect{CSV: true, Separator: '\t'}}, begin: "a\tb\n", first: "x", last: "\ty", between: "\n"},
}

// transports returns the ways in which a text can reach a reader.
func transports(t *testing.T, text []byte) []Input {
	t.Helper()
	var gz bytes.Buffer
	w, _ := gzip.NewWriterLevel(&gz, gzip.BestSpeed)
	w.Write(text)
	w.Close()
	z, _ := zstd.NewWriter(nil)
	frames := z.EncodeAll(text[:len(text)/3], nil)
	frames = z.EncodeAll(text[len(text)/3:], frames)
	for name, data := range map[string][]byte{"plain": text, "gzip": gz.Bytes(), "zstd": frames} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []Input{{Names: []string{"plain"}}, {Names: []string{"gzip"}}, {Names: []string{"zstd"}, Jobs: 2},
		{Stdin: bytes.NewReader(text)}, {Stdin: iotest.HalfReader(bytes.NewReader(text))}}
}

// TestLongest checks that the size of a record alone decides whether it is left out or ends the run:
// records have sizes near the limits, and begin anywhere in the blocks.
func TestLongest(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		f := sizedForms[r.IntN(len(sizedForms))]
		f.opt.MaxRecord = []int64{20, 1000, blockSize / 2, blockSize - 1, blockSize, blockSize + 1, blockSize * 3 / 2}[r.IntN(7)]
		longest := max(f.opt.MaxRecord, blockSize)
		text, want := []byte(f.begin), []string{}
		line, end := int64(1+strings.Count(f.begin, "\n")), ""
		if f.begin == "[\n" {
			line = 1
		}
		for n := range 2 + r.IntN(14) {
			if n > 0 {
				text = append(text, f.between...)
			}
			near := []int64{9, 9, f.opt.MaxRecord, blockSize / 3, blockSize, longest}[r.IntN(6)]
			size := max(near+int64(r.IntN(7)-3), int64(len(f.first)+len(f.last)+1))
			blank := f.blank && r.IntN(5) == 0
			if blank {
				text = append(text, bytes.Repeat([]byte{' '}, int(size))...)
			} else {
				text = append(text, f.first...)
				text = append(text, bytes.Repeat([]byte{'x'}, int(size)-len(f.first)-len(f.last))...)
				text = append(text, f.last...)
			}
			switch {
			case end != "":
			case size > longest:
				end = fmt.Sprintf("f:%d: record of more than %d bytes", line, f.opt.MaxRecord)
			case !blank:
				want = append(want, fmt.Sprintf("%d %t", line, size > f.opt.MaxRecord))
			}
			if line++; !blank {
				line += max(f.lines, 1) - 1
			}
		}
		text = append(text, f.end...)
		for i, in := range transports(t, text) {
			in.Called = map[string]string{cmp.Or(strings.Join(in.Names, ""), "-"): "f"}
			rd, err := NewReader(in, f.opt)
			if err != nil {
				t.Fatal(err)
			}
			read := []func(*Reader, int, func(*Batch)) error{readAhead, readInTurn}[r.IntN(2)]
			got := []string{}
			err = read(rd, 1+r.IntN(4), func(b *Batch) {
				for i := range b.Records {
					rec := &b.Records[i]
					got = append(got, fmt.Sprintf("%d %t", rec.Line, rec.Err != nil))
				}
			})
			if !slices.Equal(got, want) || (err != nil || end != "") && fmt.Sprint(err) != end && err != io.EOF {
				t.Fatalf("seed %d, form %+v, transport %d, limit %d:\nrecords %v and %v\nwant    %v and %s", seed, f, i, f.opt.MaxRecord, got, err, want, end)
			}
		}
	}
}
