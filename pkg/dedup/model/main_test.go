package model

import (
	"os"
	"runtime/debug"
	"testing"

	"doppel/pkg/stage/stagetest/script"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(-1) // the runs are small, and a third of their time was garbage collection
	debug.SetMemoryLimit(512 << 20)
	os.Setenv("GOGC", "100") // keeps the runs from changing the percentage
	script.Main(m)
}
