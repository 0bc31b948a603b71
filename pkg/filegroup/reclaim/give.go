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

func (r *Reclaimer) remove(k, c *lockedFile, name string) error {
	before, err := k.Stat()
	if err != nil {
		return k.fail(err)
	}
	temp := filegroup.Beside(name)
	if err := renameNew(name, temp); err != nil {
		return &files.Error{Name: name, Err: err}
	}
	r.callHook(aside, k, []byte(name))
	err = checkRenamed(k, c, temp)
	if err == nil {
		err = distinct(k, c, temp, before.Ctime)
	}
	if err == nil {
		err = r.log(k, []byte(name))
	}
	if err != nil {
		if again := renameNew(temp, name); again != nil { // another program has taken the name
			err = errors.Join(err, &files.Error{Name: name, Err: errors.New("was renamed to " + temp + ", and cannot be renamed back: " + again.Error())})
		}
		return err
	}
	return unlink(temp)
}

// distinct returns an error if the copy may be the kept file itself, seen through another file
// system (overlayfs, bindfs, or an NFS mount of the same machine). It is called after the copy was
// renamed to a random name. There are two signs of such a view:
//
//   - The kept file's directory has an entry with the random name whose device or inode number
//     differs from the copy's. The old name would be no sign, because a view may have cached it.
//   - The kept file's ctime differs from its ctime before the copy was renamed, because renaming a
//     file changes its ctime.
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

// checkRenamed returns an error unless the unchanged copy is at the path temp and the kept file is
// still in place.
func checkRenamed(k, c *lockedFile, temp string) error {
	info, err := files.Stat([]byte(temp), files.Refuse)
	if err != nil {
		return c.fail(err)
	}
	if !c.matches(&info) {
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

// link replaces one name of a copy with a link to the kept file.
func (r *Reclaimer) link(k, c *lockedFile, name string) error {
	if appendOnly(filepath.Dir(name)) { // removing the temporary link would fail
		return c.fail(errAppend)
	}
	temp := filegroup.Beside(name)
	hardLink := unix.Link
	if r.linkAs != nil {
		hardLink = r.linkAs
	}
	if err := hardLink(string(k.name), temp); err != nil {
		return &files.Error{Name: name, Err: err}
	}
	if info, err := files.Stat([]byte(temp), files.Refuse); err != nil || !k.matches(&info) {
		return errors.Join(k.fail(files.ErrChanged), unlink(temp))
	}
	err := exchange(temp, name)
	if noExchange(err) {
		return r.replace(k, c, temp, name)
	}
	if err != nil {
		return errors.Join(&files.Error{Name: name, Err: err}, unlink(temp))
	}
	r.callHook(aside, k, []byte(name))
	why := checkRenamed(k, c, temp)
	if why == nil {
		why = r.log(k, []byte(name))
	}
	if why == nil {
		return unlink(temp)
	}
	if err := exchange(temp, name); err != nil {
		return errors.Join(why, &files.Error{Name: name, Err: errors.New("was renamed to " + temp + ", and cannot be renamed back: " + err.Error())})
	}
	// If another program replaced the name between the two exchanges, temp now refers to that
	// program's file instead of the link, and must not be removed.
	if info, err := files.Stat([]byte(temp), files.Refuse); err != nil || info.Ino != k.Ino || info.Dev != k.Dev {
		return errors.Join(why, &files.Error{Name: name, Err: errors.New("was replaced during the run; the replacement is now " + temp)})
	}
	return errors.Join(why, unlink(temp))
}

// replace replaces the copy with the temporary link, by renaming the link to the copy's name. It is
// used on file systems that cannot exchange names.
func (r *Reclaimer) replace(k, c *lockedFile, temp, name string) error {
	info, err := files.Stat([]byte(name), files.Refuse)
	if err == nil && !c.matches(&info) {
		err = c.fail(files.ErrChanged)
	}
	if err == nil {
		err = c.unchanged()
	}
	if err == nil {
		err = r.log(k, []byte(name))
	}
	if err == nil {
		err = unix.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(&files.Error{Name: name, Err: err}, unlink(temp))
	}
	return nil
}

// renameAbsent renames a file after checking that the new name does not exist, for systems
// that cannot do both in one step.
func renameAbsent(from, to string) error {
	var st unix.Stat_t
	if err := unix.Lstat(to, &st); err == nil {
		return unix.EEXIST
	}
	return unix.Rename(from, to)
}
