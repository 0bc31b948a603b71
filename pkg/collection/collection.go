// Package collection stores the kept records of a dataset that grows, so that new records can be
// compared with them without reading all of them.
//
// A collection is a directory. Its records are divided into segments, in the order in which they
// were added. A segment consists of a file of keys, sorted by bucket, and a file of the ids and
// the texts of its records, in frames compressed with zstd. If the scheme says so, records have
// signatures in place of texts, in a file of their own. The manifest, collection.json, names the
// files of the segments, with their sizes, counts and checksums. A file is never changed after the
// manifest names it, so readers need no lock: Open reads the manifest and opens all its files.
//
// One Writer at a time adds records. Its records are a new segment, which appears when Commit
// replaces the manifest. A file that the manifest does not name is the remainder of a writer that
// was killed; the next writer removes it. Neighbouring segments are merged as they grow, such that
// each record is rewritten a number of times that is logarithmic in the number of records. A merge
// keeps the order of the records.
//
// A key takes about 42 bits plus a share of the page header, whatever the number of records: with
// 16 keys of 40 bits per record, about 80 bytes per record. A search for few keys reads one page of
// 1 KiB per key and segment; a search for many keys reads all pages in order.
package collection

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
)

// ErrNone is returned by Open if there is no collection yet: the directory does not exist or is
// empty, so NewWriter may create the collection.
var ErrNone = errors.New("no collection")

// A Scheme defines how the records of a collection are compared. A run that adds records, or
// compares records with them, needs the same scheme.
type Scheme struct {
	Tool       string  `json:"tool"`                // the command that the collection belongs to: fuzzy or exact
	Signature  string  `json:"signature"`           // scheme of the signatures, as in line.Signature
	Threshold  float64 `json:"threshold,omitempty"` // similarity threshold
	Field      string  `json:"field,omitempty"`     // the text fields of the run that made the collection, a default for later runs
	Bands      int     `json:"bands,omitempty"`
	Rows       int     `json:"rows,omitempty"`
	Hot        int     `json:"hot,omitempty"`  // number of old records of a bucket that a record is compared with
	BucketBits int     `json:"bucket_bits"`    // buckets are less than 1<<BucketBits; 1 to 64
	Rest       bool    `json:"rest,omitempty"` // keys have 64 more bits, for hashes of 128 bits

	// SignatureBytes is the size of the signature that each record has in place of a text; 0 if
	// records have texts.
	SignatureBytes int `json:"signature_bytes,omitempty"`
}

func (s Scheme) check() error {
	if s.BucketBits < 1 || s.BucketBits > 64 {
		return fmt.Errorf("buckets of %d bits: want 1 to 64", s.BucketBits)
	}
	if s.SignatureBytes < 0 || s.SignatureBytes > mostSignature {
		return fmt.Errorf("signatures of %d bytes: want at most %d", s.SignatureBytes, mostSignature)
	}
	return nil
}

// mostSignature is the maximum size of a signature in bytes.
const mostSignature = 1 << 20

// Is reports whether a directory holds a collection, perhaps a damaged one.
func Is(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, manifestName))
	return err == nil && info.Mode().IsRegular()
}

// A Collection is a snapshot of a collection for reading. Several goroutines may use it, except
// that each needs a Reader of its own.
type Collection struct {
	dir      string
	manifest *manifest
	segments []*segment
	starts   []int64 // number of the first record of each segment
	records  int64
}

// A segment is an open segment.
type segment struct {
	Segment
	keys       *os.File
	records    *os.File
	signatures *os.File // nil if the records have texts
	gone       *marks   // records that were removed; nil if there are none
	frames     frameIndex
}

// Open opens the collection in a directory for reading. It reads the manifest and the marks of
// removed records, which take a bit per record of a segment that has any. It does not check the
// checksums of whole files, but everything read later is checked. If a writer removes a file of
// the manifest meanwhile, Open reads the new manifest.
func Open(dir string) (*Collection, error) {
	for {
		m, err := readManifest(dir)
		if err != nil {
			return nil, err
		}
		c, err := openSegments(dir, m)
		if !errors.Is(err, fs.ErrNotExist) {
			return c, err
		}
		if now, nerr := readManifest(dir); nerr != nil || now.XXH3 == m.XXH3 {
			return nil, err
		}
	}
}

func openSegments(dir string, m *manifest) (*Collection, error) {
	c := &Collection{dir: dir, manifest: m}
	for _, about := range m.Segments {
		s, err := openSegment(dir, about)
		if err != nil {
			return nil, cmp.Or(err, c.Close())
		}
		c.segments = append(c.segments, s)
		c.starts = append(c.starts, c.records)
		c.records += about.Records
	}
	return c, nil
}

func openSegment(dir string, about Segment) (*segment, error) {
	s := &segment{Segment: about}
	var err error
	if s.keys, err = openFile(dir, about.Keys.File); err == nil {
		s.records, err = openFile(dir, about.Texts.File)
	}
	if err == nil && about.Signatures != nil {
		s.signatures, err = openFile(dir, *about.Signatures)
	}
	if err == nil && about.Gone != nil {
		s.gone, err = readMarks(dir, about)
	}
	if err != nil {
		return nil, cmp.Or(err, s.close())
	}
	return s, nil
}

// openFile opens a file of a segment, and checks its size.
func openFile(dir string, about File) (*os.File, error) {
	f, err := os.Open(filepath.Join(dir, about.Name))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() != about.Bytes {
		err = fmt.Errorf("%s: %d bytes, but the manifest says %d", f.Name(), info.Size(), about.Bytes)
	}
	if err != nil {
		return nil, cmp.Or(err, f.Close())
	}
	return f, nil
}

func (s *segment) close() (err error) {
	for _, f := range []*os.File{s.keys, s.records, s.signatures} {
		if f != nil {
			err = cmp.Or(err, f.Close())
		}
	}
	return err
}

// Close closes the files of the collection.
func (c *Collection) Close() (err error) {
	for _, s := range c.segments {
		err = cmp.Or(err, s.close())
	}
	c.segments = nil
	return err
}

// Scheme returns the scheme of the collection.
func (c *Collection) Scheme() Scheme { return c.manifest.Scheme }

// Records returns the number of records, including removed records that no merge has forgotten
// yet. Records are numbered from 0, in the order in which they were added.
func (c *Collection) Records() int64 { return c.records }

// A State identifies the contents of a collection.
type State struct {
	Records int64  // number of records that are not removed
	XXH3    string // checksum of the manifest, in 32 hexadecimal digits
}

// State returns the state of the collection.
func (c *Collection) State() State { return c.manifest.state() }

// Segments describes the segments.
func (c *Collection) Segments() []Segment { return slices.Clone(c.manifest.Segments) }

// find returns the segment of a record, and the record's number in the segment.
func (c *Collection) find(old int64) (*segment, int64, error) {
	if old < 0 || old >= c.records {
		return nil, 0, fmt.Errorf("%s: no record %d: want less than %d", c.dir, old, c.records)
	}
	i := sort.Search(len(c.starts), func(i int) bool { return c.starts[i] > old }) - 1
	return c.segments[i], old - c.starts[i], nil
}

// fileError returns an error that names a file of the collection.
func fileError(f *os.File, format string, args ...any) error {
	return fmt.Errorf("%s: %w", f.Name(), fmt.Errorf(format, args...))
}

// readAt reads bytes of a file, which must be there.
func readAt(f *os.File, b []byte, at int64) error {
	_, err := f.ReadAt(b, at)
	if err == io.EOF {
		err = fileError(f, "truncated: %w", io.ErrUnexpectedEOF)
	}
	return err
}
