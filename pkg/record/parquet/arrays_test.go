package parquet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/write"
)

// textsOf returns one string per record. Each string consists of the number of absent values, the
// text, and the ends of the fields in the text. For a record with an error, the string is "an
// error". If reading the input fails, so does the test.
func textsOf(t *testing.T, in record.Input, fields ...string) (all []string) {
	t.Helper()
	rd, err := record.NewReader(in, record.Options{Fields: fields})
	if err != nil {
		t.Fatal(err)
	}
	var b record.Batch
	for {
		if err := rd.Next(&b); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatalf("%q: %v", fields, err)
		}
		b.Decode()
		for _, rec := range b.Records {
			if rec.Err != nil {
				all = append(all, "an error")
			} else {
				all = append(all, fmt.Sprintf("%d %q %v", rec.Absent, rec.Text, rec.Ends))
			}
		}
	}
}

// checkTexts compares the texts of a file with the texts of the same rows written as JSON lines.
func checkTexts(t *testing.T, f *os.File, fields ...string) {
	t.Helper()
	var lines bytes.Buffer
	if err := writeLines(&lines, []*os.File{f}, write.Selection{Keep: drops["none"]}); err != nil {
		t.Fatal(err)
	}
	want := textsOf(t, record.Input{Stdin: &lines}, fields...)
	if d := cmp.Diff(want, textsOf(t, record.Input{Names: []string{f.Name()}}, fields...)); d != "" {
		t.Errorf("%s: %q: %s", f.Name(), fields, d)
	}
}

// TestPeerLists compares the texts of lists in the files of all writers with the texts of the same
// rows written as JSON lines.
func TestPeerLists(t *testing.T) {
	for _, p := range peers(t) {
		for field, column := range map[string]string{"turns[].text": "turns", "turns[1].role": "turns", "turns[].ok": "turns", "tags[]": "tags", "tags[2]": "tags"} {
			if slices.Contains(p.columns, column) && p.rows > 0 {
				checkTexts(t, mustOpen(t, p.name), field)
			}
		}
		if slices.Contains(p.columns, "turns") && slices.Contains(p.columns, "lang") && p.rows > 0 {
			checkTexts(t, mustOpen(t, p.name), "turns[].role", "lang", "turns[0].text")
		}
	}
}

// drawValue returns a random value of a shape, in which "s" is a text, "[…]" is an array, and "c"
// and "d" are members of an object.
func drawValue(r *rand.Rand, shape string) any {
	if r.IntN(6) == 0 {
		return nil
	}
	switch {
	case shape == "s":
		return strings.Repeat("text \n", r.IntN(3)) + fmt.Sprint(r.IntN(9))
	case shape[0] == '[':
		array := make([]any, r.IntN(4))
		for i := range array {
			array[i] = drawValue(r, shape[1:len(shape)-1])
		}
		return array
	}
	object := map[string]any{"d": r.IntN(9)}
	if r.IntN(6) > 0 {
		object["c"] = drawValue(r, shape[1:])
	}
	return object
}

