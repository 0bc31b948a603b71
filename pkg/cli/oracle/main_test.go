package oracle_test

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(-1) // the runs are small, and a third of their time was garbage collection
	debug.SetMemoryLimit(1 << 30)
	os.Setenv("GOGC", "100") // keeps the runs from changing the percentage
	os.Exit(m.Run())
}
