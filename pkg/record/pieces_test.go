package record

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"doppel/pkg/par"
)

// lineParts are the parts of random files of lines, and objectParts those of JSON lines.
var (
	lineParts   = []string{"\n", "\n", "\r\n", " ", "\t", "\r", "\x00", "{}", "[1]\n", "a", "\"text\"", strings.Repeat("long ", 9), "\n\n\n", "{}\n{}\n", "\ufeff"}
	objectParts = []string{"{}\n", "{}\r\n", "\n", " \t\r\n", " {} \n", `{"text":"` + strings.Repeat("long ", 9) + "\"}\n", "{\"a\":[]}\n"}
)

// A modelRecord is what a reader must say about a record.
type modelRecord struct {
	raw, name             string
	line, ordinal, offset int64
}

// modelOf returns the records of files of lines, by splitting their texts, and the error of the
// last line, if a line end is wanted there.
func modelOf(names, texts []string, opt Options) (all []modelRecord, end string) {
	for i, text := range texts {
		sep, whole := "\n", text
		if opt.Null {
			sep = "\x00"
		}
		offset, line := int64(0), int64(0)
		if cut, ok := strings.CutPrefix(text, "\ufeff"); ok {
			text, offset = cut, 3
		}
		for len(text) > 0 {
			raw, rest, _ := strings.Cut(text, sep)
			at := offset
			offset += int64(len(text) - len(rest))
			line++
			text = rest
			if !opt.Null {
				raw = strings.TrimSuffix(raw, "\r")
			}
			if opt.Lines || strings.Trim(raw, " \t\r") != "" {
				all = append(all, modelRecord{raw, names[i], line, int64(len(all)), at})
			}
		}
		if opt.Ended && whole != "" && !strings.HasSuffix(whole, sep) {
			return all, fmt.Sprintf("%s:%d: the last line has no line end", names[i], line)
		}
	}
	return all, ""
}

// readAhead reads all records with several goroutines, and calls fn with each batch, in order.
func readAhead(rd *Reader, jobs int, fn func(*Batch)) error {
	next := func() (*Batch, error) {
		b := new(Batch)
		return b, rd.Ahead(b)
	}
	work := func() func(*Batch) *Batch {
		return func(b *Batch) *Batch {
			b.Decode()
			return b
		}
	}
	return par.Ordered(jobs, next, work, func(b *Batch) error {
		fn(b)
		return b.Cut
	})
}

// readInTurn is like readAhead, with Next.
func readInTurn(rd *Reader, _ int, fn func(*Batch)) error {
	var b Batch
	for {
		if err := rd.Next(&b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		b.Decode()
		fn(&b)
	}
}

// randomText returns a text of random parts. It has no lone CRs, which the reader rejects.
func randomText(r *rand.Rand, parts []string) string {
	for {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		if text := b.String(); !loneCR([]byte(text)) {
			return text
		}
	}
}

// TestRandomLines compares the lines, ordinals and offsets of random files, in pieces of random
// sizes, with a model that splits texts. The pieces are ranges of files, or read from a stream.
func TestRandomLines(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		opt, parts := Options{Lines: true, Null: r.IntN(3) == 0, Ended: r.IntN(3) == 0}, lineParts
		if r.IntN(2) == 0 {
			opt, parts = Options{NoText: true}, objectParts
		}
		var names, texts []string
		for i := range 1 + r.IntN(3) {
			names, texts = append(names, fmt.Sprint("f", i)), append(texts, randomText(r, parts))
			if err := os.WriteFile(names[i], []byte(texts[i]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		read := []func(*Reader, int, func(*Batch)) error{readAhead, readInTurn}[r.IntN(2)]
		in := Input{Names: names, Meter: new(Meter)}
		in.Meter.Expect(&in)
		check := func(in Input, names, texts []string) {
			rd, err := NewReader(in, opt)
			if err != nil {
				t.Fatal(err)
			}
			rd.block = 1 + r.IntN(40)
			want, end := modelOf(names, texts, opt)
			got := 0
			err = read(rd, 1+r.IntN(4), func(b *Batch) {
				for i := range b.Records {
					rec := &b.Records[i]
					f, at := b.Place(rec)
					is := modelRecord{string(rec.Raw), rec.Name, rec.Line, rec.Ordinal, at}
					if got < len(want) && f == nil {
						is.offset = want[got].offset
					}
					if got >= len(want) || is != want[got] || (f == nil) != (in.Stdin != nil) {
						t.Fatalf("seed %d: record %+v, want %+v", seed, is, want[min(got, len(want)):][:1])
					}
					got++
				}
			})
			if got != len(want) || end == "" && err != nil || end != "" && (err == nil || !strings.HasPrefix(err.Error(), end)) {
				t.Fatalf("seed %d: %d records and %v, want %d and %q", seed, got, err, len(want), end)
			}
		}
		check(in, names, texts)
		if n, all, _ := in.Meter.Far(); n != all && !opt.Ended {
			t.Errorf("seed %d: the meter counts %d bytes, want %d", seed, n, all)
		}
		check(Input{Stdin: strings.NewReader(texts[0]), Called: map[string]string{"-": names[0]}}, names[:1], texts[:1])
	}
}

// TestAheadFails checks in pieces of different sizes that a line of more than the maximum ends
// the records at its own number.
func TestAheadFails(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "{}\n\n{}\n" + strings.Repeat("{}", 100) + "\n{}\n"
	if err := os.WriteFile("f", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, read := range []func(*Reader, int, func(*Batch)) error{readAhead, readInTurn} {
		for block := 1; block < 60; block++ {
			rd, err := NewReader(Input{Names: []string{"f", "f"}}, Options{Lines: true, MaxRecord: 100})
			if err != nil {
				t.Fatal(err)
			}
			rd.block, rd.longest = block, 100
			records := int64(0)
			err = read(rd, 3, func(b *Batch) { records += int64(len(b.Records)) })
			if want := "f:4: record of more than 100 bytes"; records != 3 || err == nil || err.Error() != want {
				t.Errorf("blocks of %d: %d records, %v", block, records, err)
			}
		}
	}
}
