package collection

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"doppel/pkg/digest"
	"doppel/pkg/files/durable"
)

// manifestName is the name of the manifest in the directory of a collection.
const manifestName = "collection.json"

// version is the version of the format. Other versions are refused.
const version = 2

// A manifest names the files of a collection.
type manifest struct {
	Version  int       `json:"collection"`
	Scheme   Scheme    `json:"scheme"`
	Next     int       `json:"next"` // number for the names of the next files
	Segments []Segment `json:"segments"`
	XXH3     string    `json:"xxh3"` // XXH3-128 of the manifest with 32 zeros in this place
}

// A Segment describes a segment.
type Segment struct {
	Records int64    `json:"records"`           // number of records, removed ones included
	Removed int64    `json:"removed,omitempty"` // number of removed records
	Keys    KeyFile  `json:"keys"`
	Texts   TextFile `json:"texts"`

	Signatures *File `json:"signatures,omitempty"` // nil if the records have texts
	Gone       *File `json:"gone,omitempty"`       // marks of removed records; nil if there are none
}

// Bytes returns the size of the segment's files.
func (s Segment) Bytes() (n int64) {
	for _, f := range s.files() {
		n += f.Bytes
	}
	return n
}

// files returns the segment's files by their suffixes.
func (s *Segment) files() map[string]File {
	files := map[string]File{"keys": s.Keys.File, "texts": s.Texts.File}
	if s.Signatures != nil {
		files["signatures"] = *s.Signatures
	}
	if s.Gone != nil {
		files["gone"] = *s.Gone
	}
	return files
}

// A File describes a file of a segment.
type File struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Salt  salt   `json:"salt"`
	XXH3  string `json:"xxh3"` // XXH3-128, in 32 hexadecimal digits
}

// A KeyFile describes a file of keys.
type KeyFile struct {
	File
	Count int64 `json:"count"` // number of keys
	Pages int64 `json:"pages"` // number of pages with keys; the pages of the directory follow
}

// A TextFile describes a file of ids and texts.
type TextFile struct {
	File
	Frames int64 `json:"frames"` // number of frames; the pages of the directory follow them
	Body   int64 `json:"body"`   // number of bytes of all frames
	Plain  int64 `json:"plain"`  // number of bytes of the frames before compression
}

// mostRecords is the maximum number of records of a segment, whose keys number them in 32 bits.
const mostRecords = math.MaxUint32

// mostManifest is the maximum size of a manifest in bytes.
const mostManifest = 64 << 20

// readManifest reads the manifest of the collection in a directory. It returns an error that wraps
// ErrNone if the directory is missing or empty.
func readManifest(dir string) (*manifest, error) {
	name := filepath.Join(dir, manifestName)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, checkEmpty(dir)
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s: not a directory, so not a collection", dir)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostManifest+1))
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// checkEmpty returns an error that wraps ErrNone if a directory is missing or holds nothing but the
// lock, and another error if it is not a collection, or one whose manifest is lost.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case ours.MatchString(name):
			return fmt.Errorf("%s: the manifest of the collection, %s, is missing, but other files are there, such as %s", dir, manifestName, name)
		case !isOurs(name):
			return fmt.Errorf("%s: not a collection: no file %s; want a collection, or a new or empty directory", dir, manifestName)
		}
	}
	return fmt.Errorf("%s: %w", dir, ErrNone)
}

// ours matches the names of the files of a segment.
var ours = regexp.MustCompile(`^[0-9]{1,18}\.(keys|texts|signatures|gone)$`)

// isOurs reports whether a writer creates files of a name, other than the manifest.
func isOurs(name string) bool {
	return name == lockName || ours.MatchString(name) || strings.HasPrefix(name, tempPrefix)
}

// noSum takes the place of the manifest's checksum while the checksum is computed.
const noSum = "00000000000000000000000000000000"

func parseManifest(text []byte) (*manifest, error) {
	if len(text) > mostManifest {
		return nil, fmt.Errorf("not a manifest of a collection: want at most %d bytes", mostManifest)
	}
	var is struct {
		Version int `json:"collection"`
	}
	if err := json.Unmarshal(text, &is); err != nil {
		return nil, fmt.Errorf("not a manifest of a collection: %w", err)
	}
	if is.Version == 0 {
		return nil, errors.New("not a manifest of a collection: no version")
	}
	if is.Version != version {
		return nil, fmt.Errorf("version %d of the format of collections: this program reads version %d", is.Version, version)
	}
	m := new(manifest)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("invalid manifest: %w", err)
	}
	again, err := m.encode()
	if err != nil || !bytes.Equal(text, again) {
		return nil, errors.New("checksum mismatch: the file was changed after it was written")
	}
	return m, m.check()
}

