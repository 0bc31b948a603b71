package keypairs_test

import (
	"testing"

	"doppel/pkg/stage/keypairs"
	"doppel/pkg/stage/stagetest"
)

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, keypairs.Default,
		[]string{"--hot=0", "--all-pairs", "--df=7", "--common=a,b", "--count"},
		[]string{"-0", "--json", "--mem=1G", "-k", "-o", "-x", "--progress"},
		[]string{"--unsorted"},
	)
}
