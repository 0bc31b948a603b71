package jaccgroup_test

import (
	"testing"

	"doppel/pkg/stage/jaccgroup"
	"doppel/pkg/stage/stagetest"
)

func TestMain(m *testing.M) { stagetest.Main(m) }

func TestScripts(t *testing.T) { stagetest.Scripts(t) }

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, jaccgroup.Default,
		[]string{"--records=a,b", "--records=", "--files", "--threshold=0.30000000000000004", "--containment"},
		[]string{"--rank", "stars:desc", "--shingle=c5", "--normalize=none", "--stats=x y", "--mem=1", "-j1", "--json", "-k"},
		[]string{"--field=a,b", "--field=c[0]", "--id", "x", "-H", "--lines", "-o", "-x"},
	)
}
