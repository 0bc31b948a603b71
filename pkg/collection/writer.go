package collection

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"doppel/pkg/digest"
	"doppel/pkg/files/durable"
)

// WriteOptions control a Writer.
type WriteOptions struct {
	Mem    int64 // memory for sorting keys, in bytes; at least 1 MiB is used
	Jobs   int   // number of goroutines that compress texts; with 0 or 1, the caller's does
	NoWait bool  // return ErrLocked instead of waiting for another writer
	NoSync bool  // do not sync the files to disk

	// Note gets messages for a person: that another writer is waited for, or that segments could
	// not be merged. It may be nil.
	Note func(format string, args ...any)

	// step is called before each step of a commit, by its name. If it returns an error, the writer
	// leaves all files as they are, as if the process were killed.
	step func(name string) error
}

func (o WriteOptions) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(format, args...)
	}
}

// A Writer adds records to a collection. It is not safe for concurrent use. While a Writer is open,
// the collection is locked for other writers, but not for readers.
type Writer struct {
	dir     string
	opt     WriteOptions
	lock    *os.File
	created bool // NewWriter created the directory
	mode    fs.FileMode
	before  *Collection
	m       *manifest
	isNew   bool // the writer has made the manifest, and nothing is committed
	texts   *textWriter
	sigs    *signatureWriter // nil if records have texts
	keys    sorter
	batch   *Batch // nil without NewBatch
	records int64
	gone    []*marks // removed records of each segment before; nil for segments without new marks
	made    []string // names of files that the manifest does not name yet
	killed  bool     // step returned an error
}

// NewWriter opens a collection for adding records, and locks it. If the directory does not exist or
// is empty, NewWriter creates a collection with the given scheme. If the collection has records,
// the scheme must be theirs. NewWriter removes the remainders of writers that were killed. It
// creates the manifest first, so that files without a manifest are never taken for such remainders.
func NewWriter(dir string, s Scheme, opt WriteOptions) (*Writer, error) {
	return newWriter(dir, &s, opt)
}

// OpenWriter is like NewWriter, for a collection that exists, with any scheme.
func OpenWriter(dir string, opt WriteOptions) (*Writer, error) {
	if _, err := readManifest(dir); err != nil {
		return nil, err
	}
	return newWriter(dir, nil, opt)
}

func newWriter(dir string, s *Scheme, opt WriteOptions) (*Writer, error) {
	if _, err := readManifest(dir); err != nil && !errors.Is(err, ErrNone) {
		return nil, err // before a lock is left in a directory that is not a collection
	}
	w := &Writer{dir: dir, opt: opt}
	if w.opt.step == nil {
		w.opt.step = func(string) error { return nil }
	}
	var err error
	w.lock, w.created, err = lockDir(dir, opt)
	if err == nil {
		err = w.open(s)
	}
	if err != nil {
		return nil, cmp.Or(err, w.Close())
	}
	return w, nil
}

// open reads the manifest, now that the collection is locked, and checks the scheme.
func (w *Writer) open(s *Scheme) error {
	info, err := w.lock.Stat()
	if err != nil {
		return err
	}
	w.mode = info.Mode().Perm()
	w.m, err = readManifest(w.dir)
	switch {
	case errors.Is(err, ErrNone) && s != nil:
		w.m = &manifest{Version: version, Scheme: *s, Next: 1}
		if err = s.check(); err == nil {
			w.isNew, err = w.replaceManifest()
		}
	case err == nil && s != nil && len(w.m.Segments) == 0:
		w.m.Scheme = *s
		err = s.check()
	case err == nil && s != nil && *s != w.m.Scheme:
		err = fmt.Errorf("%s: the collection has another scheme: %+v, not %+v", w.dir, w.m.Scheme, *s)
	}
	if err != nil {
		return err
	}
	if err := w.removeOthers(); err != nil {
		return err
	}
	w.before, err = openSegments(w.dir, w.m.clone())
	return err
}

func (m *manifest) clone() *manifest {
	c := *m
	c.Segments = append([]Segment(nil), m.Segments...)
	return &c
}

