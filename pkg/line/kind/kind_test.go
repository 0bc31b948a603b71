package kind_test

import (
	"os"
	"path/filepath"
	"testing"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/kind"
)

// TestOf checks that the kinds of lines are told from one another, in both formats.
func TestOf(t *testing.T) {
	type row interface {
		Append([]byte, line.Format) []byte
	}
	pair := line.Pair{A: []byte("0"), B: []byte("a.jsonl:1")}
	for _, tc := range []struct {
		row  row
		want string
	}{
		{line.Signature{ID: []byte("0"), Scheme: []byte("exact/xxh3-128/text/none"), Body: []byte("6ed3")}, "signatures"},
		{line.Decision{Verdict: line.Drop, ID: []byte("1"), Kept: []byte("0"), Score: cell.Float(1), Rule: []byte("duplicate")}, "decisions"},
		{line.Decision{Verdict: line.Keep, ID: []byte("1"), Rule: []byte("best")}, "decisions"},
		{line.Score{Pair: pair, Score: .75}, "scored pairs"},
		{line.Score{Pair: pair, Score: 1, Sized: true, SizeA: 3, SizeB: 4}, "scored pairs"},
		{line.Key{Text: []byte("00000064ef7e9312.e6cd6911da5240ef"), ID: []byte("0")}, "keys"},
		{pair, ""},
	} {
		for _, json := range []bool{false, true} {
			if text := tc.row.Append(nil, line.Format{JSON: json}); kind.Of(text) != tc.want {
				t.Errorf("%s: %q, want %q", text, kind.Of(text), tc.want)
			}
		}
	}
	for text, want := range map[string]string{
		"1\t2\tkeep\t3\t-\ta b c": "groups", `{"group":1,"size":2,"kept":"3","members":[]}`: "groups",
		"0\t1\t0\t9\t0\t9\ta b c d e\t9": "matches", "26bd00d360ca6f41\t350\trec.jsonl": "hashes of files",
		"one two": "", `{"id":"0","text":"a"}`: "", "1\ta text\t0.5\tb": "",
	} {
		if got := kind.Of([]byte(text)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestIsCollection checks that the manifest of a collection is told from other files of its name.
func TestIsCollection(t *testing.T) {
	for text, want := range map[string]bool{
		"{\n  \"collection\": 1,\n": true, "{\n  \"collection\": 27": true,
		`{"collection": 1}`: false, `{"collection":"books"}`: false, "{\n": false, "": false,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "collection.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := kind.IsCollection(dir); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if kind.IsCollection(t.TempDir()) {
		t.Error("a directory without a manifest is a collection")
	}
}
