// Package filegroup finds equal files, reading as little as possible:
//
//  1. A file with a unique size cannot have a copy, so it is not read.
//  2. All other files are hashed by blocks. By default, only three blocks of a large file are read.
//  3. Files with equal block hashes are compared byte by byte, up to the first
//     difference, or by a 128-bit hash of all their bytes.
//
// Names of the same file (hard links, or names given twice) are not copies: the first
// name represents the file, and its Member lists the others. Empty files are left out.
//
// The names and stat results of all files are written to a spill file; an entry takes 64 bytes plus
// the length of the name. Sorters take 16 bytes per file, and spill to disk what exceeds
// [Options].Mem. Each of a sorter's 64 partitions must fit into memory, and so must the members of
// each group.
//
// Files that must be kept ([Options].Spared) must all be readable. If one of them is not, Find ends
// before it emits a group, or leaves out the groups to which the file may belong.
//
// The status of a file is read up to four times: when it is listed, before it is hashed, before it
// is compared, and in [Group.Check]. A file that has changed since it was listed is reported and
// left out.
package filegroup

import (
	"errors"
	"math"
	"sync"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
)

// A Confirmation says how files that share a block hash are confirmed to be equal.
type Confirmation int

// The confirmations.
const (
	Bytes   Confirmation = iota // all bytes are compared
	Hash                        // a 128-bit hash of all bytes is compared
	Nothing                     // files with the same block hash count as equal
)

// Options holds the options of [Find] and [Catalog.Find].
type Options struct {
	Sum     filesum.Options // how to compute the block hash
	Confirm Confirmation
	Cache   *Cache                       // hashes from earlier runs, or nil
	Spared  filename.Source              // files that must not be removed, listed before all others; may be nil. Each of them must be readable
	MinSize int64                        // smaller files are left out
	Jobs    int                          // number of threads
	Mem     int64                        // memory for sorters, in bytes
	Report  func(error)                  // called for each file left out because of an error; never called concurrently
	Read    func(files int, bytes int64) // called with the numbers of files and bytes read since the last call
	MaxSize int64                        // larger files are left out; 0 means no limit

	// Named, if set, is called for each file that is listed. Its error ends the search, except that
	// ErrLeaveOut leaves out the file.
	Named func([]byte, *files.Info) error
	// Left, if set, is called for each file that is left out because of its size.
	Left func([]byte, *files.Info)
}

// ErrLeaveOut is returned by Options.Named for a file that is not to be compared.
var ErrLeaveOut = errors.New("left out")

// A SparedError is an error of one of the files in Options.Spared. It ends the search before any
// group is emitted.
type SparedError struct{ Err error }

func (e *SparedError) Error() string { return e.Err.Error() }

func (e *SparedError) Unwrap() error { return e.Err }

// A Member is a file of a group.
type Member struct {
	Name   []byte        // the first of the file's names
	Others [][]byte      // other names of the same file
	Kind   filename.Kind // Named if the first name is an operand, so that a link is followed
	Info   files.Info    // status when the file was listed; Allocated, Links, Mode, UID and GID are set by [Group.Check]
	Spared bool          // whether the file is one of Options.Spared
}

// Saves returns the number of bytes that removing the file frees, at most its size: holes take no
// space. It is valid after [Group.Check].
func (m *Member) Saves() int64 { return min(m.Info.Size, m.Info.Allocated) }

// A Group holds equal files: spared files first, otherwise in the order of the source.
type Group struct{ Members []Member }

// Check reads the status of the files again, reports files that have changed since they were
// listed, and removes them from the group. If one of them is spared, the group is left empty,
// because that file may be the only reason to keep the others.
func (g *Group) Check(links files.Links, report func(error)) {
	kept, doubt := g.Members[:0], false
	for _, m := range g.Members {
		now, err := files.Stat(m.Name, links.Of(m.Kind))
		if err == nil {
			err = m.same(&now)
		}
		if err != nil {
			report(err)
			doubt = doubt || m.Spared
			continue
		}
		m.Info = now
		kept = append(kept, m)
	}
	if g.Members = kept; doubt {
		g.Members = nil
	}
}

// same returns an error if the file has been changed or replaced since it was listed. The argument
// is the current status of the file.
func (m *Member) same(now *files.Info) error {
	if !m.Info.Same(now) {
		return &files.Error{Name: string(m.Name), Err: files.ErrChanged}
	}
	return nil
}

// Find finds the groups of equal files in src and calls emit for each group. The groups are
// sorted by the position of the first file with the same block hash.
func Find(src filename.Source, o *Options, emit func(*Group) error) error {
	f := &finder{o: o, store: new(store), pool: sync.Pool{New: func() any { return new(batch) }}}
	defer f.store.log.Close()
	bySize := newSorter(0, f.o.Mem/2)
	if o.Spared != nil {
		f.spared = math.MaxUint64 // all files listed so far are spared
		if err := f.list(bySize, o.Spared); err != nil {
			return err
		}
	}
	f.spared = f.store.end()
	err := f.list(bySize, src)
	if err != nil {
		return err
	}
	hashed, err := f.hash(bySize)
	if err != nil {
		return err
	}
	return f.confirm(hashed, emit)
}
