package mailbox

import (
	"os"
	"testing"
)

// TestSequences checks which lines change when messages are removed.
func TestSequences(t *testing.T) {
	gone := map[string]bool{"2": true, "3": true, "9": true}
	for text, want := range map[string]string{
		"unseen: 1-4 6 9\ncur: 2\n": "unseen: 1 4 6\n",
		"a: 4 5\nb: 8-10\n":         "a: 4 5\nb: 8 10\n",
		"a:  7\nb: 2-3":             "a:  7\n",
		"a: x\nb: 2\n":              "a: x\nb: 2\n",
		"a: 5-1\nb: 2\n":            "a: 5-1\nb: 2\n",
		"":                          "",
	} {
		t.Chdir(t.TempDir())
		check(t, os.WriteFile(sequencesFile, []byte(text), 0o640))
		err := readSequences(".").remove(gone)
		if got := read(t, sequencesFile); got != want || err != nil != (len(text) > 0 && got == text) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
		if all := names(t, "."); len(all) != 1 {
			t.Errorf("%q", all)
		}
	}
	if err := readSequences("none").remove(gone); err != nil {
		t.Error(err)
	}
}

// FuzzNumbers checks that a list of numbers that is written is read as the same numbers.
func FuzzNumbers(f *testing.F) {
	f.Add("1 3-5 9")
	f.Fuzz(func(t *testing.T, list string) {
		all, ok := numbers(list)
		if !ok || len(all) == 0 {
			return
		}
		again, ok := numbers(string(formatNumbers(all)))
		if !ok || len(again) != len(all) {
			t.Errorf("%q: %v, then %v", list, all, again)
		}
	})
}
