// Package keyfile finds buckets in a sorted file of keys.
package keyfile

import (
	"bytes"
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

// Open opens a file of keys. It returns nil without an error if the file is not regular or its
// first line is not a key.
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
	at, err := f.searchStart(bucket)
	if err != nil {
		return dst, err
	}
	for digests := 0; at < f.size && digests <= limit; {
		lines, err := f.readLines(at, 0)
		if err != nil {
			return dst, err
		}
		at += int64(len(lines))
		for len(lines) > 0 && digests <= limit {
			n := bytes.IndexByte(lines, '\n') + 1
			key, err := parseKey(lines[:n-1])
			if err != nil || key.Bucket > bucket {
				return dst, err
			}
			if key.Bucket == bucket {
				if digests == 0 || dst[len(dst)-1].Digest != key.Digest {
					digests++
				}
				var l line.Key
				if err := l.Parse(lines[:n-1]); err != nil {
					return dst, err
				}
				dst = append(dst, Entry{key.Digest, bytes.Clone(l.ID)})
			}
			lines = lines[n:]
		}
	}
	return dst, nil
}

// searchStart returns the offset of a line from which Find can read forward: the first line of the
// bucket, or a line that begins up to about readLen bytes earlier.
func (f *Finder) searchStart(bucket uint64) (int64, error) {
	lo, hi := int64(0), f.size // lines before lo have smaller buckets; lines that begin after hi do not
	least, most := uint64(0), ^uint64(0)
	for step := 0; hi-lo > readLen; step++ {
		mid := lo + (hi-lo)/2
		if step%2 == 0 && most > least {
			mid = lo + int64(float64(hi-lo)*(float64(bucket-least)/float64(most-least)))
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
		case key.Bucket < least || key.Bucket > most:
			return 0, ErrUnsorted
		case key.Bucket < bucket:
			lo, least = mid+skip, key.Bucket
		default:
			hi, most = mid, key.Bucket
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
