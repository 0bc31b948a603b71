package tsv

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestEscape(t *testing.T) {
	for _, tc := range [][2]string{{"", ""}, {"a b", "a b"}, {"a\tb\n", `a\tb\n`}, {`\`, `\\`}, {"\r\\n", `\r\\n`}, {"\xff\x00", "\xff\x00"}} {
		if got := string(AppendEscaped(nil, []byte(tc[0]))); got != tc[1] {
			t.Errorf("%q escapes to %q, want %q", tc[0], got, tc[1])
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte("a\tb\\n\n\r\xff"))
	f.Fuzz(func(t *testing.T, v []byte) {
		line := AppendEscaped(nil, v)
		if bytes.ContainsAny(line, "\t\n\r") {
			t.Errorf("%q escapes to %q", v, line)
		}
		if got := Unescape(line); !bytes.Equal(got, v) {
			t.Errorf("%q comes back as %q", v, got)
		}
	})
}

func FuzzAppendJSON(f *testing.F) {
	f.Add([]byte("a\"\\\x01\n\u2028\xff"))
	f.Fuzz(func(t *testing.T, v []byte) {
		text := AppendJSON(nil, v)
		var got string
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if utf8.Valid(v) && got != string(v) {
			t.Errorf("%q comes back as %q", v, got)
		}
	})
}

func TestEncoder(t *testing.T) {
	write := func(e *Encoder) string {
		e.Begin([]byte("> "))
		e.Word("drop")
		e.Bytes([]byte("a\tb"))
		e.None()
		e.Float(0.5)
		e.Column([]byte(`x\ty`))
		return string(e.End())
	}
	got := []string{
		write(&Encoder{Stream: Decisions}),
		write(&Encoder{Stream: Decisions, Null: true}),
		write(&Encoder{Stream: Decisions, JSON: true}),
	}
	want := []string{
		"> drop\ta\\tb\t-\t0.5000\tx\\ty\n",
		"> drop\ta\tb\t-\t0.5000\tx\\ty\x00",
		`> {"verdict":"drop","id":"a\tb","kept":null,"score":0.5000,"reason":"x\ty"}` + "\n",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestColumns(t *testing.T) {
	if _, err := Keys.Columns(nil, []byte("one")); err == nil {
		t.Error("one column is no error")
	}
	got, err := Keys.Columns(nil, []byte("k\ti\tmore"))
	if err != nil || len(got) != 3 || string(got[2]) != "more" {
		t.Errorf("%q, %v", got, err)
	}
}
