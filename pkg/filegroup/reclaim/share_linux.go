package reclaim

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mostShared is the number of bytes that one call shares. Btrfs shares at most 16 MiB at a time.
const mostShared = 16 << 20

// dedupe lets the open file c share the blocks of k, which has the same size and bytes. The kernel
// compares the bytes again, and locks both files meanwhile.
func dedupe(k, c int, size int64) error {
	for off := int64(0); off < size; {
		span := unix.FileDedupeRange{
			Src_offset: uint64(off), Src_length: uint64(min(mostShared, size-off)),
			Info: []unix.FileDedupeRangeInfo{{Dest_fd: int64(c), Dest_offset: uint64(off)}},
		}
		if err := unix.IoctlFileDedupeRange(k, &span); err != nil {
			return err
		}
		switch one := &span.Info[0]; {
		case one.Status == unix.FILE_DEDUPE_RANGE_DIFFERS:
			return errDiffers
		case one.Status < 0:
			return unix.Errno(-one.Status)
		case one.Bytes_deduped == 0:
			return unix.ENOTSUP
		default:
			off += int64(one.Bytes_deduped)
		}
	}
	return nil
}

// An extent is a range of a file and its place on disk, in bytes, as the kernel's struct
// fiemap_extent.
type extent struct {
	Logical, Physical, Length uint64
	_                         [2]uint64
	Flags                     uint32
	_                         [3]uint32
}

// Flags and the request of FS_IOC_FIEMAP, from linux/fiemap.h.
const (
	getExtents    = 0xc020660b // FS_IOC_FIEMAP
	syncFirst     = 1          // FIEMAP_FLAG_SYNC
	lastExtent    = 0x1        // FIEMAP_EXTENT_LAST
	encodedExtent = 0x8        // FIEMAP_EXTENT_ENCODED: compressed or encrypted
	inlineExtent  = 0x200      // FIEMAP_EXTENT_DATA_INLINE: stored in the metadata of the file
	unplaced      = 0x2 | 0x4  // FIEMAP_EXTENT_UNKNOWN, FIEMAP_EXTENT_DELALLOC
)

// extentsOf returns the extents of an open file, with adjacent extents joined. Data that is stored
// with the metadata is left out, because it has no blocks. ok is false if the file system does not
// say where its data is.
func extentsOf(fd int) (all []extent, ok bool) {
	var request struct {
		start, length           uint64
		flags, mapped, count, _ uint32
		extents                 [64]extent
	}
	for start := uint64(0); ; {
		request.start, request.length, request.flags, request.count = start, ^uint64(0)-start, syncFirst, uint32(len(request.extents))
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), getExtents, uintptr(unsafe.Pointer(&request))); errno != 0 {
			return nil, false
		}
		for _, e := range request.extents[:request.mapped] {
			if e.Flags&unplaced != 0 {
				return nil, false
			}
			start = e.Logical + e.Length
			last := e.Flags&lastExtent != 0
			if n := len(all) - 1; e.Flags&inlineExtent == 0 {
				e.Flags &= encodedExtent
				if n >= 0 && e.Flags == 0 && all[n].Flags == 0 && all[n].Logical+all[n].Length == e.Logical && all[n].Physical+all[n].Length == e.Physical {
					all[n].Length += e.Length
				} else {
					all = append(all, e)
				}
			}
			if last {
				return all, true
			}
		}
		if request.mapped == 0 {
			return all, true
		}
	}
}

// sharesBlocks reports whether two open files of the same size are known to have all their blocks in
// common.
func sharesBlocks(k, c int) bool {
	theirs, ok := extentsOf(c)
	if !ok {
		return false
	}
	ours, ok := extentsOf(k)
	return ok && slices.Equal(ours, theirs)
}

// subvolumes reports whether two open files may be in subvolumes of one file system, which have
// different devices but can share blocks.
func subvolumes(k, c int) bool {
	var ours, theirs unix.Statfs_t
	return unix.Fstatfs(k, &ours) == nil && unix.Fstatfs(c, &theirs) == nil &&
		ours.Type == unix.BTRFS_SUPER_MAGIC && theirs.Type == unix.BTRFS_SUPER_MAGIC
}
