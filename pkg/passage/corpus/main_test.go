package corpus

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // a sixth of the processor time was garbage collection
	os.Exit(m.Run())
}
