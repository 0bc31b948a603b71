package jsonstr

import (
	"encoding/json"
	"fmt"
	"testing"
	"unicode/utf8"
)

// TestAppend checks that each byte survives a round trip, and that bytes that are not
// UTF-8 become lone surrogates.
func TestAppend(t *testing.T) {
	for c := range 256 {
		got := string(Append(nil, []byte{'<', byte(c), '>'}))
		var back string
		switch err := json.Unmarshal([]byte(got), &back); {
		case c < utf8.RuneSelf && (err != nil || back != string([]byte{'<', byte(c), '>'})):
			t.Errorf("%#x is written as %s, which is %q, %v", c, got, back, err)
		case c >= utf8.RuneSelf && got != fmt.Sprintf(`"<\u%04x>"`, 0xdc00+c):
			t.Errorf("%#x is written as %s", c, got)
		}
	}
}
