package files

import (
	"math"
	"syscall"
)

// Memory returns how many bytes of memory the machine has.
func Memory() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return math.MaxInt64
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
