package model

import (
	"runtime/debug"
	"testing"

	"doppel/pkg/stage/stagetest"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(-1) // the runs are small, and a third of their time was garbage collection
	debug.SetMemoryLimit(512 << 20)
	stagetest.Main(m)
}
