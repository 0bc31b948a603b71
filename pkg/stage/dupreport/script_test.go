package dupreport_test

import (
	"testing"

	"doppel/pkg/stage/dupreport"
	"doppel/pkg/stage/stagetest"
)

func TestMain(m *testing.M) { stagetest.Main(m) }

func TestScripts(t *testing.T) { stagetest.Scripts(t) }

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, dupreport.Default,
		[]string{"--records=a", "--records", "b", "--scores=s", "--decisions", "-", "--by=host", "-t.7", "--rank=last"},
		[]string{"--measured", "m", "--common=c", "--command", "x y", "--seed=7", "--ordinals", "--whole", "--paths", "--id=i", "-j2"},
	)
}
