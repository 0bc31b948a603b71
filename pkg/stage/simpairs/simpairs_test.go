package simpairs_test

import (
	"testing"

	"doppel/pkg/stage/simpairs"
	"doppel/pkg/stage/stagetest"
)

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, simpairs.Default,
		[]string{"-r", "0.1", "-w5", "--files", "-v", "-j2", "--mem=64K"},
		[]string{"--within=0", "--all", "--explain", "--json", "-k", "-o", "a,b"},
	)
}
