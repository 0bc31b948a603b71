package tool

import (
	"bufio"
	"errors"
	"strings"
	"testing"
)

func TestScreen(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"12\tname\n":                          "12\tname\n",
		"12\t\x1b]0;title\a\x7f\n\u009b2Jé\n": "12\t\\x1b]0;title\\a\\x7f\n\\u009b2Jé\n",
		"a\nb\x00\xff\r\x00last":              "a\nb\x00\\xff\\r\x00last",
	} {
		var got strings.Builder
		n, err := screen{&got}.Write([]byte(text))
		if got.String() != want || n != len(text) || err != nil {
			t.Errorf("%q: %q, %d, %v", text, got.String(), n, err)
		}
	}
	if n, err := (screen{full{}}).Write([]byte("name\n")); n != 0 || err != errFull {
		t.Error(n, err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// What goes elsewhere than to a terminal is not touched.
func TestLinesElsewhere(t *testing.T) {
	out := bufio.NewWriter(new(strings.Builder))
	e := &Env{Std: Std{Stdout: new(strings.Builder)}, Out: out}
	if e.Lines() != out {
		t.Error("lines are changed")
	}
}