// names returns the names of all files of the segments.
func (m *manifest) names() map[string]bool {
	names := map[string]bool{}
	for _, s := range m.Segments {
		for _, f := range s.files() {
			names[f.Name] = true
		}
	}
	return names
}

// removeOthers removes the files of the collection that the manifest does not name.
func (w *Writer) removeOthers() error {
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return err
	}
	names := w.m.names()
	for _, e := range entries {
		if name := e.Name(); name != lockName && !names[name] && isOurs(name) && e.Type().IsRegular() {
			if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Collection returns the collection as it was before the writer changed it. It is closed with the
// writer.
func (w *Writer) Collection() *Collection { return w.before }

// State returns the state of the collection, which Commit changes.
func (w *Writer) State() State { return w.m.state() }

// Created reports whether the writer has created the collection.
func (w *Writer) Created() bool { return w.isNew }

// create creates a file of the next number.
func (w *Writer) create(kind string, entrySize int) (*fileWriter, error) {
	if err := w.opt.step("create a file of " + kind); err != nil {
		return nil, w.kill(err)
	}
	name := fmt.Sprintf("%d.%s", w.m.Next, kind)
	f, err := createFile(w.dir, name, entrySize, w.mode)
	if err == nil {
		w.made = append(w.made, name)
	}
	return f, err
}

func (w *Writer) kill(err error) error {
	w.killed = true
	return err
}

// step calls the step function of the options.
func (w *Writer) step(name string) error {
	if err := w.opt.step(name); err != nil {
		return w.kill(err)
	}
	return nil
}

// Add adds a record with the keys of its buckets; a text without shingles has none. The buckets
// must be different. The body is the text or, if the scheme says so, the signature. An id that has
// two parts, the name of a file and an id of its own, has a NUL between them. Readers get a colon
// instead, but Remove also knows the second part.
func (w *Writer) Add(id, body []byte, buckets []uint64) error {
	if w.batch != nil {
		return errMixed
	}
	for _, b := range buckets {
		if w.m.Scheme.BucketBits < 64 && b>>w.m.Scheme.BucketBits != 0 {
			return fmt.Errorf("%s: bucket %x has more than %d bits", w.dir, b, w.m.Scheme.BucketBits)
		}
	}
	if err := w.addBody(id, body); err != nil {
		return err
	}
	for _, b := range buckets {
		if err := w.keys.add(Key{Bucket: b, Record: uint32(w.records - 1)}); err != nil {
			return err
		}
	}
	return nil
}

// AddSum adds a record with a hash of 128 bits as its only key. The scheme must have Rest set.
func (w *Writer) AddSum(id []byte, sum digest.Sum) error {
	if err := w.addBody(id, nil); err != nil {
		return err
	}
	return w.keys.add(Key{Bucket: sum.Hi, Rest: sum.Lo, Record: uint32(w.records - 1)})
}

func (w *Writer) addBody(id, body []byte) error {
	if w.records == mostRecords {
		return fmt.Errorf("%s: too many records at a time: want at most %d", w.dir, int64(mostRecords))
	}
	if w.texts == nil {
		if err := w.createBodies(); err != nil {
			return err
		}
	}
	w.records++
	if w.sigs == nil {
		return w.texts.add(id, body)
	}
	if err := w.sigs.add(body); err != nil {
		return err
	}
	return w.texts.add(id, nil)
}

// createBodies creates the files of the ids and of the texts or signatures.
func (w *Writer) createBodies() error {
	f, err := w.create("texts", frameEntry)
	if err != nil {
		return err
	}
	w.texts = newTextWriter(f, w.opt.Jobs)
	if w.keys == nil {
		w.keys = newSorter(w.m.Scheme, max(w.opt.Mem, 1<<20))
	}
	if w.m.Scheme.SignatureBytes > 0 {
		if f, err = w.create("signatures", 1); err == nil {
			w.sigs = newSignatureWriter(f, w.m.Scheme)
		}
	}
	return err
}

// Commit makes the new records part of the collection, and the marks of removed records. They
// appear all or none, even if the process is killed or the power fails during Commit. Afterwards,
// Commit merges segments that are small compared with those after them; if that fails, it reports a
// note, and the collection is complete. A Writer can be committed once.
func (w *Writer) Commit() error {
	marked := slices.ContainsFunc(w.gone, func(m *marks) bool { return m != nil })
	if w.records == 0 && !marked {
		if !w.isNew {
			return nil
		}
		return w.replace()
	}
	if err := w.writeMarks(); err != nil {
		return err
	}
	if w.records > 0 {
		s, err := w.finishSegment()
		if err != nil {
			return err
		}
		w.m.Segments = append(w.m.Segments, s)
	}
	if err := w.replace(); err != nil {
		return err
	}
	if err := w.mergeGrown(); err != nil {
		w.opt.note("%s: the records are in the collection, but its segments are not merged: %v", w.dir, err)
	}
	return nil
}

// finishSegment writes the keys of the new records and syncs the new files.
func (w *Writer) finishSegment() (s Segment, err error) {
	if err := w.step("finish the texts"); err != nil {
		return s, err
	}
	if s.Texts, err = w.texts.finish(!w.opt.NoSync); err != nil {
		return s, err
	}
	if w.sigs != nil {
		if s.Signatures, err = w.sigs.finish(!w.opt.NoSync); err != nil {
			return s, err
		}
	}
	f, err := w.create("keys", keyEntry)
	if err != nil {
		return s, err
	}
	s.Records = w.records
	keys := newKeyWriter(f, layoutOf(w.m.Scheme, w.records))
	if err = w.keys.each(func(k Key) error { return keys.add(k) }); err == nil {
		err = w.step("finish the keys")
	}
	if err == nil {
		s.Keys, err = keys.finish(!w.opt.NoSync)
	}
	return s, cmp.Or(err, f.close())
}

// replace syncs the directory and replaces the manifest by w.m. Then it removes the files that the
// manifest no longer names.
func (w *Writer) replace() error {
	w.m.Next++
	if err := w.step("sync the directory"); err != nil {
		return err
	}
	if !w.opt.NoSync {
		if err := durable.SyncDir(w.dir); err != nil {
			return err
		}
	}
	replaced, err := w.replaceManifest()
	if replaced {
		w.made, w.isNew, w.created = nil, false, false
	}
	if err == nil {
		err = w.step("remove old files")
	}
	if err != nil {
		return err
	}
	if err := w.removeOthers(); err != nil { // the next writer will try again
		w.opt.note("%s: old files are not removed: %v", w.dir, err)
	}
	return nil
}

// replaceManifest replaces the manifest by w.m, and reports whether it did: an error may follow.
func (w *Writer) replaceManifest() (replaced bool, err error) {
	if replaced, err = replaceManifest(w.dir, w.m, w.mode, w.step); err == nil && w.created && !w.opt.NoSync {
		err = durable.SyncDir(filepath.Dir(filepath.Clean(w.dir)))
	}
	return replaced, err
}

// Close unlocks the collection. Without Commit, it removes what the writer has written.
func (w *Writer) Close() (err error) {
	if w.lock == nil {
		return nil
	}
	if w.texts != nil {
		err = cmp.Or(w.texts.close(), w.keys.Close())
	}
	if w.batch != nil {
		err = cmp.Or(err, w.batch.sorted.Close())
	}
	if w.sigs != nil {
		err = cmp.Or(err, w.sigs.close())
	}
	if w.before != nil {
		err = cmp.Or(err, w.before.Close())
	}
	if !w.killed {
		for _, name := range w.made {
			err = cmp.Or(err, os.Remove(filepath.Join(w.dir, name)))
		}
		if w.isNew {
			err = cmp.Or(err, os.Remove(filepath.Join(w.dir, manifestName)))
		}
		if w.created {
			os.Remove(w.lock.Name())
			os.Remove(w.dir) // fails if another program has created files there
		}
	}
	err = cmp.Or(err, w.lock.Close())
	w.lock = nil
	return err
}
