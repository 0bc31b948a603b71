package recsieve

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"doppel/pkg/record"
)

// batchOf reads and decodes the first batch of the input.
func batchOf(t *testing.T, in record.Input, opt record.Options) *record.Batch {
	t.Helper()
	rd, err := record.NewReader(in, opt)
	if err != nil {
		t.Fatal(err)
	}
	b := new(record.Batch)
	if err := rd.Next(b); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	b.Decode()
	return b
}

// The stored parts of a record are read back unchanged, whether the input is a file or a stream.
// Records are stored as positions only if the input is a file.
func TestStore(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = `{"id":"a","text":"o\u006ee"}` + "\n" + `{"id":"b","text":""}` + "\n"
	if err := os.WriteFile("data", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []record.Options{{Fields: []string{"text"}, ID: "id"}, {Lines: true}} {
		for _, in := range []record.Input{{Names: []string{"data"}}, {Stdin: strings.NewReader(text)}} {
			s, err := newStore(opt, nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			b := batchOf(t, in, opt)
			var places []int64
			for i := range b.Records {
				for _, parts := range []part{0, withText, withText | withRaw} {
					at, err := s.add(b, &b.Records[i], parts, nil)
					if err != nil {
						t.Fatal(err)
					}
					places = append(places, at)
				}
			}
			s.addLeader(places[2], &b.Records[0])
			for range 2 { // before and after flush
				if got, err := s.text(nil, 0); string(got) != string(b.Records[0].Text) || err != nil {
					t.Errorf("%v: text %q, %v", in.Names, got, err)
				}
				if err := s.flush(); err != nil {
					t.Fatal(err)
				}
			}
			for _, window := range []int64{0, 1 << 10} {
				r := s.reader(window)
				for i, at := range places {
					var x entry
					rec, parts := b.Records[i/3], part(i%3)
					err := r.read(&x, at)
					if err != nil || x.ordinal != rec.Ordinal || !bytes.Equal(x.id, rec.ID) ||
						parts > 0 && !bytes.Equal(x.text, rec.Text) || parts > withText && !bytes.Equal(x.raw, rec.Raw) {
						t.Errorf("%v: entry %d: %+v, %v, want %+v", in.Names, i, x, err, rec)
					}
				}
			}
			if placed := len(s.files) > 0; placed != (in.Names != nil) {
				t.Errorf("%v: kept by places: %t", in.Names, placed)
			}
			s.close()
		}
	}
}

// If an input file is replaced before a record of it is stored, the store returns the record of the
// old file. If the file is changed after that, reading the record is an error.
func TestChangedFile(t *testing.T) {
	t.Chdir(t.TempDir())
	opt := record.Options{Fields: []string{"text"}}
	for _, replaced := range []bool{true, false} {
		if err := os.WriteFile("data", []byte(`{"text":"one"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		b := batchOf(t, record.Input{Names: []string{"data"}}, opt)
		s, err := newStore(opt, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if replaced {
			if err := os.WriteFile("new", []byte(`{"text":"two"}`), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename("new", "data"); err != nil {
				t.Fatal(err)
			}
		}
		at, err := s.add(b, &b.Records[0], withText, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.addLeader(at, &b.Records[0])
		if err := s.flush(); err != nil {
			t.Fatal(err)
		}
		if !replaced {
			if err := os.WriteFile("data", []byte(`{"text":`), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.text(nil, 0)
		if replaced && (string(got) != "one" || err != nil) || !replaced && (err == nil || !strings.HasPrefix(err.Error(), "data: changed while it was read: ")) {
			t.Errorf("replaced %t: %q, %v", replaced, got, err)
		}
		s.close()
	}
}

// TestStoreOfManyRecords checks the records of a stream in several scratch files, and those that are
// longer than a piece.
func TestStoreOfManyRecords(t *testing.T) {
	var in bytes.Buffer
	for i := range 60 {
		in.WriteString(strings.Repeat(strconv.Itoa(i), 1+i*i*i*(1+i%7)/2))
		in.WriteByte('\n')
	}
	opt := record.Options{Lines: true}
	s, err := newStore(opt, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	rd, err := record.NewReader(record.Input{Stdin: &in}, opt)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for {
		b := new(record.Batch)
		if err := rd.Next(b); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		b.Decode()
		for i := range b.Records {
			at, err := s.add(b, &b.Records[i], withText, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.addLeader(at, &b.Records[i])
			want = append(want, string(b.Records[i].Text))
		}
		if err := s.flush(); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range want {
		if got, err := s.text(nil, uint32(i)); string(got) != text || err != nil {
			t.Errorf("record %d: %d bytes, want %d; %v", i, len(got), len(text), err)
		}
	}
	if len(want) != 60 || s.log.Len() < 10*writeSize {
		t.Errorf("%d records of %d bytes: not enough is tested", len(want), s.log.Len())
	}
}
