package main

import "testing"

func TestFirstDifference(t *testing.T) {
	const code = "package p\n\n// a says\nfunc a() int { return 1 } // one\n\nvar s = \"a\"\n"
	for _, c := range []struct {
		after   string
		strings bool
		want    int
	}{
		{code, false, 0},
		{"package p\n\nfunc a() int { return 1 }\n\n/* s is\nlong */\nvar s = \"a\"\n", false, 0},
		{"package p\n\nfunc a() int { return 2 }\n\nvar s = \"a\"\n", false, 3},
		{"package p\n\nfunc a() int { return 1 }\n\nvar s = \"b\"\n", false, 5},
		{"package p\n\nfunc a() int { return 1 }\n\nvar s = \"b\"\n", true, 0},
		{"package p\n\n//go:noinline\nfunc a() int { return 1 }\n\nvar s = \"a\"\n", false, 3},
		{"package p\n\nfunc a() int { return 1 }\n", false, 4},
	} {
		if got := firstDifference([]byte(code), []byte(c.after), c.strings); got != c.want {
			t.Errorf("strings %v: line %d, want %d, of\n%s", c.strings, got, c.want, c.after)
		}
	}
}
