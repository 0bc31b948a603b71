package seen

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"doppel/pkg/fuzzysum"
)

// numbered returns a distinct sum for each n.
func numbered(n uint64) (s fuzzysum.Sum) {
	binary.BigEndian.PutUint64(s[8:], n+1)
	binary.BigEndian.PutUint64(s[:8], n*0x9e3779b97f4a7c15)
	return s
}

// addSum stores a sum and reports whether the cache already had it.
func addSum(t testing.TB, c *Cache, s fuzzysum.Sum) (was bool) {
	t.Helper()
	err := c.Update(func(r *Ring) error {
		if was = r.Seen(s, 0); !was {
			r.Add(s)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return was
}

func hasSum(t testing.TB, c *Cache, s fuzzysum.Sum) (is bool) {
	t.Helper()
	err := c.View(func(r *Ring) error { is = r.Seen(s, 0); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return is
}

// TestCache checks that a cache keeps the latest sums, in a file of limited size and in memory.
func TestCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	for _, path := range []string{path, ""} {
		for n := range uint64(100) {
			c := New(path, "", 160)
			if path == "" {
				c = memoryCache(n)
			}
			if addSum(t, c, numbered(n)) || !addSum(t, c, numbered(n)) {
				t.Fatalf("%d", n)
			}
			for back := range uint64(20) {
				if back <= n && hasSum(t, c, numbered(n-back)) != (back < 8) {
					t.Fatalf("%q after %d: %d back", path, n, back)
				}
			}
		}
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 160 || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func memoryCache(n uint64) *Cache {
	c := New("", "", 160)
	for i := range n {
		c.Update(func(r *Ring) error { r.Add(numbered(i)); return nil })
	}
	return c
}

func TestViewStoresNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	err := New(path, "", 160).View(func(r *Ring) error { r.Add(numbered(1)); return nil })
	if _, serr := os.Stat(path); err != nil || !errors.Is(serr, os.ErrNotExist) {
		t.Errorf("%v, %v", err, serr)
	}
}

// TestFailedUpdate checks that a failed Update stores nothing.
func TestFailedUpdate(t *testing.T) {
	c := New(filepath.Join(t.TempDir(), "cache"), "", 160)
	failure := errors.New("failure")
	if err := c.Update(func(r *Ring) error { r.Add(numbered(1)); return failure }); err != failure {
		t.Error(err)
	}
	if hasSum(t, c, numbered(1)) {
		t.Error("stored")
	}
}

// TestResize checks that a cache whose size changes keeps its file mode and the latest sums that
// fit.
func TestResize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	link := path + ".link"
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for n := range uint64(15) {
		addSum(t, New(path, "", 160), numbered(n))
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bytes   int64
		add     uint64
		holding []uint64
	}{
		{80, 15, []uint64{13, 14, 15}},
		{320, 16, []uint64{13, 14, 15, 16}},
		{MinBytes, 17, []uint64{17}},
	} {
		addSum(t, New(link, "", c.bytes), numbered(c.add))
		var want []byte
		for _, n := range c.holding {
			s := numbered(n)
			want = append(want, s[:]...)
		}
		err := New(path, "", c.bytes).View(func(r *Ring) error {
			if got := r.sums(); !bytes.Equal(got, want) {
				t.Errorf("%d bytes: %x, want %x", c.bytes, got, want)
			}
			return nil
		})
		info, serr := os.Lstat(path)
		if err != nil || serr != nil || info.Mode().Perm() != 0o640 || info.Size() > c.bytes {
			t.Errorf("%v, %v, %v", err, serr, info)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 2 {
		t.Errorf("left over: %v", left)
	}
}

// TestScheme checks that a cache keeps the sums of one scheme, and refuses others.
func TestScheme(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	for n := range uint64(30) {
		addSum(t, New(path, "mime2", 200), numbered(n))
	}
	if !hasSum(t, New(path, "mime2", 200), numbered(29)) || hasSum(t, New(path, "mime2", 200), numbered(1)) {
		t.Error("the latest sums are not kept")
	}
	addSum(t, New(path, "mime2", 400), numbered(30)) // the file is made again
	if !hasSum(t, New(path, "mime2", 400), numbered(29)) {
		t.Error("sums are lost")
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 400 {
		t.Errorf("%v, %v", info, err)
	}
	old := filepath.Join(t.TempDir(), "old")
	addSum(t, New(old, "", 400), numbered(1))
	for _, c := range []*Cache{New(path, "", 400), New(path, "mime3", 400), New(old, "mime2", 400)} {
		if err := c.Update(func(r *Ring) error { r.Add(numbered(1)); return nil }); !errors.As(err, new(*SchemeError)) {
			t.Errorf("%v", err)
		}
	}
}

func TestNotCache(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		file("short", "fz"), file("cut", magic), file("other", "<1@example.org>\x00<2@example.org>\x00\x00"),
		file("huge", magic+strings.Repeat("\xff", 8)), file("none", magic+strings.Repeat("\x00", 8)),
		file("long", string(New("", "", 160).header(2))+strings.Repeat("x", 48)),
		fifo, dir, filepath.Join(dir, "none", "cache"), "/dev/full",
	} {
		before, _ := os.ReadFile(file("copy", ""))
		if path != fifo && path != dir && path != "/dev/full" {
			before, _ = os.ReadFile(path)
		}
		if err := New(path, "", 160).Update(func(r *Ring) error { r.Add(numbered(1)); return nil }); err == nil {
			t.Errorf("%s is taken for a cache", path)
		}
		if path != fifo && path != dir && path != "/dev/full" {
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Errorf("%s was changed", path)
			}
		}
	}
}

// TestCutFile checks that a cache accepts an empty file and a file with a truncated last slot.
func TestCutFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	addSum(t, New(path, "", 160), numbered(1))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("cut")
	f.Close()
	if addSum(t, New(path, "", 160), numbered(2)) || !hasSum(t, New(path, "", 160), numbered(1)) || !hasSum(t, New(path, "", 160), numbered(2)) {
		t.Error("sums are lost")
	}
}

// TestCutMeanwhile checks that a call returns an error if the file is truncated during the call,
// and that the next call succeeds.
func TestCutMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	const bytes = 3000 * slotSize
	for _, size := range []int64{0, slotSize, 1000 * slotSize} {
		for n := range uint64(2000) {
			addSum(t, New(path, "", bytes), numbered(n))
		}
		cut := func(r *Ring) error {
			if err := os.Truncate(path, size); err != nil {
				return err
			}
			r.Seen(numbered(5000), 0) // Seen reads all slots
			t.Errorf("cut to %d bytes, and nothing happens", size)
			return nil
		}
		for _, use := range []func(func(*Ring) error) error{New(path, "", bytes).Update, New(path, "", bytes).View} {
			err := use(cut)
			if !errors.Is(err, ErrCut) || !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("cut to %d bytes: %v", size, err)
			}
			for n := range uint64(2000) {
				addSum(t, New(path, "", bytes), numbered(n))
			}
		}
	}
}

// TestCutBeforeStore checks that Update leaves a valid cache if the file is truncated before the
// sums are stored.
func TestCutBeforeStore(t *testing.T) {
	for _, size := range []int64{0, 3, slotSize} {
		path := filepath.Join(t.TempDir(), "cache")
		addSum(t, New(path, "", 160), numbered(0))
		err := New(path, "", 160).Update(func(r *Ring) error {
			r.Add(numbered(1))
			return os.Truncate(path, size)
		})
		if err != nil || !hasSum(t, New(path, "", 160), numbered(1)) {
			t.Errorf("cut to %d bytes: %v", size, err)
		}
	}
}

// TestGuardPasses checks that guard passes on panics with causes other than a truncated file.
func TestGuardPasses(t *testing.T) {
	for _, fn := range []func() error{
		func() error { panic("other") },
		func() error { var p *Ring; return errors.New(string(p.slots)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a panic was held")
				}
			}()
			mapping(nil).guard(fn)
		}()
	}
}

// TestConcurrent checks that if many callers add the same sum concurrently, the sum is new to
// exactly one of them, even while the file is recreated.
func TestConcurrent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	const sums, processes = 200, 8
	var mu sync.Mutex
	var wg sync.WaitGroup
	fresh := map[uint64]int{}
	for p := range processes {
		wg.Go(func() {
			c := New(path, "", int64(8000+16*(p%2)))
			for n := range uint64(sums) {
				if !addSum(t, c, numbered(n)) {
					mu.Lock()
					fresh[n]++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	for n := range uint64(sums) {
		if fresh[n] != 1 {
			t.Errorf("%d was new %d times", n, fresh[n])
		}
	}
}

// TestKill repeatedly kills a process that stores sums and reports them, and checks that no
// reported sum is lost.
func TestKill(t *testing.T) {
	if path := os.Getenv("SEEN_KILL"); path != "" {
		storeForever(t, path)
	}
	path := filepath.Join(t.TempDir(), "cache")
	const capacity = 1000 / slotSize
	next := uint64(0)
	for range 30 {
		told := storeUntilKilled(t, path, next)
		for n := max(told, capacity-3) - (capacity - 3); n < told; n++ {
			if !hasSum(t, New(path, "", 1000), numbered(n)) {
				t.Fatalf("%d of %d is lost", n, told)
			}
		}
		next = told + 1
	}
}

// storeForever stores the sums of increasing numbers, and prints each number after its sum is
// stored.
func storeForever(t *testing.T, path string) {
	n, err := strconv.ParseUint(os.Getenv("SEEN_NEXT"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	for c := New(path, "", 1000); ; n++ {
		addSum(t, c, numbered(n))
		os.Stdout.WriteString(strconv.FormatUint(n, 10) + "\n")
	}
}

// storeUntilKilled runs storeForever in a process, kills the process after about 100 sums, and
// returns the last printed number plus 1.
func storeUntilKilled(t *testing.T, path string, next uint64) (told uint64) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=TestKill")
	c.Env = append(os.Environ(), "SEEN_KILL="+path, "SEEN_NEXT="+strconv.FormatUint(next, 10))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for i := 0; lines.Scan(); i++ {
		n, err := strconv.ParseUint(lines.Text(), 10, 64)
		if err != nil {
			t.Fatalf("%q", lines.Text())
		}
		told = n + 1
		if i == 100 {
			c.Process.Kill()
		}
	}
	c.Wait()
	return told
}

// BenchmarkLookup measures one call of View with a lookup in a cache of 100,000 sums.
func BenchmarkLookup(b *testing.B) {
	c := New(filepath.Join(b.TempDir(), "cache"), "", 100_002*slotSize)
	err := c.Update(func(r *Ring) error {
		for n := range uint64(100_000) {
			r.Add(numbered(n << 20))
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if hasSum(b, c, numbered(0xfffff)) {
			b.Fatal("seen")
		}
	}
}
