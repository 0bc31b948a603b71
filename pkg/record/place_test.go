package record

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// TestPlace checks that a record of an uncompressed file can be reread at the offset that Place
// returns, and that Place returns no file for other inputs.
func TestPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	long := `{"text":"` + strings.Repeat("long ", 3*pieceBytes/5) + `"}`
	for name, text := range map[string]string{
		"lines": "\ufeff{\"text\":\"one\"}\r\n\n  \n{\"text\":\"t\\u0077o\\n\"}\n{\"text\":3}\n" + long + "\n{\"text\":\"end\"}",
		"many":  strings.Repeat(`{"text":"one of many \t lines"}`+"\n", 50_000),
		"empty": "",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, opt := range []Options{{Fields: []string{"text"}}, {Lines: true}} {
			d, err := NewDecoder(opt)
			if err != nil {
				t.Fatal(err)
			}
			records := 0
			eachBatchOf(t, Input{Names: []string{name}}, opt, func(b *Batch) {
				for i := range b.Records {
					rec := &b.Records[i]
					f, at := b.Place(rec)
					raw := text[at:][:len(rec.Raw)]
					got, err := d.Text([]byte(raw))
					if f.Name != name || raw != string(rec.Raw) || err != nil || !bytes.Equal(got, rec.Text) {
						t.Errorf("%s: record %d at %d: %.40q, want %.40q, %v", name, rec.Ordinal, at, got, rec.Text, err)
					}
					records++
				}
			})
			if records == 0 && name != "empty" {
				t.Errorf("%s: no records", name)
			}
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "{}\n")
	z.Close()
	if err := os.WriteFile("packed", packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, in := range []Input{{Names: []string{"packed"}}, {Stdin: strings.NewReader("{}\n")}} {
		eachBatchOf(t, in, Options{}, func(b *Batch) {
			if f, _ := b.Place(&b.Records[0]); f != nil {
				t.Errorf("%v has places", in.Names)
			}
		})
	}
	if _, err := NewDecoder(Options{Fields: []string{"a", "a"}}); err == nil {
		t.Error("a field that is named twice: no error")
	}
}

func eachBatchOf(t *testing.T, in Input, opt Options, fn func(*Batch)) {
	t.Helper()
	rd, err := NewReader(in, opt)
	if err != nil {
		t.Fatal(err)
	}
	for {
		var b Batch
		if err := rd.Next(&b); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		b.Decode()
		fn(&b)
	}
}
