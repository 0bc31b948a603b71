package durable

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Replace writes a file that appears under its name when it is complete, and returns the file open
// for writing. The function fill writes the content, and sets the owner and the mode, which is 0600
// at first. Replace then syncs the file, calls check with its temporary name, renames it, and syncs
// the directory of name. If one of these steps fails, nothing is left of the new file, and an old
// file is unchanged; if only the last one fails, Replace returns the file and the error. The
// temporary name is made from the pattern temp, as by os.CreateTemp. The function check may be nil.
func Replace(temp, name string, fill func(*os.File) error, check func(temp string) error) (*os.File, error) {
	d, err := Create(temp, "")
	if err != nil {
		return nil, err
	}
	if err = fill(d.File); err == nil {
		err = d.Settle(true)
	}
	if err == nil && check != nil {
		err = check(d.Temp)
	}
	if err == nil {
		err = os.Rename(d.Temp, name)
	}
	if err != nil {
		d.Close()
		d.Remove()
		return nil, err
	}
	return d.File, SyncDir(filepath.Dir(name))
}

// A Draft is a new file that has no name, or a temporary one. If the system supports it, the file
// has no name until Settle is called, so nothing is left if the process is killed before.
type Draft struct {
	*os.File
	Temp     string // temporary name; "" if the file is not a draft
	nameless bool   // created without a name; Settle gives it one
	size     int64  // number of bytes that Write has written
	reserved int64  // number of bytes, from the start of the file, for which there is disk space
}

// Create creates a draft with the mode 0600, open for writing. Its temporary name is made from the
// pattern temp, as by os.CreateTemp. Error messages show display as the name of the file, or the
// temporary name if display is "".
func Create(temp, display string) (Draft, error) {
	dir, pattern := filepath.Dir(temp), filepath.Base(temp)
	before, after, _ := strings.Cut(pattern, "*")
	name := filepath.Join(dir, before+strconv.FormatUint(rand.Uint64(), 10)+after)
	if f := createNameless(dir, cmp.Or(display, name)); f != nil {
		return Draft{File: f, Temp: name, nameless: true}, nil
	}
	f, err := os.CreateTemp(dir, pattern)
	if p := (*os.PathError)(nil); errors.As(err, &p) && display != "" {
		if p.Path = display; errors.Is(err, os.ErrNotExist) {
			p.Path = dir // the directory is missing, not the file
		}
	}
	if err != nil {
		return Draft{}, err
	}
	name = f.Name()
	if display != "" {
		f, err = Renamed(f, display)
	}
	return Draft{File: f, Temp: name}, err
}

// Disk space is reserved ahead of the writes, at most reservedMost bytes and no more than a draft
// already has. A draft of less than reservedLeast bytes has none. Reserving is cheaper than leaving
// it to each write: on ext4, writing 616 MB in pieces of 256 kB takes .15 s of processor time for
// each gigabyte instead of .21 (medians of eight runs), and the sync takes as long as without.
//
// Other ways to write a file that is in the page cache or in memory were measured there, too, in
// seconds for each gigabyte: pieces of 64 kB .25, and of 1 or 4 MB .20; copy_file_range from the
// page cache .26; splice .60; a mapping of reserved space .18, and one of a sparse file 1.0; writes
// that bypass the page cache (O_DIRECT) .05 but at the speed of the disk, and those that drop their
// pages (RWF_DONTCACHE) .30. On tmpfs, where nothing is reserved, pieces of 64 kB take .39, and of
// 1 MB .34.
const (
	reservedLeast = 8 << 20
	reservedMost  = 64 << 20
)

// Write appends b to the file.
func (d *Draft) Write(b []byte) (int, error) {
	if need := d.size + int64(len(b)); d.Temp != "" && need > max(d.reserved, reservedLeast) {
		d.reserved = need + min(need, reservedMost)
		if !reserve(d.File, d.size, d.reserved-d.size) {
			d.reserved = math.MaxInt64 // not this disk, or it is full: the writes will tell
		}
	}
	n, err := d.File.Write(b)
	d.size += int64(n)
	return n, err
}

// Renamed closes f and returns a duplicate of it with another name, for error messages.
func Renamed(f *os.File, display string) (*os.File, error) {
	own, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		f.Close()
		return nil, &os.PathError{Op: "open", Path: display, Err: err}
	}
	syscall.CloseOnExec(own)
	return os.NewFile(uintptr(own), display), f.Close()
}

// Settle gives a file without a name its temporary name, and syncs the file if sync is set. It
// frees disk space that is reserved after the end of the file. The pages of a file without a name
// are written to disk first, so that nothing is left if the process is killed during that time. The
// file is synced after it gets its name, because Btrfs does not log a file without a name.
func (d *Draft) Settle(sync bool) error {
	if d.reserved > 0 {
		info, err := d.Stat()
		if err == nil {
			err = d.Truncate(info.Size()) // frees the rest of the reserved space
		}
		if err != nil {
			return err
		}
	}
	if d.nameless {
		if sync {
			writeOut(d.File)
		}
		if err := link(d.File, d.Temp); err != nil {
			return err
		}
	}
	if !sync {
		return nil
	}
	return Sync(d.File)
}

// Vacate closes a draft that another stage or program will write under the temporary name, and
// removes it, so that nothing is left if the process is killed before it is written.
func (d *Draft) Vacate() error {
	err := d.Close()
	named := d.Temp != "" && !d.nameless
	d.File, d.nameless = nil, false
	if !named || err != nil {
		return err
	}
	return os.Remove(d.Temp)
}

// Remove removes the temporary name of a draft, if it has one.
func (d *Draft) Remove() {
	if d.Temp != "" {
		os.Remove(d.Temp)
	}
}
