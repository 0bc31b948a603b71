package filegroup

import (
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
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
)

// A Cache stores hashes of files by device, inode, size, mtime and ctime. A file may change after
// it is hashed and keep the same times, because file systems record times with a resolution of a
// few milliseconds to two seconds. So a file that changed less than [settled] seconds before the
// cache was created is not cached.
//
// A cache file is a text file. Its first line has a title and a checksum of all other lines. Each
// other line has seven fields separated by tabs: the scheme of the hash, the five values above
// (times as seconds with nine decimals), and the hash. A flipped bit in a hash would hide a copy,
// so NewCache returns an error if the checksum does not match. The whole cache is in memory and
// takes about 200 bytes per file. A nil Cache finds nothing and stores nothing.
type Cache struct {
	now   int64 // when the cache was created, in seconds since 1970
	known table // hashes read from the cache file; may be read concurrently
	fresh table // hashes added in this run
}

// A table maps the state of a file to its hashes, at most one per scheme.
type table map[identity][]storedHash

// settled is a number of seconds: two changes to a file that are at least this far apart leave
// different times. So a cached file whose times are unchanged is itself unchanged.
const settled = 2

type identity struct {
	dev, ino     uint64
	size         int64
	mtime, ctime files.Time
}

type storedHash struct {
	scheme string
	sum    blockhash.Sum
}

// Titles of cache files in the current and in the older format. The older format has no checksum;
// NewCache ignores the content of such a file.
const (
	cacheTitle = "doppel files cache 2 "
	oldTitle   = "doppel files cache 1\n"
)

// Errors that NewCache returns for a file that is not a cache or is damaged.
var (
	errNotCache = errors.New("not a cache written by doppel files")
	errHarmed   = fmt.Errorf("%w: the file was truncated or changed", errNotCache)
)

// NewCache reads a cache from a file written by [Cache.Write]. If r is nil or the file is empty,
// the cache is empty. The current time must be given in seconds since 1970.
func NewCache(r io.Reader, now int64) (*Cache, error) {
	c := &Cache{now: now, known: table{}, fresh: table{}}
	if r == nil {
		return c, nil
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	rest, ok := strings.CutPrefix(string(text), cacheTitle)
	if !ok {
		if len(text) == 0 || strings.HasPrefix(rest, oldTitle) {
			return c, nil
		}
		return nil, errNotCache
	}
	sum, lines, _ := strings.Cut(rest, "\n")
	if sum != sumOf(lines) {
		return nil, errHarmed
	}
	n := 1
	for l := range strings.Lines(lines) {
		n++
		if err := c.parse(strings.TrimSuffix(l, "\n")); err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", n, errNotCache, err)
		}
	}
	return c, nil
}

func sumOf(lines string) string { return string(digest.Hash{}.Sum([]byte(lines)).AppendHex(nil)) }

// learn adds the hash in a row to c.fresh, unless the row has no hash or the file changed too
// recently. Other goroutines may look up hashes in c.known at the same time.
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

// Write writes all hashes in sorted order. It omits the old hashes of a file that has changed.
func (c *Cache) Write(w io.Writer) error {
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
	var lines []string
	for id, hashes := range all {
		for _, s := range hashes {
			l := fmt.Appendf(nil, "%s\t%d\t%d\t%d\t", s.scheme, id.dev, id.ino, id.size)
			l = append(id.mtime.Append(l), '\t')
			l = append(id.ctime.Append(l), '\t')
			lines = append(lines, string(append(s.sum.AppendHex(l), '\n')))
		}
	}
	slices.Sort(lines)
	rest := strings.Join(lines, "")
	_, err := io.WriteString(w, cacheTitle+sumOf(rest)+"\n"+rest)
	return err
}

// parse reads a line written by Write and adds its hash to the cache.
func (c *Cache) parse(line string) error {
	col := strings.Split(line, "\t")
	if len(col) != 7 {
		return fmt.Errorf("want 7 columns, found %d", len(col))
	}
	var err error // first error returned by the number parsers below
	unsigned := func(s string, bits int) uint64 {
		n, e := strconv.ParseUint(s, 10, bits)
		err = cmp.Or(err, e)
		return n
	}
	signed := func(s string) int64 {
		n, e := strconv.ParseInt(s, 10, 64)
		err = cmp.Or(err, e)
		return n
	}
	time := func(s string) files.Time {
		sec, nsec, _ := strings.Cut(s, ".")
		return files.Time{Sec: signed(sec), Nsec: int64(unsigned(nsec, 30))}
	}
	id := identity{dev: unsigned(col[1], 64), ino: unsigned(col[2], 64), size: signed(col[3]), mtime: time(col[4]), ctime: time(col[5])}
	sum, e := digest.Parse([]byte(col[6]))
	if err = cmp.Or(e, err); err == nil {
		c.known.add(id, storedHash{col[0], sum})
	}
	return err
}

// A cachingSigner hashes files, or takes their hashes from a cache. Each goroutine needs its own
// cachingSigner.
type cachingSigner struct {
	*filesum.Signer
	cache  *Cache // may be nil
	scheme string
}

func newCachingSigner(o *filesum.Options, c *Cache) *cachingSigner {
	return &cachingSigner{filesum.NewSigner(o), c, o.Scheme()}
}

// sign returns a row for each item, and reuses the memory of rows. items[i] must name the file of
// ms[i]. If a file has changed since its member was created, its row has an error.
func (r *cachingSigner) sign(rows []filesum.Row, items []filename.Item, ms []Member) []filesum.Row {
	rows = rows[:0]
	unknown := 0 // index of the first item without a row
	if r.cache != nil {
		for i := range items {
			if sum, ok := r.cache.known.find(r.scheme, identityOf(&ms[i].Info)); ok {
				rows = r.Sign(rows, items[unknown:i])
				rows = append(rows, filesum.Row{Name: items[i].Name, Info: ms[i].Info, Sum: sum, Hashed: true})
				unknown = i + 1
			}
		}
	}
	rows = r.Sign(rows, items[unknown:])
	for i := range rows {
		if rows[i].Err == nil {
			rows[i].Err = ms[i].same(&rows[i].Info)
		}
	}
	return rows
}
