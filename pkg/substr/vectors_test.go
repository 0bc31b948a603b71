package substr

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDifflibVectors compares Difflib and Blocks with the difflib of Python 3. Each row of
// difflib.tsv holds the value of autojunk (0 or 1), two texts, and the blocks.
func TestDifflibVectors(t *testing.T) {
	text, err := os.ReadFile("../../testdata/vectors/difflib.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		a, b := []rune(row[1]), []rune(row[2])
		got := Difflib(a, b)
		if row[0] == "0" {
			got = Blocks(a, b, 1)
		}
		if s := spell(got); s != row[3] {
			t.Errorf("autojunk %s, %q, %q: got %s, want %s", row[0], row[1], row[2], s, row[3])
		}
		rows++
	}
	if rows < 50 {
		t.Errorf("only %d rows", rows)
	}
}

func spell(matches []Match) string {
	var words []string
	for _, m := range matches {
		words = append(words, fmt.Sprintf("%d,%d,%d", m.A, m.B, m.Size))
	}
	return strings.Join(words, " ")
}
