// Package equalfiles holds the options for finding equal files, which doppel files and doppel dirs
// share.
package equalfiles

import (
	"sync/atomic"

	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"doppel/pkg/blockhash"
	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/files/filesum"
	"doppel/pkg/flagset"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options says which files are compared, and how.
type Options struct {
	Names     tool.Files
	Verify    bool         // compare every byte of possibly equal files
	Trust     bool         // compare hashes of whole files instead of their bytes
	Least     flagset.Size // skip files smaller than this
	Most      flagset.Size // skip files larger than this; 0 means no limit
	Exclude   []string     // skip files and directories whose names match any of these patterns
	OneSystem bool         // skip directories on other file systems
	Cache     string       // name of the file that stores hashes, or ""

	passed int64 // number of links and special files that walks passed over; counted atomically
}

func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.Verify, "verify", o.Verify, "compare every byte of the files that share a size and a block hash (default: on, off: --verify=false)")
	fs.BoolVar(&o.Trust, "trust", o.Trust, "compare 128-bit hashes of files, not their bytes")
	fs.Var(&o.Least, "min-size", "ignore files of fewer than `SIZE` bytes")
	fs.Var(&o.Most, "max-size", "ignore files of more than `SIZE` bytes (default: no limit)")
	fs.StringArrayVar(&o.Exclude, "exclude", o.Exclude, "ignore files and directories whose names match `GLOB`; a name is compared without the directories above it; may be repeated")
	fs.BoolVar(&o.OneSystem, "one-file-system", o.OneSystem, "do not enter directories on other file systems")
	fs.StringVar(&o.Cache, "cache", o.Cache, "remember hashes in `FILE`")
	flags.MarkWritten(fs, "cache")
	o.Names.Flags(fs)
	flagset.Assign(fs, flagset.Duplicates, "verify", "trust")
	flagset.Assign(fs, flagset.Input, "min-size", "max-size", "exclude", "one-file-system")
	flagset.Assign(fs, flagset.Resources, "cache")
}

// Walk returns a walk over the files below the roots.
func (o *Options) Walk(roots []string) *files.Walk {
	walk := files.NewWalk(roots, o.Names.Links())
	walk.OneFileSystem = o.OneSystem
	walk.Passed = func(_ []byte, mode uint32) {
		if mode&unix.S_IFMT != unix.S_IFDIR {
			atomic.AddInt64(&o.passed, 1)
		}
	}
	if len(o.Exclude) > 0 {
		walk.Leave = func(name []byte) bool { return files.Match(o.Exclude, name) }
	}
	return walk
}

// Passed returns the number of links and special files that the walks passed over.
func (o *Options) Passed() int64 { return atomic.LoadInt64(&o.passed) }

// Named returns a function that is called for each file to be compared. It returns an error
// if the file is an output of the run, and leaves out the cache.
func (o *Options) Named(e *tool.Env) func(*files.Info) error {
	written := e.Written()
	cache, err := files.Stat([]byte(o.Cache), files.Follow)
	return func(found *files.Info) error {
		if err == nil && found.Dev == cache.Dev && found.Ino == cache.Ino {
			return filegroup.ErrLeaveOut
		}
		return written.Check(found.Dev, found.Ino)
	}
}

// Filegroup returns the options with which package filegroup compares the files. The caller adds
// what to do with the names, and the files to spare.
func (o *Options) Filegroup(e *tool.Env, cache *Cache) (*filegroup.Options, error) {
	hash, err := blockhash.New(blockhash.XXH64, nil)
	find := &filegroup.Options{
		Sum:     filesum.Options{Rule: blockhash.Default, Hash: hash, Links: o.Names.Links()},
		Confirm: o.Confirmation(),
		Cache:   cache.hashes(),
		MinSize: int64(o.Least),
		MaxSize: int64(o.Most),
		Jobs:    e.Jobs,
		Mem:     int64(e.Mem),
		Report:  e.Warn,
		Read:    e.HaveRead,
	}
	return find, err
}

// Confirmation returns the comparison selected by the flags.
func (o *Options) Confirmation() filegroup.Confirmation {
	switch {
	case o.Trust:
		return filegroup.Hash
	case o.Verify:
		return filegroup.Bytes
	}
	return filegroup.Nothing
}
