package tool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"doppel/pkg/files/durable"
	"doppel/pkg/wording"
)

// Several outputs are put in their places one after the other, since no call renames
// more than one. What was in a place stays beside it until the last one is in its
// own, so that where one cannot be, all places are as they were. It stays as a hard
// link: the place is then never empty, and has its very file again when it is put
// back. An exchange of two names would do the same on Linux alone, and takes a
// directory for a file.
//
// All files are synced before the first of them is renamed, and their directories after
// the last: whatever a power cut undoes, a place has the whole old content or the whole
// new one.

// finish puts the files in their places, or removes them all.
func (o *outputs) finish(err error) error {
	var files, done []*atomicFile
	for _, one := range o.all {
		if cerr := one.file.end(err, o.noSync); err == nil {
			err = cerr
		}
		if one.file != nil && one.file.beside != "" {
			files = append(files, one.file)
		}
	}
	for i, f := range files {
		if err == nil {
			err = f.put(i < len(files)-1) // nothing comes behind the last that might fail
		}
		if err != nil {
			f.remove()
			continue
		}
		done = append(done, f)
	}
	if err != nil { // put back what was there before
		defer o.removeMade()
		var stay []string
		for _, f := range slices.Backward(done) {
			if f.back() != nil {
				stay = append(stay, f.name)
			}
		}
		if len(stay) > 0 {
			return wording.WithHint(err, "%s was written before, and stays", strings.Join(stay, " "))
		}
		return err
	}
	dirs := make([]string, len(done))
	for i, f := range done {
		f.forget()
		dirs[i] = filepath.Dir(f.place)
	}
	for _, dir := range o.made {
		dirs = append(dirs, filepath.Dir(dir))
	}
	if o.noSync {
		return nil
	}
	if err := durable.SyncDirs(dirs); err != nil {
		return wording.WithHint(notSynced(err), "the outputs are in their places, which a power cut may undo")
	}
	return nil
}

// end closes a file that is written, under its name beside the place, and synced. A nil file
// is standard output, and stays open.
func (a *atomicFile) end(err error, noSync bool) error {
	if a == nil {
		return nil
	}
	if a.File == nil { // a stage wrote it, with any mode
		if err != nil || a.beside == "" {
			return err
		}
		if err = os.Chmod(a.beside, 0o600); err != nil {
			return err
		}
		if a.File, err = os.Open(a.beside); err != nil {
			return err
		}
	}
	if err == nil && a.beside != "" {
		err = a.settle(noSync)
	}
	if cerr := a.Close(); err == nil {
		err = cerr
	}
	return err
}

// settle gives the file its mode and its name beside the place, and syncs it. A file
// without a name is written out first, so that a kill in that time leaves nothing; but it
// is synced under its name, since Btrfs does not log a file that has none.
func (a *atomicFile) settle(noSync bool) error {
	var mode os.FileMode
	if info, err := os.Stat(a.place); err == nil {
		mode = info.Mode().Perm()
	} else { // the umask can be read only by setting it; nothing else makes files now
		mask := syscall.Umask(0)
		syscall.Umask(mask)
		mode = os.FileMode(0o666 &^ mask)
	}
	if err := a.Chmod(mode); err != nil {
		return err
	}
	if a.nameless {
		if !noSync {
			writeOut(a.File)
		}
		if err := link(a.File, a.beside); err != nil {
			return err
		}
	}
	if noSync {
		return nil
	}
	err := durable.Sync(a.File)
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		p.Path = a.name
	}
	return notSynced(err)
}

// notSynced returns an error that says of which file it is, and why.
func notSynced(err error) error {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: cannot be synced: %w", p.Path, p.Err)
	}
	return err
}

// put puts the file in its place, and keeps what was there if it may have to be put
// back.
func (a *atomicFile) put(keep bool) error {
	if info, err := os.Lstat(a.place); err == nil && info.IsDir() {
		return &os.PathError{Op: "open", Path: a.name, Err: syscall.EISDIR}
	}
	if keep {
		if err := a.keep(os.Link); err != nil {
			return err
		}
	}
	err := os.Rename(a.beside, a.place)
	if err != nil && a.kept != "" && os.Rename(a.kept, a.place) == nil {
		a.forget() // a link of the place to itself is not renamed
	}
	return err
}

// keep keeps what is in the place under another name too, by a link, or, where the
// file system has none, by that name alone.
func (a *atomicFile) keep(link func(old, new string) error) error {
	kept := a.beside + ".old"
	err := link(a.place, kept)
	if err != nil && !os.IsNotExist(err) {
		err = os.Rename(a.place, kept)
	}
	switch {
	case err == nil:
		a.kept = kept
	case os.IsNotExist(err):
		err = nil // there was nothing
	}
	return err
}

// back makes the place what it was.
func (a *atomicFile) back() error {
	if a.kept == "" {
		return os.Remove(a.place)
	}
	return os.Rename(a.kept, a.place)
}

// forget lets go of what was in the place.
func (a *atomicFile) forget() {
	if a.kept != "" {
		os.Remove(a.kept)
	}
}
