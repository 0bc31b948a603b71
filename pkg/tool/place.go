package tool

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// Several files cannot be renamed in one step. So what is replaced keeps a second name,
// a hard link, until all are in their places: if the system refuses one, those before
// it are taken back. A file system without links takes none back, and that is told.

// finish puts the files in their places, or removes them.
func (o *Outputs) finish(err error) error {
	files := o.renamed()
	for _, one := range o.all {
		if cerr := one.file.seal(err); err == nil {
			err = cerr
		}
	}
	if err == nil {
		err = putAll(files)
	}
	for _, one := range files {
		one.remove()
	}
	return err
}

// putAll renames the files, or none of them.
func putAll(files []*atomicFile) error {
	for i, one := range files {
		if err := one.put(i+1 < len(files)); err != nil {
			return tellStaying(err, takeBack(files[:i]))
		}
	}
	return nil
}

// renamed returns the files that are renamed, not written through.
func (o *Outputs) renamed() (files []*atomicFile) {
	for _, one := range o.all {
		if one.file != nil && one.file.beside != "" {
			files = append(files, one.file)
		}
	}
	return files
}

// takeBack brings back what the files replaced, and returns the names of those where
// it could not.
func takeBack(files []*atomicFile) (stay []string) {
	for _, one := range files {
		if !one.takeBack() {
			stay = append(stay, one.name)
		}
	}
	return stay
}

func tellStaying(err error, names []string) error {
	if len(names) == 0 {
		return err
	}
	return WithHint(err, "%s was written before, and stays", strings.Join(names, " "))
}

// seal gives the file the mode that it is to have, unless the run failed, and closes
// it. A nil file is standard output, and stays open.
func (a *atomicFile) seal(failed error) (err error) {
	if a == nil {
		return nil
	}
	if failed == nil && a.beside != "" {
		err = os.Chmod(a.beside, a.mode()) // by name: another program may have made it anew
	}
	if cerr := a.Close(); err == nil {
		err = cerr
	}
	return err
}

// put renames the file; if more follow, what it replaces keeps a name.
func (a *atomicFile) put(more bool) error {
	if more {
		a.keepOld()
	}
	err := os.Rename(a.beside, a.place)
	if err == nil {
		a.beside = "" // nothing is left to remove
	}
	return err
}

// keepOld gives what is in the place a second name, or notes that nothing is there.
func (a *atomicFile) keepOld() {
	name := a.beside + ".old"
	err := os.Link(a.place, name)
	if err == nil {
		a.spare = name
	}
	a.fresh = errors.Is(err, fs.ErrNotExist)
}

// takeBack undoes put, and returns false if it cannot.
func (a *atomicFile) takeBack() bool {
	if a.fresh {
		return os.Remove(a.place) == nil
	}
	if a.spare == "" {
		return false
	}
	return os.Rename(a.spare, a.place) == nil
}