// encode sets the checksum of a manifest, and returns it as indented JSON.
func (m *manifest) encode() ([]byte, error) {
	if m.XXH3 = noSum; m.Segments == nil {
		m.Segments = []Segment{} // [] instead of null
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	sum := digest.Hash{}.Sum(text)
	m.XXH3 = string(sum.AppendHex(nil))
	at := bytes.LastIndex(text, []byte(noSum))
	copy(text[at:], m.XXH3)
	return append(text, '\n'), nil
}

// check returns an error if a manifest contradicts itself. A manifest whose checksum is right can
// still be made up.
func (m *manifest) check() error {
	if err := m.Scheme.check(); err != nil {
		return err
	}
	for i, s := range m.Segments {
		if err := s.check(m.Scheme); err != nil {
			return fmt.Errorf("segment %d: %w", i, err)
		}
	}
	return nil
}

func (s *Segment) check(how Scheme) error {
	for suffix, f := range s.files() {
		if !ours.MatchString(f.Name) || filepath.Ext(f.Name) != "."+suffix {
			return fmt.Errorf("invalid file name %q", f.Name)
		}
	}
	keyPages := s.Keys.Pages + directoryPages(s.Keys.Pages, keyEntry)
	switch {
	case s.Records < 1 || s.Records > mostRecords || s.Removed < 0 || s.Removed > s.Records || (s.Removed > 0) != (s.Gone != nil):
		return fmt.Errorf("%d records, %d of them removed", s.Records, s.Removed)
	case s.Keys.Pages < 0 || s.Keys.Pages > 1<<40 || s.Keys.Bytes != keyPages*pageSize || s.Keys.Count < s.Keys.Pages:
		return fmt.Errorf("%s: %d keys in %d pages and %d bytes", s.Keys.Name, s.Keys.Count, s.Keys.Pages, s.Keys.Bytes)
	case s.Texts.Frames < 1 || s.Texts.Frames > s.Records || s.Texts.Body < s.Texts.Frames || s.Texts.Plain < 0 ||
		s.Texts.Bytes != s.Texts.Body+directoryPages(s.Texts.Frames, frameEntry)*pageSize:
		return fmt.Errorf("%s: %d frames in %d bytes", s.Texts.Name, s.Texts.Frames, s.Texts.Bytes)
	case (s.Signatures != nil) != (how.SignatureBytes > 0):
		return fmt.Errorf("signatures of %d bytes, but a file of signatures: %t", how.SignatureBytes, s.Signatures != nil)
	case s.Signatures != nil && s.Signatures.Bytes != blockingOf(how).fileBytes(s.Records):
		return fmt.Errorf("%s: %d bytes for %d signatures of %d bytes", s.Signatures.Name, s.Signatures.Bytes, s.Records, how.SignatureBytes)
	}
	return nil
}

func (m *manifest) state() State {
	s := State{XXH3: m.XXH3}
	for _, about := range m.Segments {
		s.Records += about.live()
	}
	return s
}

// tempPrefix begins the temporary names of manifests.
const tempPrefix = ".collection."

// replaceManifest replaces the manifest of the collection in a directory, and reports whether it
// did: if only the sync of the directory fails, the new manifest is in its place. It calls step
// before each step, and stops if step returns an error.
func replaceManifest(dir string, m *manifest, mode fs.FileMode, step func(string) error) (replaced bool, err error) {
	text, err := m.encode()
	if err != nil {
		return false, err
	}
	f, err := durable.Replace(filepath.Join(dir, tempPrefix+"*"), filepath.Join(dir, manifestName), func(f *os.File) error {
		if err := step("write the manifest"); err != nil {
			return err
		}
		if _, err := f.Write(text); err != nil {
			return err
		}
		return f.Chmod(mode)
	}, func(string) error { return step("rename the manifest") })
	if f == nil {
		return false, err
	}
	return true, cmp.Or(err, f.Close())
}
