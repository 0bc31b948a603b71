package filegroup

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/blockhash"
	"doppel/pkg/digest"
	"doppel/pkg/files"
	"doppel/pkg/files/filesum"
)

// A Cache remembers hashes of files by device, inode, size, mtime and ctime. A file
// that changed after it was hashed may have the same times: clocks of file systems
// tick every few milliseconds, or every two seconds. So nothing is remembered of a
// file whose times were younger than [settled] when the cache was made.
//
// It is lines: the first is a title and the sum of the rest, each other one has the
// scheme of the hash, the five, times as seconds with nine decimals, and the hash, with
// TABs between them. A bit that flips in a hash would hide a copy, so what the sum does
// not fit is refused.
// It is all in memory, 200 bytes a file. A nil Cache knows nothing and learns
// nothing.
type Cache struct {
	now   int64 // when it was made, in seconds
	known table // from the file; others look it up
	fresh table // of this run
}

// A table is hashes by the state of files.
type table map[identity][]storedHash

// settled is the age in seconds from which times are believed.
const settled = 2

// identity is a file and its state.
type identity struct {
	dev, ino     uint64
	size         int64
	mtime, ctime files.Time
}

// A storedHash is a hash and how it was made.
type storedHash struct {
	scheme string
	sum    blockhash.Sum
}

// The titles: of a cache, and of those that had no sum, which are made anew.
const (
	cacheTitle = "doppel files cache 2 "
	oldTitle   = "doppel files cache 1\n"
)

// The errors of a file that is something else, or that was harmed.
var (
	errNotCache = errors.New("not a cache of doppel files")
	errHarmed   = fmt.Errorf("%w any more: it was cut or changed", errNotCache)
)

// NewCache returns a cache that knows what a file that Write wrote says; nil is a
// file without any. Now is the present time, in seconds since 1970.
func NewCache(r io.Reader, now int64) (*Cache, error) {
	c := &Cache{now: now, known: table{}, fresh: table{}}
	if r == nil {
		return c, nil
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	rest, err := believed(text)
	if err != nil {
		return nil, err
	}
	n := 1
	for l := range bytes.Lines(rest) {
		n++
		if err := c.parse(bytes.TrimSuffix(l, []byte("\n"))); err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", n, errNotCache, err)
		}
	}
	return c, nil
}

// believed returns the lines of a cache, if they are those that were written.
func believed(text []byte) (lines []byte, err error) {
	rest, ok := bytes.CutPrefix(text, []byte(cacheTitle))
	if !ok {
		if len(text) == 0 || bytes.HasPrefix(text, []byte(oldTitle)) {
			return nil, nil
		}
		return nil, errNotCache
	}
	sum, lines, _ := bytes.Cut(rest, []byte("\n"))
	if string(sum) != sumOf(lines) {
		return nil, errHarmed
	}
	return lines, nil
}

func sumOf(lines []byte) string { return string(digest.Hash{}.Sum(lines).AppendHex(nil)) }

// lookUp returns the hash of a file.
func (c *Cache) lookUp(scheme string, i *files.Info) (sum blockhash.Sum, ok bool) {
	return c.known.find(scheme, identityOf(i))
}

// learn adds the hash of a file. Others may look up meanwhile.
func (c *Cache) learn(scheme string, row *filesum.Row) {
	if c == nil || row.Err != nil || !row.Hashed || c.now-max(row.Info.Mtime.Sec, row.Info.Ctime.Sec) < settled {
		return
	}
	c.fresh.add(identityOf(&row.Info), storedHash{scheme, row.Sum})
}

func identityOf(i *files.Info) identity { return identity{i.Dev, i.Ino, i.Size, i.Mtime, i.Ctime} }

func (t table) find(scheme string, id identity) (sum blockhash.Sum, ok bool) {
	for _, s := range t[id] {
		if s.scheme == scheme {
			return s.sum, true
		}
	}
	return sum, false
}

func (t table) add(id identity, s storedHash) {
	if _, ok := t.find(s.scheme, id); !ok {
		t[id] = append(t[id], s)
	}
}

// merged returns all that is known; of a file that changed, what it is now.
func (c *Cache) merged() table {
	now := map[[2]uint64]identity{}
	for id := range c.fresh {
		now[[2]uint64{id.dev, id.ino}] = id
	}
	all := table{}
	for _, t := range []table{c.known, c.fresh} {
		for id, hashes := range t {
			if newest, ok := now[[2]uint64{id.dev, id.ino}]; ok && newest != id {
				continue
			}
			for _, s := range hashes {
				all.add(id, s)
			}
		}
	}
	return all
}

// Write writes all that is known, sorted.
func (c *Cache) Write(w io.Writer) error {
	var lines []string
	for id, hashes := range c.merged() {
		for _, s := range hashes {
			lines = append(lines, string(s.append(nil, id)))
		}
	}
	slices.Sort(lines)
	rest := strings.Join(lines, "")
	_, err := io.WriteString(w, cacheTitle+sumOf([]byte(rest))+"\n"+rest)
	return err
}

func (s storedHash) append(dst []byte, id identity) []byte {
	dst = append(append(dst, s.scheme...), '\t')
	dst = append(strconv.AppendUint(dst, id.dev, 10), '\t')
	dst = append(strconv.AppendUint(dst, id.ino, 10), '\t')
	dst = append(strconv.AppendInt(dst, id.size, 10), '\t')
	dst = append(id.mtime.Append(dst), '\t')
	dst = append(id.ctime.Append(dst), '\t')
	return append(s.sum.AppendHex(dst), '\n')
}

// parse reads what append wrote.
func (c *Cache) parse(line []byte) (err error) {
	p := columns{bytes.Split(line, []byte("\t")), nil}
	if len(p.left) != 7 {
		return fmt.Errorf("%d columns", len(p.left))
	}
	s := storedHash{scheme: string(p.next())}
	id := identity{dev: p.number(), ino: p.number(), size: p.size(), mtime: p.time(), ctime: p.time()}
	if s.sum, err = digest.Parse(p.next()); err == nil {
		err = p.err
	}
	if err == nil {
		c.known.add(id, s)
	}
	return err
}

// columns reads those of a line, and keeps the first error.
type columns struct {
	left [][]byte
	err  error
}

func (p *columns) next() (text []byte) {
	text, p.left = p.left[0], p.left[1:]
	return text
}

func (p *columns) number() uint64 {
	n, err := strconv.ParseUint(string(p.next()), 10, 64)
	p.err = cmp.Or(p.err, err)
	return n
}

func (p *columns) size() int64 {
	n, err := strconv.ParseInt(string(p.next()), 10, 64)
	p.err = cmp.Or(p.err, err)
	return n
}

func (p *columns) time() (t files.Time) {
	sec, nsec, _ := strings.Cut(string(p.next()), ".")
	var err error
	if t.Sec, err = strconv.ParseInt(sec, 10, 64); err == nil {
		var n uint64
		n, err = strconv.ParseUint(nsec, 10, 30)
		t.Nsec = int64(n)
	}
	p.err = cmp.Or(p.err, err)
	return t
}
