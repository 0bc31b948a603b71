package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/line"
	"doppel/pkg/tool"
)

// three are records of which the last is the first again.
const three = `{"text":"one two three four five six"}
{"text":"seven eight nine ten eleven twelve"}
{"text":"one two three four five six"}
`

// trial runs the chain over records and returns what it told.
func trial(records string, told error) (all []string, err error) {
	f, e := DefaultFuzzy(), &tool.Env{Std: tool.Std{Stderr: new(bytes.Buffer)}, Name: "test"}
	err = f.Try(e, Trial{
		Records: strings.NewReader(records),
		Decision: func(d line.Decision) error {
			all = append(all, fmt.Sprintf("%v %s %s", d.Verdict, d.ID, d.Kept))
			return told
		},
		Pair: func(p line.Pair) error {
			all = append(all, fmt.Sprintf("%s %s", p.A, p.B))
			return told
		},
	})
	return all, err
}

// A trial tells the decisions by ordinals, and the candidates, those of equal records
// among them. What is wrong ends it, here or in a stage.
func TestTry(t *testing.T) {
	got, err := trial(three, nil)
	if d := cmp.Diff([]string{"keep 0 ", "drop 2 0", "0 2"}, got); d != "" || err != nil {
		t.Errorf("%v: %s", err, d)
	}
	enough := errors.New("enough")
	if got, err := trial(three, enough); err != enough || len(got) != 1 {
		t.Errorf("%v, %q", err, got)
	}
	if got, err := trial("{\n", nil); err == nil || got != nil {
		t.Errorf("a bad record: %v, %q", err, got)
	}
}

func TestWriteDecisions(t *testing.T) {
	name := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(name, []byte(three), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		names      []string
		want, told string
		fails      bool
	}{
		{[]string{name}, "keep\t0\t-\t-\tbest\ndrop\t2\t0\t1.0000\tscore>=0.8\n", "", false},
		{[]string{name, "-"}, "", "", true},
		{[]string{name + "2"}, "", "recsign: " + name + "2: no such file or directory", true},
	} {
		var out, told bytes.Buffer
		f, e := DefaultFuzzy(), &tool.Env{Std: tool.Std{Stderr: &told}, Name: "test"}
		err := f.WriteDecisions(e, tc.names, &out)
		if (err != nil) != tc.fails || out.String() != tc.want || tc.told != "" && err.Error() != tc.told {
			t.Errorf("%q: %v, %q, %q", tc.names, err, out.String(), told.String())
		}
	}
}
