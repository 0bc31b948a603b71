package dupgroup_test

import (
	"testing"

	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/stagetest"
)

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, dupgroup.Default,
		[]string{"--policy=components", "--rank", "stars:desc", "--cut=0.30000000000000004", "-j1"},
		[]string{"--records=a,b", "--records", `"c`, "--records=[d]", "--id", "x", "-H", "--lines"},
		[]string{"--against=a,b", "--against", "c d", "--keep=none", "--counts", "--equal"},
		[]string{"--json", "--mem=1", "-k", "-o", "-x"},
	)
}
