//go:build !linux

package record

// decodedRoom returns a fixed room: neither the disk nor the memory is asked.
func decodedRoom() int64 { return 1 << 30 }
