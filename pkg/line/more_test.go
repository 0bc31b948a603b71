package line

import (
	"math"
	"testing"

	"doppel/pkg/line/cell"
)

func TestKey(t *testing.T) {
	for _, c := range [][3]string{{"1f.2e", "1f", "2e"}, {"1f", "1f", ""}, {"", "", ""}} {
		k := Key{Text: []byte(c[0])}
		if string(k.Bucket()) != c[1] || string(k.Digest()) != c[2] {
			t.Errorf("%q: bucket %q, digest %q", c[0], k.Bucket(), k.Digest())
		}
	}
}

// TestParseRaw checks that ParseRaw does not unescape columns.
func TestParseRaw(t *testing.T) {
	for _, c := range [][3]string{
		{"k\ta\nb", "k", "a\nb"},
		{"k\t7\ta\tb", "k", "a\tb"},
		{"k\t07\ta", "k", "07\ta"},
		{"k\t7", "k", "7"},
		{"k\t" + `a\tb`, "k", `a\tb`},
		{`{"key":"k","id":"a\tb"}`, "k", "a\tb"},
	} {
		var k Key
		if err := k.ParseRaw([]byte(c[0])); err != nil || string(k.Text) != c[1] || string(k.ID) != c[2] {
			t.Errorf("%q: %q, %q, %v", c[0], k.Text, k.ID, err)
		}
	}
	if err := new(Key).ParseRaw([]byte("k")); err == nil {
		t.Error("one column: no error")
	}
}

// TestNull checks that Append with Null does not escape columns.
func TestNull(t *testing.T) {
	if got, want := string(Pair{[]byte("a\nb"), []byte(`\`)}.Append(nil, Format{Null: true})), "a\nb\t\\\x00"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestColumn(t *testing.T) {
	for _, c := range []struct {
		line string
		n    int
		want string
	}{
		{`a\tb` + "\tc", 1, "a\tb"},
		{"a\tb", 2, "b"},
		{"", 1, ""},
		{`{"x":"a","y":2}`, 2, "2"},
		{"{6B29FC40-CA47}", 1, "{6B29FC40-CA47}"},
	} {
		if got, err := Column([]byte(c.line), c.n); err != nil || string(got) != c.want {
			t.Errorf("%q: %q, %v", c.line, got, err)
		}
	}
	for _, c := range [][2]string{
		{"a", "want 2 columns, found 1"}, {`{"x":1}`, "want 2 columns, found 1"}, {`{"x":1,"y":[]}`, "want a string or a number"},
	} {
		if _, err := Column([]byte(c[0]), 2); err == nil || err.Error() != c[1] {
			t.Errorf("%q: %v, want %s", c[0], err, c[1])
		}
	}
}

func TestNumber(t *testing.T) {
	if v, ok := cell.Float(0.85).Float(); v != 0.85 || !ok || string(cell.Float(0.85).Append(nil)) != "0.8500" {
		t.Errorf("%v, %v", v, ok)
	}
	for _, n := range []cell.Number{{}, cell.Float(math.NaN())} {
		if _, ok := n.Float(); ok || len(n.Append(nil)) > 0 {
			t.Errorf("%v is a number", n)
		}
	}
}

func TestWriter(t *testing.T) {
	for f, want := range map[Format]string{
		{}: "> a\\tb\t7\t+Inf\t-\n", {Null: true}: "> a\tb\t7\t+Inf\t-\x00", {JSON: true}: `> {"id":"a\tb","n":7,"x":null,"y":null}` + "\n",
	} {
		w := f.Begin([]byte("> "))
		w.Bytes("id", []byte("a\tb"))
		w.Int("n", 7)
		w.Float("x", math.Inf(1))
		w.None("y")
		if got := string(w.End()); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestHeader(t *testing.T) {
	if got, want := string(Match{}.Append(nil, Format{Names: true})), "1.filename\t2.filename\t1.startOffset\t1.endOffset\t2.startOffset\t2.endOffset\ttext\tsize\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAllocs checks that Append and Parse do not allocate for lines without escapes.
func TestAllocs(t *testing.T) {
	var dst []byte
	s := Signature{ID: []byte("17"), Scheme: []byte("exact/x"), Body: []byte("AAAA")}
	d := Decision{Drop, []byte("1"), []byte("2"), cell.Float(0.5), []byte("duplicate"), cell.Number{}, 0}
	score := Score{ab, 0.5, true, 1, 1, 2, 2, true}
	score.B = []byte("b")
	for _, f := range []Format{{}, {JSON: true}} {
		if n := testing.AllocsPerRun(100, func() {
			dst = s.Append(dst[:0], f)
			_ = new(Signature).Parse(dst[:len(dst)-1])
			dst = d.Append(dst[:0], f)
			_ = new(Decision).Parse(dst[:len(dst)-1])
			dst = score.Append(dst[:0], f)
			_ = new(Score).Parse(dst[:len(dst)-1])
		}); n > 0 {
			t.Errorf("%+v: %v allocations", f, n)
		}
	}
}
