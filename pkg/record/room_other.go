//go:build !linux

package record

// decodedRoom returns a fixed limit, without measuring disk or memory.
func decodedRoom() int64 { return 1 << 30 }
