package tool

import (
	"os"
	"testing"
)

// The counts are one line of JSON. Numbers that do not apply are left out.
func TestCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	for want, c := range map[string]Counts{
		`{"records":2,"kept":1,"dropped":1,"unread":1,"reasons":{"length<5":1}}`:             {Kept: 1, Dropped: 1, Unread: 1, Reasons: map[string]int64{"length<5": 1}},
		`{"records":0,"kept":0,"dropped":0,"reasons":{}}`:                                    {Reasons: map[string]int64{}},
		`{"candidates":0,"verified":0,"records":6,"kept":1,"dropped":2,"cut":1,"missing":3}`: {Pairs: new(Pairs), Kept: 1, Dropped: 2, Cut: 1, Missing: 3},
	} {
		e := &Env{Name: "x"}
		must(t, e.WriteStats("stats", c))
		must(t, e.outputs.Close(nil))
		if got, err := os.ReadFile("stats"); err != nil || string(got) != want+"\n" {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
