package collection

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"doppel/pkg/digest"
)

// newModel returns a collection of three segments, one of which has removed records.
func newModel(t *testing.T, scheme Scheme) (m *model, dir string, r *rand.Rand) {
	t.Helper()
	m, dir, r = &model{scheme: scheme}, filepath.Join(t.TempDir(), "seen"), rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{300, 100, 40} {
		m.addTo(t, dir, r, n)
	}
	m.remove(t, dir, r)
	m.compare(t, dir, r)
	return m, dir, r
}

// readAll reads a collection as a run does: all keys, all records, and the records of all keys.
func readAll(dir string) error {
	c, err := Open(dir)
	if err != nil {
		return err
	}
	defer c.Close()
	keys := make([]Key, 0, 600)
	for i := range 600 { // buckets that the model shares, and buckets near others
		keys = append(keys, Key{Bucket: uint64(i) << (c.Scheme().BucketBits - 10)})
	}
	r := c.NewReader()
	err = c.Join(sequence(keys), 10, func(_ uint32, old int64) error {
		_, err := bodyOf(r, old)
		return err
	})
	for i := int64(0); i < c.Records() && err == nil; i++ {
		if _, err = r.ID(nil, i); err == nil {
			_, err = bodyOf(r, i)
		}
	}
	for _, s := range c.segments {
		k := s.readKeys(layoutOf(c.Scheme(), s.Records))
		for more := true; more && err == nil; k.at = len(k.keys) {
			more, err = k.more()
		}
	}
	return err
}

// TestFlippedBit flips bits of every file, and truncates and removes it. Check must name the file,
// and reading it must be an error.
func TestFlippedBit(t *testing.T) {
	for _, scheme := range []string{"fuzzy", "estimate"} {
		flipBits(t, testSchemes[scheme])
	}
}

