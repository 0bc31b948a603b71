package jsonscan

import (
	"strings"
	"testing"
)

// TestKeysOf checks the paths that appendKeys lists for error messages.
func TestKeysOf(t *testing.T) {
	for object, want := range map[string]string{
		`{}`:                                  "",
		`[{"a":1}]`:                           "[].a",
		`[null]`:                              "",
		`{"a":[],"b":["x"],"c":[["x"]]}`:      "a b[] c",
		`null`:                                "",
		`{"a":1,"b":"x"}`:                     "a b",
		` { "a" : { "b" : 1 , "c" : [ ] } } `: "a.b a.c",
		`{"a":{},"b":[{"c":1},{"d":1}]}`:      "a b[].c",
		`{"m":[{"c":[{"t":{"u":1}}]}]}`:       "m[].c[].t",
		`{"a.b":{"c":1},"\u0064":2}`:          `a\.b.c d`,
		`{"a":{"b":{"c":{"d":1}}},"e":0}`:     "a.b.c e",
	} {
		if got := strings.Join(Keys([]byte(object)), " "); got != want {
			t.Errorf("%s: %q, want %q", object, got, want)
		}
	}
}
