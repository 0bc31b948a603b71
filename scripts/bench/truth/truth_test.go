package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"doppel/pkg/tool"
)

// Five shingles of three words and one word more, which makes a sixth; a copy;
// one that is the same but for the case; and what has no words.
const records = `{"text":"one two three four five six seven"}
{"id":"any","text":"one two three four five six seven eight"}
{"text":"one two three four five six seven"}
{"text":"Something \"else\", and of no\nlikeness"}
{"text":"ONE two three four five six seven"}
{"text":""}
{"text":"!!"}
{"text":"!!"}
`

const truth = `0	1	0.8333333333333334	near
0	2	1	exact
0	4	1	near
1	2	0.8333333333333334	near
1	4	0.8333333333333334	near
2	4	1	near
6	7	0	exact
`

func TestTruth(t *testing.T) {
	numbered := filepath.Join(t.TempDir(), "numbered")
	if got := truthOf(t, records, "--numbered", numbered); got != truth {
		t.Errorf("got\n%swant\n%s", got, truth)
	}
	copied, err := os.ReadFile(numbered)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"id": "3", "text": "Something \"else\", and of no\nlikeness"}`; strings.Split(string(copied), "\n")[3] != want {
		t.Errorf("numbered:\n%swant a line\n%s", copied, want)
	}
	if got := truthOf(t, string(copied)); got != truth {
		t.Errorf("of the numbered records, got\n%swant\n%s", got, truth)
	}
}

func TestFloor(t *testing.T) {
	got := truthOf(t, records, "--floor", "0.9")
	if n := strings.Count(got, "\n"); n != 4 {
		t.Errorf("%d pairs, want the 3 of similarity 1 and that without words:\n%s", n, got)
	}
}

func truthOf(t *testing.T, records string, args ...string) string {
	t.Helper()
	var out, messages bytes.Buffer
	status := tool.Run(command(), tool.Std{Args: args, Stdin: strings.NewReader(records), Stdout: &out, Stderr: &messages})
	if status != tool.ExitOK {
		t.Fatalf("status %d: %s", status, &messages)
	}
	return out.String()
}
