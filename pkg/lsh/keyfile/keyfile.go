// Package keyfile finds buckets in a sorted file of keys.
package keyfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"doppel/pkg/digest"
	"doppel/pkg/line"
	"doppel/pkg/lsh"
)

// A File is a file of keys in the output format of lshkeys, sorted bytewise. It serves as an index
// on disk: a bucket can be found without reading the whole file. The sorted keys of further records
// can be merged into it with the command sort -m.
//
// The search for a bucket alternates between interpolation and halving, because buckets need not
// be distributed evenly. It takes about six reads in a file of 10 million keys.
type File struct {
	file   *os.File
	size   int64
	Digest uint64 // digest in the first key of the file
}

// keyLen is the length of a key in text form.
const keyLen = 16 + 1 + 16

// ErrUnsorted is returned if keys are found out of order.
var ErrUnsorted = errors.New("the keys are not sorted")

// Open opens a file of keys. It returns nil without an error if the file is not regular, is empty or
// its first line is not a key.
func Open(name string) (*File, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	first := make([]byte, keyLen+1)
	if _, err := io.ReadFull(f, first); err != nil {
		return nil, f.Close()
	}
	key, err := parseKey(first)
	if err != nil {
		return nil, f.Close()
	}
	return &File{f, info.Size(), key.Digest}, nil
}

// Name returns the name of the file.
func (k *File) Name() string { return k.file.Name() }

// Close closes the file.
func (k *File) Close() error { return k.file.Close() }

// An Entry is a record in a bucket.
type Entry struct {
	Digest uint64
	ID     []byte
}

// A Finder finds buckets in a file. Each goroutine needs its own.
type Finder struct {
	*File
	buf []byte
}

// readLen is the number of bytes that a Finder reads at a time. Most lines are shorter.
const readLen = 4096

// NewFinder returns a finder for use by one goroutine.
func (k *File) NewFinder() *Finder { return &Finder{k, make([]byte, 2*readLen)} }

// Find appends the entries of a bucket to dst in file order. The limit is a number of different
// digests. If the bucket has more, Find also appends the first entry beyond the limit, so that the
// caller can tell that there are more, and stops.
func (f *Finder) Find(dst []Entry, bucket uint64, limit int) ([]Entry, error) {
	digests := 0
	err := f.readFrom(lsh.Key{Bucket: bucket}, func(key lsh.Key, id []byte) bool {
		if key.Bucket != bucket {
			return false
		}
		if digests == 0 || dst[len(dst)-1].Digest != key.Digest {
			digests++
		}
		dst = append(dst, Entry{key.Digest, bytes.Clone(id)})
		return digests <= limit
	})
	return dst, err
}

// FindEqual appends the entries of a bucket that have the given digest to dst, in file order. It
// searches for them, and does not read the other entries of the bucket.
func (f *Finder) FindEqual(dst []Entry, key lsh.Key) ([]Entry, error) {
	err := f.readFrom(key, func(k lsh.Key, id []byte) bool {
		if k == key {
			dst = append(dst, Entry{k.Digest, bytes.Clone(id)})
		}
		return k == key
	})
	return dst, err
}

// readFrom passes the keys that are not less than first to fn, in file order, with their ids, until
// fn returns false. An id is valid until fn returns.
func (f *Finder) readFrom(first lsh.Key, fn func(key lsh.Key, id []byte) bool) error {
	at, err := f.searchStart(first)
	for err == nil && at < f.size {
		var lines []byte
		if lines, err = f.readLines(at, 0); err != nil {
			return err
		}
		at += int64(len(lines))
		for len(lines) > 0 {
			n := bytes.IndexByte(lines, '\n') + 1
			key, err := parseKey(lines[:n-1])
			if err != nil {
				return err
			}
			if compareKeys(key, first) >= 0 {
				var l line.Key
				if err := l.Parse(lines[:n-1]); err != nil {
					return err
				}
				if !fn(key, l.ID) {
					return nil
				}
			}
			lines = lines[n:]
		}
	}
	return err
}

func compareKeys(a, b lsh.Key) int {
	return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Digest, b.Digest))
}

// searchStart returns the offset of a line from which readFrom can read forward: the first line
// whose key is not less than the given one, or a line that begins up to about readLen bytes earlier.
func (f *Finder) searchStart(first lsh.Key) (int64, error) {
	lo, hi := int64(0), f.size // lines before lo have smaller keys; lines that begin after hi do not
	least, most := lsh.Key{}, lsh.Key{Bucket: ^uint64(0), Digest: ^uint64(0)}
	for step := 0; hi-lo > readLen; step++ {
		mid := lo + (hi-lo)/2
		if step%2 == 0 && most.Bucket > least.Bucket {
			mid = lo + int64(float64(hi-lo)*(float64(first.Bucket-least.Bucket)/float64(most.Bucket-least.Bucket)))
			mid = min(max(mid-readLen/2, lo), hi-readLen/2)
		}
		lines, err := f.readLines(mid, 1)
		if err != nil {
			return 0, err
		}
		skip := int64(bytes.IndexByte(lines, '\n') + 1)
		if mid+skip >= hi { // no line begins between mid and hi
			hi = mid
			continue
		}
		key, err := parseKey(lines[skip:])
		switch {
		case err != nil:
			return 0, err
		case compareKeys(key, least) < 0 || compareKeys(key, most) > 0:
			return 0, ErrUnsorted
		case compareKeys(key, first) < 0:
			lo, least = mid+skip, key
		default:
			hi, most = mid, key
		}
	}
	return lo, nil
}

// readLines reads from the given offset to the end of the file or until it has more than the given
// number of newlines, and returns the bytes up to the last newline. The result is valid until the
// next call.
func (f *Finder) readLines(at int64, more int) ([]byte, error) {
	for n := readLen; ; n *= 2 {
		n = int(min(int64(n), f.size-at))
		f.buf = slices.Grow(f.buf[:0], n+1)[:n]
		if _, err := f.file.ReadAt(f.buf, at); err != nil {
			return nil, err
		}
		if at+int64(n) == f.size {
			if f.buf[n-1] != '\n' {
				f.buf = append(f.buf, '\n')
			}
			return f.buf, nil
		}
		if bytes.Count(f.buf, newline) > more {
			return f.buf[:bytes.LastIndexByte(f.buf, '\n')+1], nil
		}
	}
}

var newline = []byte{'\n'}

func parseKey(text []byte) (k lsh.Key, err error) {
	if len(text) <= keyLen || text[16] != '.' || text[keyLen] != '\t' {
		return k, fmt.Errorf("invalid key %.40q: want two hex numbers, a TAB and an id", text)
	}
	bucket, ok := digest.ParseHex(text[:16])
	set, ok2 := digest.ParseHex(text[17:keyLen])
	if !ok || !ok2 {
		return k, fmt.Errorf("invalid key %.40q: want two hex numbers, a TAB and an id", text)
	}
	return lsh.Key{Bucket: bucket, Digest: set}, nil
}
