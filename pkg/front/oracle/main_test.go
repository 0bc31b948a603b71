package oracle_test

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(1000) // the runs are small, and most of their time was garbage collection
	os.Exit(m.Run())
}
