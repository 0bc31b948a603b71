// Package filegroup finds the files that are equal, reading as little as it can:
//
//  1. A file whose size no other has cannot have a copy. Nothing is read.
//  2. Of the others the block hash is made: three blocks of a large file.
//  3. Those that share it are compared byte by byte, up to the first
//     difference, or by a 128-bit hash of all their bytes.
//
// Names of one file, hard links and names given twice, are no copies of it:
// the first name stands for all, and has the others beside it. Empty files are
// left out.
//
// Names and what the system knows of the files wait in a scratch file, 64
// bytes and the name for each, and sorters of 16 bytes a file spill beside
// it; what must fit into memory is the entries of a partition of 64, and the
// members of one group.
//
// A file is looked at up to four times: when it is named, before it is hashed,
// before it is compared, and in [Group.Check]. One that has changed since the
// first look is reported and left out.
package filegroup

import (
	"sync"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
)

// A Confirmation is what makes a group of files that share a block hash.
type Confirmation int

// The confirmations.
const (
	Bytes   Confirmation = iota // all bytes are compared
	Hash                        // a 128-bit hash of all bytes is compared
	Nothing                     // the block hash alone decides
)

// Options say how to find groups.
type Options struct {
	Sum     filesum.Options // how the block hash is made
	Confirm Confirmation
	Cache   *Cache                       // what is known of files from before, or nil
	Spared  filename.Source              // files that are named before all others, and are to stay; or nil
	MinSize int64                        // smaller files are left out
	Jobs    int                          // threads
	Mem     int64                        // bytes in sorters
	Report  func(error)                  // is told of files that are left out, one at a time
	Read    func(files int, bytes int64) // is told what was read
	Named   func([]byte, *files.Info)    // is told of each file that is not left out; or nil
}

// A Member is a file of a group, under the first of its names.
type Member struct {
	Name   []byte
	Others [][]byte   // its further names
	Info   files.Info // without Links, Mode, UID and GID
	Spared bool       // it is one of Options.Spared
}

// A Group is files that are equal, in the order in which they were named.
type Group struct{ Members []Member }

// Check looks at the files once more, reports those that have changed since
// they were named, and takes them out of the group.
func (g *Group) Check(links files.Links, report func(error)) {
	kept := g.Members[:0]
	for _, m := range g.Members {
		now, err := files.Stat(m.Name, links)
		if err == nil {
			err = m.same(&now)
		}
		if err != nil {
			report(err)
			continue
		}
		kept = append(kept, m)
	}
	g.Members = kept
}

// same returns an error unless this is the file that was named, unchanged.
func (m *Member) same(now *files.Info) error {
	if !m.Info.Same(now) {
		return &files.Error{Name: string(m.Name), Err: files.ErrChanged}
	}
	return nil
}

// Find hands the groups of the files of the source to emit, in the order in
// which the first of those that share a block hash were named.
func Find(src filename.Source, o *Options, emit func(*Group) error) error {
	f := &finder{o: o, store: new(store), pool: sync.Pool{New: func() any { return new(batch) }}}
	defer f.store.log.Close()
	bySize := newSorter(0, f.o.Mem/2)
	if o.Spared != nil {
		if err := f.list(bySize, o.Spared); err != nil {
			return err
		}
		f.spared = f.store.end()
	}
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
