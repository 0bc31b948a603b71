package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestChanges(t *testing.T) {
	const source = `package x

import "os"

func f(n int) error {
	for i := 0; i < n; i++ {
		g(i)
		n -= 2
	}
	if n == 0 && n > 3 {
		return os.ErrClosed
	}
	func() { return }()
	return nil
}

func g(int) {}
`
	file := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changesOf(file) {
		got = append(got, strings.TrimPrefix(c.String(), file+":"))
		text := string(c.apply())
		if was := string(c.text[c.from:c.to]); len(text) != len(source)+len(c.with)-len(was) || !strings.Contains(text, c.with) {
			t.Errorf("%s gives %s", c, text)
		}
	}
	slices.Sort(got)
	want := []string{
		"10: negated: n == 0 && n > 3 -> !(n == 0 && n > 3)", "10: operator: && -> ||", "10: operator: == -> !=", "10: operator: > -> >=",
		"10: constant: 0 -> (0+1)", "10: constant: 3 -> (3+1)", "11: error dropped: os.ErrClosed -> nil", "13: removed: func() { return }() -> ",
		"6: constant: 0 -> (0+1)", "6: negated: i < n -> !(i < n)", "6: operator: < -> <=", "7: removed: g(i) -> ",
		"8: constant: 2 -> (2+1)", "8: removed: n -= 2 -> ",
	}
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], "-1)", "+1)") // a constant is increased or decreased, depending on its position
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
