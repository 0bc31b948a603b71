package tool

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestGrowth(t *testing.T) {
	for live, want := range map[uint64]int{0: 400, 4 << 20: 400, 16 << 20: 100, 32 << 20: 50, 1 << 30: gcPercent, 1 << 50: gcPercent} {
		if got := growth(live); got != want {
			t.Errorf("%d bytes: %d%%, want %d%%", live, got, want)
		}
	}
}

// pace runs again after each collection, and adjusts the percentage to the size of the heap.
func TestPace(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	runtime.GC()
	pace(new(collection))
	if got := gcSetting(); got <= gcPercent {
		t.Errorf("%d%% with nothing in the heap", got)
	}
	held := make([]byte, 10*gcSlack)
	for tries := 0; gcSetting() != gcPercent; tries++ {
		if tries == 1000 {
			t.Fatalf("%d%% with %d bytes in the heap", gcSetting(), len(held))
		}
		runtime.GC()
		runtime.Gosched() // let the goroutine that runs finalizers proceed
	}
	runtime.KeepAlive(held)
}

// gcSetting returns the current GC percentage.
func gcSetting() int {
	p := debug.SetGCPercent(gcPercent)
	debug.SetGCPercent(p)
	return p
}
