package rule

import (
	"os"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for reason, want := range map[string]struct {
		Rule
		limit float64
	}{
		"best":                               {Best, 0},
		"score>=0.8":                         {Score, 0.8},
		"score>=0.8,least=0.81":              {Score, 0.8},
		string(Words.AppendLeast(nil, 50)):   {Words, 50},
		string(Left.AppendBelow(nil, "20%")): {Left, 20},
		"score>=x":                           {Rule{Name: "score>=x"}, 0},
		"url_ratio>0.1":                      {Rule{Name: "url_ratio"}, 0.1},
		"":                                   {},
	} {
		if r, limit := Find([]byte(reason)); r != want.Rule || limit != want.limit {
			t.Errorf("%q: %+v, %v, want %+v", reason, r, limit, want)
		}
	}
}

// TestPage checks that the page of decisions describes each rule; Missing is only a reason of
// --removed.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../man/doppel-decisions.5")
	if err != nil {
		t.Fatal(err)
	}
	for name := range byName {
		if name != Missing.Name && !strings.Contains(string(page), "Li "+name) {
			t.Errorf("the page does not describe %s", name)
		}
	}
}
