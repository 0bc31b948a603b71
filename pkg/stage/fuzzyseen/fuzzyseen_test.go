package fuzzyseen_test

import (
	"strings"
	"testing"

	"doppel/pkg/stage/fuzzyseen"
)

func TestCheck(t *testing.T) {
	for want, o := range map[string]fuzzyseen.Options{
		"":                            {Max: 48, Distance: 128},
		"--max 47: want 48":           {Max: 47},
		"--distance -1: want 0 to":    {Max: 48, Distance: -1},
		"--distance 129: want 0 to 1": {Max: 48, Distance: 129},
	} {
		if err := o.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}
