package files

import (
	"math"
	"syscall"
)

// memory returns how much memory the machine has.
func memory() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return math.MaxInt64
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