// TestLists compares the texts of random lists with the texts of the same rows written as JSON
// lines.
func TestLists(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for shape, fields := range map[string][]string{
		"[s]":     {"m[]", "m[0]", "m[2]"},
		"[cs]":    {"m[].c", "m[1].c", "m[].d"},
		"[c[s]]":  {"m[].c[]", "m[1].c[]", "m[].c[0]", "m[0].c[1]"},
		"[[s]]":   {"m[][]", "m[1][]", "m[][1]", "m[0][2]"},
		"[[[s]]]": {"m[][][]", "m[][1][]", "m[1][][0]"},
		"c[cs]":   {"m.c[].c", "m.c[3].d"},
	} {
		name := filepath.Join(t.TempDir(), "lists.parquet")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w := convert.NewLineWriter(f, &pq.Zstd, 2)
		for range 700 {
			line, err := json.Marshal(map[string]any{"m": drawValue(r, shape), "id": 1})
			if err == nil {
				err = w.WriteLine(line)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for _, field := range fields {
			checkTexts(t, f, field)
		}
	}
}

type chat struct {
	ID    int64  `parquet:"id"`
	Turns []turn `parquet:"turns"` // a repeated field, not a Parquet list
	Old   []turn `parquet:"old,list"`
}

type turn struct {
	Role string  `parquet:"role,dict"`
	Text *string `parquet:"text,optional"`
}

// TestListRuns checks that a column of lists can be read starting at any row, and that a run
// contains all values of its last row even if a page ends within that row.
func TestListRuns(t *testing.T) {
	var all []chat
	for i := range 3000 {
		c := chat{ID: int64(i)}
		for k := range (i * 7) % 5 {
			text := fmt.Sprintf("turn %d.%d %s", i, k, strings.Repeat("and so on ", i%200))
			c.Turns = append(c.Turns, turn{[]string{"user", "bot"}[k%2], &text})
			c.Old = append(c.Old, turn{"x", nil})
		}
		all = append(all, c)
	}
	for _, version := range []int{1, 2} {
		name := filepath.Join(t.TempDir(), "chats.parquet")
		f := writeFlats(t, name, all, 1700, pq.DataPageVersion(version), pq.PageBufferSize(3000))
		bare := mustOpen(t, withoutIndex(t, mustOpen(t, name)))
		for _, field := range []string{"turns[].text", "turns[].role", "turns[2].text", "old[].text"} {
			checkTexts(t, f, field)
			checkTexts(t, bare, field)
		}
		file := openFiles(t, f)[0]
		c, err := findColumn(file, "turns[].text", "--field")
		if err != nil {
			t.Fatal(err)
		}
		g := file.Groups[0]
		for _, span := range [][2]int64{{0, 1}, {1, 1}, {999, 500}, {1699, 1}, {3, 1697}} {
			row := span[0] - 1
			err := g.Values(c.index, span[0], span[1], func(values []pq.Value) error {
				for _, v := range values {
					if v.RepetitionLevel() == 0 {
						row++
					}
					if want := fmt.Sprintf("turn %d.", row); !v.IsNull() && !strings.HasPrefix(v.String(), want) {
						return fmt.Errorf("%q in row %d", v.String(), row)
					}
				}
				return nil
			})
			if err != nil || row != span[0]+span[1]-1 {
				t.Errorf("version %d, rows %v: %v, up to row %d", version, span, err, row)
			}
		}
		if err := g.Values(c.index, 1000, 701, func([]pq.Value) error { return nil }); err != io.ErrUnexpectedEOF {
			t.Errorf("more rows than there are: %v", err)
		}
	}
}

// TestListErrors checks the error messages for paths that do not lead to texts, numbers or
// booleans.
func TestListErrors(t *testing.T) {
	f := mustOpen(t, "testdata/peers/pyarrow-plain.parquet")
	file := openFiles(t, f)[0]
	for field, want := range map[string]string{
		"turns":        `field "turns" is an array, not a string.*"\[\]\.role", .*; give a longer path, such as turns\[\]\.role`,
		"turns[]":      `field "turns\[\]" is an object, not a string.*"role", "ok", "text"; give a longer path, such as turns\[\]\.role`,
		"tags":         `field "tags" is an array.*"\[\]"; give a longer path, such as tags\[\]`,
		"turns.text":   `no field "turns.text"`,
		"turns[].x":    `no field "turns\[\]\.x"`,
		"text[0]":      `field "text\[0\]" leads into a value, not an array`,
		"meta[].text":  `field "meta\[\]\.text" leads into an object, not an array`,
		"turns[][].ok": `leads into an object, not an array`,
		"counts":       `field "counts" is an object`,
	} {
		_, err := findColumn(file, field, "--field")
		if err == nil {
			t.Errorf("%s is a column", field)
			continue
		}
		text := err.Error()
		if hint, ok := err.(interface{ Hint() string }); ok {
			text += " " + hint.Hint()
		}
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s: %s, want %s", field, text, want)
		}
	}
	if _, err := cutsOf(nil, file, &write.Cuts{Field: "tags[]"}); err == nil {
		t.Error("parts are cut out of joined texts")
	}
}
