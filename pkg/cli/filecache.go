package cli

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

// An openCache is the cache that --cache names, and the output that replaces its file at the end. A
// nil openCache stands for a run without a cache.
type openCache struct {
	cache *filegroup.Cache
	out   *bufio.Writer
}

// openCache reads the cache and reserves its output, so that a cache that cannot be read or written
// ends the run before anything is changed. A file that does not exist, or is empty, is an empty
// cache. A symbolic link to a missing file is an error: the disk that it leads to may be missing.
func (g *filesOptions) openCache(e *tool.Env) (*openCache, error) {
	if g.cache == "" {
		return nil, nil
	}
	info, err := os.Stat(g.cache)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, dangling := os.Lstat(g.cache); dangling == nil {
			return nil, fmt.Errorf("--cache %s: the file that the symbolic link leads to does not exist", g.cache)
		}
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("--cache %s: not a regular file", g.cache)
	}
	c := &openCache{}
	if c.cache, err = readCache(g.cache); err != nil {
		return nil, err
	}
	c.out, err = e.Create(g.cache)
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
func (c *openCache) hashes() *filegroup.Cache {
	if c == nil {
		return nil
	}
	return c.cache
}

func (c *openCache) write() error {
	if c == nil {
		return nil
	}
	return c.cache.Write(c.out)
}
