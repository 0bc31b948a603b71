package mailbox

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/files/durable"
	"doppel/pkg/record"
)

var (
	errNoBox      = errors.New("neither an mbox, a Maildir, an MH folder, nor a directory of .eml files")
	errNotMaildir = errors.New("exists and is not a Maildir")
)

// Open returns the boxes with the given name. A regular file is an mbox. A directory is a Maildir, an
// MH folder (its messages have numbers as names), or a directory of .eml files, each with its
// subfolders. Subfolders that are the directory except are left out. Open does not read messages.
func Open(name, except string) ([]Box, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return []Box{&mbox{name: name}}, nil
	}
	boxes, err := openDir(name, except, true)
	if err == nil && len(boxes) == 0 {
		err = fmt.Errorf("%s: %w", name, errNoBox)
	}
	return boxes, err
}

// OpenFiles returns a box of .eml files in one directory.
func OpenFiles(dir string, names []string) Box {
	return &folder{dir: dir, subs: []string{""}, isMessage: func(base string) bool { return slices.Contains(names, base) }}
}

// openDir returns the folder with the given name and those below it, in the order of their names. A
// directory with numbers as file names may be something else than an MH folder, unless the user has
// named it or it has the file of the sequences.
func openDir(name, except string, named bool) (all []Box, err error) {
	if isMaildir(name) {
		return openMaildirs(name, except)
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	has := func(isMessage func(string) bool) bool {
		return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() && isMessage(e.Name()) })
	}
	switch isMH := has(func(base string) bool { return base == sequencesFile }); {
	case has(isEML):
		all = append(all, &folder{dir: name, subs: []string{""}, isMessage: isEML})
	case isMH || named && has(isNumber):
		all = append(all, &folder{dir: name, subs: []string{""}, isMessage: isNumber, isMH: true})
	}
	for _, e := range entries {
		sub := filepath.Join(name, e.Name())
		if !e.IsDir() || !isVisible(e.Name()) || sameFile(sub, except) {
			continue
		}
		below, err := openDir(sub, except, false)
		if err != nil {
			return nil, err
		}
		all = append(all, below...)
	}
	return all, nil
}

// openMaildirs returns the Maildir with the given name and those below it, in the order of their
// names.
func openMaildirs(name, except string) (all []Box, err error) {
	all = append(all, &folder{dir: name, subs: []string{"cur", "new"}, isMessage: isVisible, isMaildir: true, deleted: isTrash(name)})
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		sub := filepath.Join(name, e.Name())
		if !e.IsDir() || e.Name() == "cur" || e.Name() == "new" || e.Name() == "tmp" || !isMaildir(sub) || sameFile(sub, except) {
			continue
		}
		below, err := openMaildirs(sub, except)
		if err != nil {
			return nil, err
		}
		all = append(all, below...)
	}
	return all, nil
}

