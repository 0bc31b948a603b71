package jsonscan

import "testing"

// TestLayoutOf checks that LayoutOf finds only JSON that does not have one value per line.
func TestLayoutOf(t *testing.T) {
	for _, tc := range []struct {
		data string
		all  bool
		want Layout
	}{
		{"{\"a\":1}\n{\"a\":2}\n", true, OneByLine},
		{"[1]\n[2]\n", true, OneByLine},
		{"[{\"a\":1}]\n", true, ObjectArray},
		{"[{\"a\":1}]\n", false, OneByLine},
		{"\xef\xbb\xbf [\n{\"a\":1},\n{\"a\":2}]", true, ObjectArray},
		{"[{\"a\":1},{\"a\":", false, ObjectArray},
		{"{\n\"a\":1}\n", true, OverSeveral},
		{"{\"a\":1,\n{\"a\":2}\n", true, OneByLine}, // a truncated line
		{"{\"a\":\"x\n{\"a\":2}\n", true, OneByLine},
		{"{\"a\":\"long", false, OneByLine},
		{" [1,\n2]", true, OtherArray},
		{"[]", true, ObjectArray},
		{"[note] of a log\n", true, OneByLine},
		{"{x}\n", true, OneByLine},
		{"", true, OneByLine},
	} {
		if got := LayoutOf([]byte(tc.data), tc.all); got != tc.want {
			t.Errorf("%q: %v, want %v", tc.data, got, tc.want)
		}
	}
}
