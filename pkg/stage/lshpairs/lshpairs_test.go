package lshpairs_test

import (
	"testing"

	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/stagetest"
)

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, lshpairs.Default,
		[]string{"-t", "0.5", "--recall=0.9", "--within=0", "--bands", "4", "--rows=2"},
		[]string{"--hot=0", "--all-pairs", "--df=7", "--common=a b", "--count", "--mem=1G", "-j1"},
		[]string{"--against=a,b", "--against", `"c`, "--explain", "--json", "-k", "-o", "-x", "--no-progress"},
	)
}
