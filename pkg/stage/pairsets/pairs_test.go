package pairsets

import (
	"errors"
	"io"
	"slices"
	"testing"
)

func TestPairs(t *testing.T) {
	for _, tc := range []struct {
		lines    []string
		distinct bool
		want     [][2]uint32
		err      string
	}{
		{lines: nil},
		{lines: []string{"a\tb", "a\tc", "b\ta\t0.5", "\t"}, want: [][2]uint32{{0, 1}, {0, 2}, {1, 0}, {3, 3}}},
		{lines: []string{`{"a":"x","b":"y"}`, "y\tx"}, distinct: true, want: [][2]uint32{{0, 1}, {1, 0}}},
		{lines: []string{"a\ta"}, want: [][2]uint32{{0, 0}}},
		{lines: []string{"a\ta", "a\tb"}, distinct: true, want: [][2]uint32{{0, 1}}, err: `"a" is paired with itself`},
		{lines: []string{"a"}, err: "want the columns a b, found 1 of 2"},
	} {
		p := &Pairs{Distinct: tc.distinct}
		var errs error
		for _, line := range tc.lines {
			errs = errors.Join(errs, p.addLine([]byte(line)))
		}
		if tc.err == "" && errs != nil || tc.err != "" && (errs == nil || errs.Error() != tc.err) {
			t.Errorf("%q: %v, want %s", tc.lines, errs, tc.err)
		}
		p.flush()
		var got [][2]uint32
		err := p.Each(func(a, b uint32) error { got = append(got, [2]uint32{a, b}); return nil })
		if !slices.Equal(got, tc.want) || err != nil || p.Len() != int64(len(tc.want)) {
			t.Errorf("%q: %v, %v, want %v", tc.lines, got, err, tc.want)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestReader(t *testing.T) {
	p := &Pairs{}
	for range 3 {
		p.addLine([]byte("a\tb"))
	}
	p.flush()
	read, buf := p.Reader(), make([][1]uint64, 2)
	for _, want := range []int{2, 1} {
		if n, err := read(buf); n != want || err != nil || buf[0][0] != 1 {
			t.Errorf("%d pairs, %v, want %d", n, err, want)
		}
	}
	if _, err := read(buf); err != io.EOF {
		t.Error(err)
	}
}

func TestMissing(t *testing.T) {
	p := &Pairs{}
	p.addLine([]byte("x\ty"))
	if err := p.Missing(func(uint32) bool { return true }, "records"); err != nil {
		t.Error(err)
	}
	err := p.Missing(func(n uint32) bool { return n == 0 }, "records")
	if want := `1 id of the pairs is not among the records, such as "y"`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
