package reclaim

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
)

// remove removes one name of a copy.
func (r *Reclaimer) remove(k, c *lockedFile, name string) error {
	before, err := k.Stat()
	if err != nil {
		return k.fail(err)
	}
	temp := filegroup.Beside(name)
	if err := renameNew(name, temp); err != nil {
		return &files.Error{Name: name, Err: err}
	}
	r.meddle(aside, k, []byte(name))
	err = taken(k, c, temp)
	if err == nil {
		err = distinct(k, c, temp, before.Ctime)
	}
	if err != nil {
		if again := renameNew(temp, name); again != nil { // the name was taken meanwhile
			err = errors.Join(err, &files.Error{Name: name, Err: errors.New("is now " + temp + ": " + again.Error())})
		}
		return err
	}
	return unlink(temp)
}

// distinct returns an error if the copy is the file that stays, seen through another
// file system (overlayfs, bindfs, NFS of oneself). Such a view has another device and
// number and may still answer to the old name, from its cache. But it cannot have
// cached temp, a random name: if the directory of the file that stays has that name
// for another file than the copy, both directories are one. A rename also changes the
// ctime of the one file, and not that of another.
func distinct(k, c *lockedFile, temp string, ctime files.Time) error {
	dir := k.name[:bytes.LastIndexByte(k.name, '/')+1]
	seen, err := files.Stat(append(bytes.Clone(dir), filepath.Base(temp)...), files.Refuse)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return k.fail(err)
	}
	now, errNow := k.Stat()
	switch {
	case errNow != nil:
		return k.fail(errNow)
	case err == nil && (seen.Dev != c.Dev || seen.Ino != c.Ino), now.Ctime != ctime:
		return c.fail(fmt.Errorf("%w as %s", errAlias, k.name))
	}
	return nil
}

// taken returns an error unless what was taken aside is the copy, unchanged, and the
// file that stays is where it was.
func taken(k, c *lockedFile, temp string) error {
	info, err := files.Stat([]byte(temp), files.Refuse)
	if err != nil {
		return c.fail(err)
	}
	if !c.is(&info) {
		return c.fail(files.ErrChanged)
	}
	if err := c.unchanged(); err != nil {
		return err
	}
	return k.inPlace()
}

func unlink(name string) error {
	if err := unix.Unlink(name); err != nil {
		return &files.Error{Name: name, Err: err}
	}
	return nil
}

// link makes one name of a copy a link to the file that stays.
func (r *Reclaimer) link(k, c *lockedFile, name string) error {
	if appendOnly(filepath.Dir(name)) { // which would keep the link that is made first
		return c.fail(errAppend)
	}
	temp := filegroup.Beside(name)
	if err := unix.Link(string(k.name), temp); err != nil {
		return &files.Error{Name: name, Err: err}
	}
	if info, err := files.Stat([]byte(temp), files.Refuse); err != nil || !k.is(&info) {
		return errors.Join(k.fail(files.ErrChanged), unlink(temp))
	}
	err := exchange(temp, name)
	if noExchange(err) {
		return r.replace(c, temp, name)
	}
	if err != nil {
		return errors.Join(&files.Error{Name: name, Err: err}, unlink(temp))
	}
	r.meddle(aside, k, []byte(name))
	why := taken(k, c, temp)
	if why == nil {
		return unlink(temp)
	}
	if err := exchange(temp, name); err != nil {
		return errors.Join(why, &files.Error{Name: name, Err: errors.New("is now " + temp + ": " + err.Error())})
	}
	// What is there now may be a third file: then it stays, and the one that was taken
	// aside too.
	if info, err := files.Stat([]byte(temp), files.Refuse); err != nil || info.Ino != k.Ino || info.Dev != k.Dev {
		return errors.Join(why, &files.Error{Name: name, Err: errors.New("was replaced meanwhile, by what is now " + temp)})
	}
	return errors.Join(why, unlink(temp))
}

// replace renames the link over the copy, where names cannot be exchanged.
func (r *Reclaimer) replace(c *lockedFile, temp, name string) error {
	info, err := files.Stat([]byte(name), files.Refuse)
	if err == nil && !c.is(&info) {
		err = c.fail(files.ErrChanged)
	}
	if err == nil {
		err = c.unchanged()
	}
	if err == nil {
		err = unix.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(&files.Error{Name: name, Err: err}, unlink(temp))
	}
	return nil
}

// renameAbsent renames a file to a name that nothing had a moment before, where the
// system cannot do both in one step.
func renameAbsent(from, to string) error {
	var st unix.Stat_t
	if err := unix.Lstat(to, &st); err == nil {
		return unix.EEXIST
	}
	return unix.Rename(from, to)
}
