package record

import (
	"fmt"
	"os"
	"sync"

	"doppel/pkg/files"
)

// Openings finds files that change while a run reads them more than once. Positions and decisions
// of an earlier reading do not apply to another file of the same name. A nil Openings finds
// nothing. All methods may be called by several goroutines concurrently.
type Openings struct {
	mu    sync.Mutex
	files map[string]opening
}

// An opening describes a file when it was first opened.
type opening struct {
	*File
	reread bool
}

// check returns an error if the file of the given name was replaced or changed after it was first
// opened.
func (o *Openings) check(name string, f *File) error {
	if o == nil || f == nil || files.NamesStream(name) {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	first, known := o.files[name]
	if !known {
		if o.files == nil {
			o.files = map[string]opening{}
		}
		o.files[name] = opening{File: f}
		return nil
	}
	o.files[name] = opening{first.File, true}
	if !first.is(f.Info) {
		return errReplaced(f.Name)
	}
	return nil
}

// Reread notes that parts of a file are read again by offset, so Unchanged checks it.
func (o *Openings) Reread(f *File) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if first, known := o.files[f.Name]; known {
		o.files[f.Name] = opening{first.File, true}
	}
}

// Unchanged returns an error if a file that was read more than once has been replaced or changed
// since it was first opened.
func (o *Openings) Unchanged() error {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, f := range o.files {
		if !f.reread {
			continue
		}
		if info, err := os.Stat(name); err != nil || !f.is(info) {
			return errReplaced(f.Name)
		}
	}
	return nil
}

func errReplaced(name string) error { return fmt.Errorf("%s: changed while it was read", name) }

// A File is a regular, uncompressed file of lines. Its records can be reread by offset.
type File struct {
	Name string
	Info os.FileInfo // result of Stat when the file was opened
}

// fileOf returns a File that describes f, or nil if f is not a regular file.
func fileOf(f *os.File) *File {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return &File{f.Name(), info}
}

// is reports whether info describes the file as it was when it was opened.
func (f *File) is(info os.FileInfo) bool {
	return os.SameFile(f.Info, info) && f.Info.Size() == info.Size() && f.Info.ModTime().Equal(info.ModTime())
}

// Open opens the file again. It returns an error if the file was replaced or changed.
func (f *File) Open() (*os.File, error) {
	file, err := os.Open(f.Name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !f.is(info) {
		file.Close()
		return nil, errReplaced(f.Name)
	}
	return file, nil
}
