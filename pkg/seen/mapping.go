package seen

import (
	"math"
	"os"
	"runtime/debug"
	"syscall"
	"unsafe"
)

// A mapping is a file in memory, privately: what is written into it does not show
// in the file. To read the file instead costs as much for 7,000 sums, half as much
// again for a whole start among 100,000, and three times as much among a million.
type mapping []byte

// mapFile maps a file; one that is empty is nil.
func mapFile(f *os.File) (mapping, error) {
	info, err := f.Stat()
	switch {
	case err != nil || info.Size() == 0:
		return nil, err
	case info.Size() > math.MaxInt32:
		return nil, ErrNotCache
	}
	return syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
}

func (m mapping) unmap() {
	if m != nil {
		syscall.Munmap(m)
	}
}

// guard calls fn, which looks at the mapping. What another program cuts off the
// file meanwhile has no memory any more: the system sends a signal, of which the
// runtime makes a panic here, and that becomes ErrCut.
func (m mapping) guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			if !m.holds(fault.Addr()) {
				panic(fault)
			}
			err = ErrCut
		default:
			panic(fault)
		}
	}()
	return fn()
}

// holds reports whether an address is one of the mapping.
func (m mapping) holds(addr uintptr) bool {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(m)))
	return first <= addr && addr < first+uintptr(len(m))
}
