package main

import (
	"io"
	"testing"
)

func TestCompare(t *testing.T) {
	old := map[string]float64{"pairs": 100}
	for _, c := range []struct {
		name   string
		value  float64
		passes bool
	}{
		{"pairs", 100, true}, {"pairs", 105, true}, {"pairs", 106, false}, {"pairs", 10, true}, {"new", 1, false},
	} {
		if err := compare(io.Discard, []count{{c.name, c.value}, {"pairs", 100}}, old); (err == nil) != c.passes {
			t.Errorf("%s %v against 100: %v", c.name, c.value, err)
		}
	}
}

func TestPlaced(t *testing.T) {
	for arg, want := range map[string]string{"DATA": "d", "IN": "i", "--records=DATA": "--records=d", "--decisions=IN": "--decisions=i", "-o": "-o"} {
		if got := placed(arg, "i", "d"); got != want {
			t.Errorf("%s becomes %s, want %s", arg, got, want)
		}
	}
}