func isMaildir(name string) bool {
	for _, sub := range maildirs {
		if info, err := os.Stat(filepath.Join(name, sub)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func isVisible(name string) bool { return name[0] != '.' }

func isEML(name string) bool { return strings.EqualFold(filepath.Ext(name), ".eml") }

func isNumber(name string) bool { return strings.Trim(name, "0123456789") == "" }

// isTrash reports whether a subfolder of a Maildir holds deleted messages.
func isTrash(name string) bool {
	base := filepath.Base(name)
	base = strings.ToLower(base[strings.LastIndexByte(base, '.')+1:])
	return base == "trash" || strings.HasPrefix(base, "deleted")
}

// A folder is a directory in which each message is a file.
type folder struct {
	dir       string
	subs      []string // the subdirectories of dir that have messages, or ""
	isMessage func(base string) bool
	isMaildir bool
	isMH      bool
	deleted   bool // all messages count as deleted
	read      []messageFile
	passed    int // number of links, pipes and directories where messages should be
}

func (f *folder) Status() (all []os.FileInfo, err error) {
	for _, sub := range f.subs {
		info, err := os.Stat(filepath.Join(f.dir, sub))
		if err != nil {
			return nil, err
		}
		all = append(all, info)
	}
	return all, nil
}

func (f *folder) Doubt() error { return nil }

func (f *folder) Passed() string {
	if f.passed == 0 {
		return ""
	}
	what := "links or special files"
	if f.passed == 1 {
		what = "link or special file"
	}
	return fmt.Sprintf("%s: %d %s passed over, since only regular files are messages", f.dir, f.passed, what)
}

// Each calls fn for the messages of each subdirectory, in the order of their file names. A message
// that disappears while the folder is being read is skipped, because mail readers rename messages.
func (f *folder) Each(fn func(Message) error, skip func(error) error) error {
	f.read, f.passed = nil, 0
	sequences := map[string]Flags{}
	if f.isMH {
		sequences = readSequences(f.dir).flags()
	}
	for _, sub := range f.subs {
		dir := filepath.Join(f.dir, sub)
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !f.isMessage(e.Name()) {
				continue
			}
			if !e.Type().IsRegular() {
				f.passed++
				continue
			}
			m := messageFile{name: filepath.Join(dir, e.Name()), sub: sub}
			text, err := m.readText()
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				if err := skip(err); err != nil {
					return err
				}
				continue
			}
			m.flags = headerFlags(text) | sequences[e.Name()]
			if f.isMaildir {
				m.flags = m.flags&Internal | nameFlags(e.Name())
			}
			if f.deleted {
				m.flags |= Deleted
			}
			f.read = append(f.read, m)
			if err := fn(Message{[]byte(m.name), text, m.flags}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *folder) Check(number int) error { return f.read[number].check(f.read[number].name) }

// Take implements [Box].
func (f *folder) Take(out map[int]bool, into *Maildir) (taken int, errs []error) {
	dirs := map[string]bool{}
	gone := map[string]bool{}
	for i, m := range f.read {
		if !out[i] {
			continue
		}
		to, err := m.move(into, f.isMaildir)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		dirs[filepath.Dir(m.name)], dirs[filepath.Dir(to)] = true, true
		gone[filepath.Base(m.name)] = true
		taken++
	}
	if f.isMH {
		if err := readSequences(f.dir).remove(gone); err != nil {
			errs = append(errs, err)
		}
	}
	if into == nil {
		return taken, errs
	}
	for dir := range dirs {
		if err := durable.SyncDir(dir); err != nil {
			errs = append(errs, err)
		}
	}
	return taken, errs
}

// A messageFile is the file of a message, with its status when it was read.
type messageFile struct {
	name  string
	sub   string // subdirectory of a Maildir, or ""
	flags Flags
	info  files.Info
}

// unpackedMax is the maximum size of a message after decompression.
const unpackedMax = 1 << 30

// readText reads the message, and decompresses it if it is compressed, as Dovecot compresses
// messages.
func (m *messageFile) readText() (text []byte, err error) {
	if m.info, err = files.Stat([]byte(m.name), files.Refuse); err != nil {
		return nil, err
	}
	if text, err = files.Append(nil, []byte(m.name), files.Refuse); err != nil || !isPacked(text) {
		return text, err
	}
	in, err := record.OpenStream(m.name, nil)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err = io.ReadAll(io.LimitReader(in, unpackedMax+1))
	if err == nil && len(text) > unpackedMax {
		err = &files.Error{Name: m.name, Err: fmt.Errorf("more than %d bytes after decompression", unpackedMax)}
	}
	return text, err
}

// isPacked reports whether a text begins with the magic bytes of gzip, zstd, bzip2 or xz.
func isPacked(text []byte) bool {
	for _, magic := range []string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh", "\xfd7zXZ\x00"} {
		if bytes.HasPrefix(text, []byte(magic)) {
			return true
		}
	}
	return false
}

// move moves a message to a Maildir, or removes it if no Maildir is given. In the Maildir, the
// message keeps its flags and, if it is free there, its name. move returns an error if the message
// has changed. After renaming the file, it checks again, and undoes the renaming if the file is not
// the one that was read.
func (m *messageFile) move(into *Maildir, keepName bool) (to string, err error) {
	to = filegroup.Beside(m.name)
	if into != nil {
		to = into.nameFor(m.flags)
		if keepName {
			if kept := filepath.Join(into.dir, m.sub, filepath.Base(m.name)); isFree(kept) {
				to = kept
			} else if m.sub == "new" {
				to = filepath.Join(into.dir, "new", "doppel."+rand.Text())
			}
		}
	}
	if err := m.check(m.name); err != nil {
		return "", err
	}
	if err := os.Rename(m.name, to); err != nil {
		return "", err
	}
	if err := m.check(to); err != nil {
		if back := os.Rename(to, m.name); back != nil {
			return "", fmt.Errorf("%w; the file was renamed to %s, and cannot be renamed back: %w", err, to, back)
		}
		return "", err
	}
	if into != nil {
		return to, nil
	}
	return to, os.Remove(to)
}

func isFree(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, os.ErrNotExist)
}

// check returns an error unless the name still refers to the file that was read, and this file is
// unchanged. It ignores the ctime, which a rename changes.
func (m *messageFile) check(name string) error {
	now, err := files.Stat([]byte(name), files.Refuse)
	if err != nil {
		return err
	}
	now.Ctime = m.info.Ctime
	if !now.Same(&m.info) {
		return &files.Error{Name: m.name, Err: files.ErrChanged}
	}
	return nil
}
