package durable

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Replace writes a file that appears under its name when it is complete, and returns the file open for
// writing. The function fill writes the content, and sets the owner and the mode, which is 0600 at first.
// Replace then syncs the file, calls check with its temporary name, renames it, and syncs the directory
// of name. If one of these steps fails, nothing is left of the new file, and an old file is unchanged;
// if only the last one fails, Replace returns the file and the error. The temporary name is made from
// the pattern temp, as by os.CreateTemp. The function check may be nil.
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

// A Draft is a new file that has no name, or a temporary one. If the system supports it, the file has no
// name until Settle is called, so nothing is left if the process is killed before.
type Draft struct {
	*os.File
	Temp     string // temporary name; "" if the file is not a draft
	nameless bool   // created without a name; Settle gives it one
}

// Create creates a draft with the mode 0600, open for writing. Its temporary name is made from the
// pattern temp, as by os.CreateTemp. Error messages show display as the name of the file, or the
// temporary name if display is "".
func Create(temp, display string) (Draft, error) {
	dir, pattern := filepath.Dir(temp), filepath.Base(temp)
	before, after, _ := strings.Cut(pattern, "*")
	name := filepath.Join(dir, before+strconv.FormatUint(rand.Uint64(), 10)+after)
	if f := createNameless(dir, cmp.Or(display, name)); f != nil {
		return Draft{f, name, true}, nil
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
	return Draft{f, name, false}, err
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

// Settle gives a file without a name its temporary name, and syncs the file if sync is set. The pages of
// a file without a name are written to disk first, so that nothing is left if the process is killed
// during that time. The file is synced after it gets its name, because Btrfs does not log a file
// without a name.
func (d *Draft) Settle(sync bool) error {
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

// Vacate closes a draft that another stage or program will write under the temporary name, and removes
// it, so that nothing is left if the process is killed before it is written.
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
