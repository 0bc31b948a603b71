package msg

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"fuzzy", "exact", "shared", "filter", "recsign", "threshold", "slots"}
	for typed, want := range map[string]string{
		"fuzy": "fuzzy", "fzuzy": "fuzzy", "exact-dedup": "exact", "treshold": "threshold", "sign": "recsign",
		"filters": "filter", "nothing": "", "": "", "slot": "slots", "x": "",
	} {
		if got := Nearest(typed, words); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for words, want := range map[[2]string]int{{"", ""}: 0, {"a", ""}: 1, {"", "ab"}: 2, {"ab", "ba"}: 1, {"kitten", "sitting"}: 3, {"abc", "abc"}: 0} {
		if got := distance(words[0], words[1]); got != want {
			t.Errorf("%q: %d, want %d", words, got, want)
		}
	}
}
