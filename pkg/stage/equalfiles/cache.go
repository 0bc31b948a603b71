package equalfiles

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A Cache is the cache that --cache names, and the output that replaces its file at the end. A
// nil Cache stands for a run without a cache.
type Cache struct {
	cache *filegroup.Cache
	out   *bufio.Writer
}

// OpenCache reads the cache and reserves its output, so that a cache that cannot be read or written
// ends the run before anything is changed. A file that does not exist, or is empty, is an empty
// cache. A symbolic link to a missing file is an error: the disk that it leads to may be missing.
func (o *Options) OpenCache(e *tool.Env) (*Cache, error) {
	if o.Cache == "" {
		return nil, nil
	}
	info, err := os.Stat(o.Cache)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, dangling := os.Lstat(o.Cache); dangling == nil {
			return nil, fmt.Errorf("--cache %s: the file that the symbolic link leads to does not exist", o.Cache)
		}
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("--cache %s: not a regular file", o.Cache)
	}
	c := &Cache{}
	if c.cache, err = readCache(o.Cache); err != nil {
		return nil, err
	}
	c.out, err = e.Create(o.Cache)
	return c, err
}

func readCache(name string) (*filegroup.Cache, error) {
	now := time.Now().Unix()
	in, err := record.OpenStream(name, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return filegroup.NewCache(nil, now)
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	c, err := filegroup.NewCache(in, now)
	if err != nil {
		err = &files.Error{Name: name, Err: err}
	}
	return c, err
}

// hashes returns the hashes of the cache, or nil.
func (c *Cache) hashes() *filegroup.Cache {
	if c == nil {
		return nil
	}
	return c.cache
}

// Write writes the cache to its output. It does nothing if c is nil.
func (c *Cache) Write() error {
	if c == nil {
		return nil
	}
	return c.cache.Write(c.out)
}
