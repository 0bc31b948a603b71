package output

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"doppel/pkg/files/durable"
	"doppel/pkg/msg"
)

// Outputs are renamed one after the other, because no system call renames several files. The old
// file at each destination is kept in the same directory until the last output is in place, so that
// all old files can be restored after a failure. A hard link keeps the old file, so that the
// destination always exists and a restored file is the original one. An atomic exchange of two
// names (RENAME_EXCHANGE) would do the same, but exists only on Linux, and would also replace a
// directory.
//
// All files are synced before the first rename, and their directories after the last one. A power
// cut may undo renames, but each destination then has either its complete old content or its
// complete new content.

// commitAll renames files to their destinations. If err is not nil or a rename fails, it removes the new
// files, restores the old ones and returns the error. The directories made are those that the run
// created for the files.
func commitAll(all []*atomicFile, made []string, noSync bool, err error) error {
	var files, done []*atomicFile
	for _, f := range all {
		if cerr := f.settleAndClose(err, noSync); err == nil {
			err = cerr
		}
		if f.Temp != "" {
			files = append(files, f)
		}
	}
	for i, f := range files {
		if err == nil {
			// The old file at the last destination need not be kept: nothing can fail after the
			// last rename.
			err = f.commit(i < len(files)-1)
		}
		if err != nil {
			f.remove()
			continue
		}
		done = append(done, f)
	}
	if err != nil { // restore the old files
		var stay []string
		for _, f := range slices.Backward(done) {
			if f.rollback() != nil {
				stay = append(stay, f.name)
			}
		}
		if len(stay) > 0 {
			return msg.WithHint(err, "outputs that were replaced and could not be restored: %s", strings.Join(stay, " "))
		}
		return err
	}
	dirs := make([]string, len(done))
	for i, f := range done {
		f.removeOld()
		dirs[i] = filepath.Dir(f.place)
	}
	for _, dir := range made {
		dirs = append(dirs, filepath.Dir(dir))
	}
	if noSync {
		return nil
	}
	if err := durable.SyncDirs(dirs); err != nil {
		return msg.WithHint(notSynced(err), "the outputs are complete, but a power cut may undo them")
	}
	return nil
}

// settleAndClose gives a file its temporary name in the directory of its destination, syncs it, and
// closes it. If err is not nil, it only closes the file.
func (a *atomicFile) settleAndClose(err error, noSync bool) error {
	if a.File == nil { // a stage wrote the file, possibly with a mode that forbids opening it
		if err != nil || a.Temp == "" {
			return err
		}
		if err = os.Chmod(a.Temp, 0o600); err != nil {
			return err
		}
		if a.File, err = os.Open(a.Temp); err != nil {
			return err
		}
	}
	switch {
	case a.early && !noSync:
		err = cmp.Or(err, a.notSynced(durable.Sync(a.File)))
	case err == nil && a.Temp != "":
		err = a.settle(noSync)
	}
	if cerr := a.Close(); err == nil {
		err = cerr
	}
	return err
}

// settle gives the file its mode and its temporary name, and syncs it.
func (a *atomicFile) settle(noSync bool) error {
	var mode os.FileMode
	if info, err := os.Stat(a.place); err == nil {
		mode = info.Mode().Perm()
	} else {
		// The umask can be read only by setting it. No other goroutine creates files meanwhile.
		mask := syscall.Umask(0)
		syscall.Umask(mask)
		mode = os.FileMode(0o666 &^ mask)
	}
	if err := a.Chmod(mode); err != nil {
		return err
	}
	return a.notSynced(a.Settle(!noSync))
}

// notSynced is like the function notSynced, for an error in syncing the file itself.
func (a *atomicFile) notSynced(err error) error {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		p.Path = a.name
	}
	return notSynced(err)
}

// placeEarly renames an empty file to its destination. What is written to it afterwards is there at
// once, and stays there.
func (a *atomicFile) placeEarly(noSync bool) error {
	err := a.settle(noSync)
	if err == nil {
		err = a.commit(false)
	}
	if err != nil {
		return err
	}
	a.Temp, a.early = "", true
	if noSync {
		return nil
	}
	return notSynced(durable.SyncDir(filepath.Dir(a.place)))
}

// notSynced rewrites a sync error so that its message begins with the file's name.
func notSynced(err error) error {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: cannot be synced: %w", p.Path, p.Err)
	}
	return err
}

// commit renames the file to its destination. If keep is true, the old file is kept for rollback.
func (a *atomicFile) commit(keep bool) error {
	if info, err := os.Lstat(a.place); err == nil && info.IsDir() {
		return &os.PathError{Op: "open", Path: a.name, Err: syscall.EISDIR}
	}
	if keep {
		if err := a.keepOld(os.Link); err != nil {
			return err
		}
	}
	err := os.Rename(a.Temp, a.place)
	if err != nil && a.kept != "" && os.Rename(a.kept, a.place) == nil {
		// A rename between two links to the same file does nothing, so the name a.kept may still
		// exist.
		a.removeOld()
	}
	return err
}

// keepOld calls link to give the old file a second name. If the file system has no hard links, it
// renames the old file instead.
func (a *atomicFile) keepOld(link func(old, new string) error) error {
	kept := a.Temp + ".old"
	err := link(a.place, kept)
	if err != nil && !os.IsNotExist(err) {
		err = os.Rename(a.place, kept)
	}
	switch {
	case err == nil:
		a.kept = kept
	case os.IsNotExist(err):
		err = nil // no old file
	}
	return err
}

// rollback restores the old file, or removes the new one if there was no old file.
func (a *atomicFile) rollback() error {
	if a.kept == "" {
		return os.Remove(a.place)
	}
	return os.Rename(a.kept, a.place)
}

// removeOld removes the kept link to the old file, if any.
func (a *atomicFile) removeOld() {
	if a.kept != "" {
		os.Remove(a.kept)
	}
}