func flipBits(t *testing.T, scheme Scheme) {
	_, dir, r := newModel(t, scheme)
	for name, whole := range files(t, dir) {
		if name == lockName {
			continue
		}
		path := filepath.Join(dir, name)
		for range 20 {
			damaged := append([]byte(nil), whole...)
			at := r.IntN(len(whole))
			damaged[at] ^= 1 << r.IntN(8)
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			var faults []string
			if err := Check(dir, func(fault error) { faults = append(faults, fault.Error()) }); err != nil {
				t.Fatal(err)
			}
			if len(faults) != 1 || !strings.HasPrefix(faults[0], path+": ") {
				t.Errorf("%s, byte %d: %q", name, at, faults)
			}
			unread := filepath.Ext(name) == ".keys" && at >= pageSize // the directory of a single page
			if err := readAll(dir); err == nil && !unread {
				t.Errorf("%s, byte %d: no error", name, at)
			}
		}
		for _, size := range []int{0, 1, len(whole) - 1} {
			if err := os.WriteFile(path, whole[:size], 0o666); err != nil {
				t.Fatal(err)
			}
			if err := readAll(dir); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s, %d bytes: %v", name, size, err)
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := readAll(dir); err == nil {
			t.Errorf("%s is missing: no error", name)
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOtherFile replaces each file by that of a collection of the same records, which has the same
// name and size. Reading it must be an error, and so must merging.
func TestOtherFile(t *testing.T) {
	for _, scheme := range []string{"fuzzy", "estimate"} {
		_, dir, _ := newModel(t, testSchemes[scheme])
		_, other, _ := newModel(t, testSchemes[scheme])
		others := files(t, other)
		for name, own := range files(t, dir) {
			if name == lockName || name == manifestName || filepath.Ext(name) == ".gone" {
				continue
			}
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, others[name], 0o666); err != nil {
				t.Fatal(err)
			}
			if err := readAll(dir); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s of another collection is read: %v", name, err)
			}
			w, err := OpenWriter(dir, WriteOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Merge(); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s of another collection is merged: %v", name, err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, own, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestMadeUp checks that manifests with a right checksum that contradict themselves or the files
// are errors, and that other versions are refused.
func TestMadeUp(t *testing.T) {
	for want, change := range map[string]func(m *manifest){
		"version 3 of the format of collections: this program reads version 2": func(m *manifest) { m.Version = 3 },
		"no version":                      func(m *manifest) { m.Version = 0 },
		"invalid file name":               func(m *manifest) { m.Segments[0].Keys.Name = "../1.keys" },
		"the manifest says":               func(m *manifest) { m.Segments[0].Keys.Count++ },
		"of them removed":                 func(m *manifest) { m.Segments[0].Records = 0 },
		"frames in":                       func(m *manifest) { m.Segments[1].Texts.Body-- },
		"pages and":                       func(m *manifest) { m.Segments[1].Keys.Pages++ },
		"buckets of 65 bits":              func(m *manifest) { m.Scheme.BucketBits = 65 },
		"checksum mismatch":               func(m *manifest) { m.Segments[0].Keys.XXH3 = noSum },
		"bytes before compression":        func(m *manifest) { m.Segments[0].Texts.Plain++ },
		"signatures of -1 bytes":          func(m *manifest) { m.Scheme.SignatureBytes = -1 },
		"signatures of 0 bytes, but a":    func(m *manifest) { m.Scheme.SignatureBytes = 0 },
		"signatures of 263 bytes":         func(m *manifest) { m.Scheme.SignatureBytes-- },
		"marks that the manifest does no": func(m *manifest) { m.Segments[0].Removed++ },
	} {
		_, dir, _ := newModel(t, testSchemes["estimate"])
		m, err := readManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		change(m)
		if _, err := replaceManifest(dir, m, 0o666, func(string) error { return nil }); err != nil {
			t.Fatal(err)
		}
		var faults []string
		if err := Check(dir, func(fault error) { faults = append(faults, fault.Error()) }); err != nil || len(faults) == 0 || !strings.Contains(strings.Join(faults, "\n"), want) {
			t.Errorf("want %q, found %q: %v", want, faults, err)
		}
	}
}

// errKilled stops a writer, as if the process were killed.
var errKilled = errors.New("killed")

// TestKilled kills a writer before each of its steps: the collection must then be as
// before the change or as after it, and the next writer must remove the files that are left.
func TestKilled(t *testing.T) {
	for _, scheme := range []string{"fuzzy", "estimate"} {
		killWriters(t, testSchemes[scheme])
	}
}

func killWriters(t *testing.T, scheme Scheme) {
	for name, change := range map[string]func(m *model, w *Writer, r *rand.Rand) error{
		"add": func(m *model, w *Writer, r *rand.Rand) error {
			for range 250 {
				if err := m.add(w, m.draw(r)); err != nil {
					return err
				}
			}
			return w.Commit()
		},
		"remove": func(m *model, w *Writer, _ *rand.Rand) error {
			gone := m.records[len(m.records)/2].id
			if _, err := w.Remove(func(id, _ []byte) bool { return string(id) == gone }); err != nil {
				return err
			}
			var kept []modelRecord
			for _, x := range m.records {
				if x.id != gone {
					kept = append(kept, x)
				}
			}
			m.records = kept
			return w.Commit()
		},
		"merge": func(_ *model, w *Writer, _ *rand.Rand) error { _, err := w.Merge(); return err },
	} {
		t.Run(name, func(t *testing.T) {
			before, made, _ := newModel(t, scheme)
			for last := -1; ; {
				dir := filepath.Join(t.TempDir(), "seen")
				if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
					t.Fatal(err)
				}
				after := &model{scheme: before.scheme, records: append([]modelRecord(nil), before.records...)}
				steps, notes := 0, 0
				w, err := NewWriter(dir, before.scheme, WriteOptions{NoSync: true, Note: func(string, ...any) { notes++ }, step: func(string) error {
					if steps++; steps-1 > last {
						return errKilled
					}
					return nil
				}})
				if err != nil {
					t.Fatal(err)
				}
				r := rand.New(rand.NewPCG(9, 9))
				err = change(after, w, r)
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				checkOneOf(t, fmt.Sprintf("killed before step %d", last+1), dir, before, after)
				if err == nil && notes == 0 {
					return
				}
				last++
			}
		})
	}
}

// TestKilledFirst kills the first writer of a collection before each of its steps: the next writer,
// perhaps with another scheme, must be able to begin again.
func TestKilledFirst(t *testing.T) {
	for last := -1; ; last++ {
		dir, steps := filepath.Join(t.TempDir(), "seen"), 0
		w, err := NewWriter(dir, testSchemes["fuzzy"], WriteOptions{NoSync: true, step: func(string) error {
			if steps++; steps-1 > last {
				return errKilled
			}
			return nil
		}})
		if err == nil {
			err = w.Add([]byte("a"), []byte("b"), []uint64{1})
			if err == nil {
				err = w.Commit()
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err == nil {
			return
		}
		m, r := &model{scheme: testSchemes["fuzzy"]}, rand.New(rand.NewPCG(1, 1))
		if c, err := Open(dir); err == nil && c.Records() == 1 {
			m.records = []modelRecord{{id: "a", text: "b", buckets: []uint64{1}}}
		} else {
			m.scheme = testSchemes["exact"]
		}
		m.addTo(t, dir, r, 10)
		m.compare(t, dir, r)
	}
}

// TestLostManifest checks that files without a manifest are neither used nor removed.
func TestLostManifest(t *testing.T) {
	m, dir, _ := newModel(t, testSchemes["fuzzy"])
	if err := os.Remove(filepath.Join(dir, manifestName)); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	_, err := Open(dir)
	_, werr := NewWriter(dir, m.scheme, WriteOptions{})
	for _, err := range []error{err, werr} {
		if err == nil || errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "is missing") {
			t.Error(err)
		}
	}
	if !mapsEqual(before, files(t, dir)) {
		t.Error("files were removed")
	}
}

// checkOneOf checks that a collection is one of two models, before and after the next writer.
func checkOneOf(t *testing.T, when, dir string, before, after *model) {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	n := 0
	err = c.Each(func(_, _ []byte) error { n++; return nil })
	if err := errors.Join(err, c.Close()); err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	m := before
	if n == len(after.records) {
		m = after
	}
	r := rand.New(rand.NewPCG(1, 2))
	m.compare(t, dir, r)
	if err := newTestWriter(t, dir, m.scheme).Close(); err != nil {
		t.Fatal(err)
	}
	now, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name := range files(t, dir) {
		if name != lockName && name != manifestName && !now.names()[name] {
			t.Errorf("%s: %s is left", when, name)
		}
	}
	m.compare(t, dir, r)
}

// TestTwoWriters checks that a second writer waits or is refused, and that readers do neither.
func TestTwoWriters(t *testing.T) {
	m, dir, r := newModel(t, testSchemes["fuzzy"])
	w := newTestWriter(t, dir, m.scheme)
	if _, err := NewWriter(dir, m.scheme, WriteOptions{NoWait: true}); !errors.Is(err, ErrLocked) {
		t.Errorf("a second writer: %v", err)
	}
	m.compare(t, dir, r)
	waiting, done := make(chan string, 1), make(chan error, 1)
	go func() {
		second, err := NewWriter(dir, m.scheme, WriteOptions{NoSync: true, Note: func(format string, args ...any) { waiting <- fmt.Sprintf(format, args...) }})
		if err == nil {
			if n := second.Collection().Records(); n == w.Collection().Records() {
				err = fmt.Errorf("%d records: the second writer does not see those of the first", n)
			}
			err = errors.Join(err, second.Close())
		}
		done <- err
	}()
	if note := <-waiting; !strings.HasPrefix(note, dir+": waiting for another process") {
		t.Error(note)
	}
	old, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := old.Records()
	for range 500 { // so many that all segments are merged, and their files removed
		if err := m.add(w, m.draw(r)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Commit(), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	got := int64(0)
	if err := old.Each(func(_, _ []byte) error { got++; return nil }); err != nil || got > n {
		t.Errorf("an old snapshot has %d records of %d: %v", got, n, err)
	}
	if err := old.Close(); err != nil {
		t.Error(err)
	}
	m.compare(t, dir, r)
}

// TestWaitForNew checks that a writer that waits for the writer of a new collection creates it, if
// the other one gives up and removes the directory.
func TestWaitForNew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "seen")
	w := newTestWriter(t, dir, testSchemes["fuzzy"])
	waiting, done := make(chan bool, 1), make(chan error, 1)
	go func() {
		second, err := NewWriter(dir, testSchemes["fuzzy"], WriteOptions{NoSync: true, Note: func(string, ...any) { waiting <- true }})
		if err == nil {
			err = errors.Join(second.Commit(), second.Close())
		}
		done <- err
	}()
	<-waiting
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// TestScheme checks that a writer with another scheme is refused.
func TestScheme(t *testing.T) {
	m, dir, _ := newModel(t, testSchemes["fuzzy"])
	other := m.scheme
	other.Threshold = 0.7
	if _, err := NewWriter(dir, other, WriteOptions{}); err == nil || !strings.Contains(err.Error(), "another scheme") {
		t.Error(err)
	}
}

// FuzzManifest checks that a manifest is an error or is written as it was read.
func FuzzManifest(f *testing.F) {
	m := manifest{Version: version, Scheme: testSchemes["fuzzy"], Next: 3}
	text, err := m.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"collection": 1, "segments": [{"records": 5}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		// Most changes make the checksum wrong, so the checks behind it are called directly, too.
		if m, err := parseManifest(text); err == nil {
			if again, err := m.encode(); err != nil || string(again) != string(text) {
				t.Errorf("%q is written as %q", text, again)
			}
		}
	})
}

// FuzzPage checks that a page of keys is an error or returns keys in the order of find.
func FuzzPage(f *testing.F) {
	l := layout{record: 9, rest: 64}
	data := make([]byte, pageSize+slack)
	l.encodePage(data, []Key{{1, 2, 3}, {1, 5, 4}, {1 << 50, 6, 7}})
	f.Add(data[8:100], uint8(9), true)
	f.Fuzz(func(t *testing.T, text []byte, record uint8, rest bool) {
		l := layout{record: uint(record % 33)}
		if rest {
			l.rest = 64
		}
		data := make([]byte, pageSize+slack)
		copy(data[8:pageSize], text)
		var p page
		if p.open(l, data) != nil {
			return
		}
		for i, k := range p.appendKeys(nil) {
			if from, to := p.find(k.Bucket); k.Bucket >= p.base && (from < 0 || to > p.n || from > to) {
				t.Errorf("key %d, %+v, is at %d to %d of %d", i, k, from, to, p.n)
			}
		}
	})
}

// FuzzFrame checks that a frame is an error or holds records that fill it.
func FuzzFrame(f *testing.F) {
	f.Add([]byte("\x02\x01\x03\x00\x02aabcde"), int64(2))
	f.Fuzz(func(t *testing.T, raw []byte, records int64) {
		var fr frame
		if fr.parse(raw, records) != nil {
			return
		}
		size := 0
		for i := range records {
			id, text := fr.record(i)
			size += len(id) + len(text)
		}
		if size != len(raw)-fr.data {
			t.Errorf("%q: %d bytes of ids and texts", raw, size)
		}
	})
}

// TestSums checks that a sum that is stored in the upper and the lower half is found by both.
func TestSums(t *testing.T) {
	dir := t.TempDir()
	w := newTestWriter(t, dir, testSchemes["exact"])
	for i := range uint64(3) {
		if err := w.AddSum([]byte{byte(i)}, digest.Sum{Hi: 1, Lo: i}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Commit(), w.Close()); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range uint64(4) {
		got := joined(t, c, []Key{{Bucket: 1, Rest: i}}, 1)
		if want := min(1, 3-int(i)); len(got) != want {
			t.Errorf("%d: %q, want %d", i, got, want)
		}
	}
}

// TestFullDisk lets every file grow only up to a size, as on a full disk. If the commit fails, the
// files must be those of before; if only the merge fails, there must be a note. The limit applies
// to all files of a process, also to the log of go test, so a process of its own runs the test.
func TestFullDisk(t *testing.T) {
	const inChild = "COLLECTION_FULL_DISK"
	if os.Getenv(inChild) == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(self, "-test.run=^TestFullDisk$")
		c.Env = append(os.Environ(), inChild+"=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	fillDisk(t)
}

func fillDisk(t *testing.T) {
	signal.Ignore(unix.SIGXFSZ)
	defer signal.Reset(unix.SIGXFSZ)
	var usual unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &usual); err != nil {
		t.Fatal(err)
	}
	limit := func(size uint64) {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: min(size, usual.Max), Max: usual.Max}); err != nil {
			t.Fatal(err)
		}
	}
	defer limit(usual.Cur)
	fillTo(t, testSchemes["fuzzy"], 1500, limit, usual.Cur)
	fillTo(t, testSchemes["estimate"], 8000, limit, usual.Cur)
}

// fillTo limits the size of files to each multiple of step, until a commit and its merge succeed.
func fillTo(t *testing.T, scheme Scheme, step uint64, limit func(size uint64), usual uint64) {
	before, made, _ := newModel(t, scheme)
	failed, unmerged := 0, 0
	for size := uint64(0); ; size += step {
		dir := filepath.Join(t.TempDir(), "seen")
		if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
			t.Fatal(err)
		}
		after := &model{scheme: before.scheme, records: append([]modelRecord(nil), before.records...)}
		notes := 0
		w, err := NewWriter(dir, before.scheme, WriteOptions{NoSync: true, Note: func(string, ...any) { notes++ }})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(9, 9))
		limit(size)
		for i := 0; i < 250 && err == nil; i++ {
			err = after.add(w, after.draw(r))
		}
		if err == nil {
			err = w.Commit()
		}
		cerr := w.Close()
		limit(usual)
		if cerr != nil {
			t.Fatal(cerr)
		}
		if err != nil {
			failed++
			if !errors.Is(err, unix.EFBIG) || !mapsEqual(files(t, made), files(t, dir)) {
				t.Errorf("files of %d bytes: %v", size, err)
			}
			continue
		}
		after.compare(t, dir, r)
		if notes == 0 {
			break
		}
		unmerged++
	}
	if failed == 0 || unmerged == 0 {
		t.Errorf("%d commits and %d merges failed", failed, unmerged)
	}
}

// TestCheckDuringChanges checks a collection again and again while another goroutine adds records,
// which also merges segments and so removes files.
func TestCheckDuringChanges(t *testing.T) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(5, 5))
	m := &model{scheme: testSchemes["fuzzy"]}
	add := func() {
		w := newTestWriter(t, dir, m.scheme)
		for range 3 {
			x := m.draw(r)
			if err := w.Add([]byte(x.id), []byte(x.text), x.buckets); err != nil {
				t.Error(err)
			}
		}
		if err := cmp.Or(w.Commit(), w.Close()); err != nil {
			t.Error(err)
		}
	}
	add()
	done := make(chan bool)
	go func() {
		defer close(done)
		for range 100 {
			add()
		}
	}()
	for {
		if err := Check(dir, func(fault error) { t.Error(fault) }); err != nil {
			t.Fatal(err)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}
