package lshkeys_test

import (
	"testing"

	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/stage/stagetest"
)

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, lshkeys.Default,
		[]string{"-t", "0.5", "--recall=0.9", "-j8", "-k"},
		[]string{"--bands", "4", "--rows=2", "--within=0", "--json", "--explain", "-o", "a,b"},
	)
}
