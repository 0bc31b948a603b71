package seen

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"
)

const magic = "fzseen1\n"

// MinBytes is the least size of a cache: a header, a sum and a gap.
const MinBytes = 3 * slotSize

// ErrNotCache is the error for a file that is something else.
var ErrNotCache = errors.New("not a cache of fuzzyseen")

// A Cache is a ring in a file, or in memory only. The file is locked while it is
// looked at, so that processes may share it; a Cache is not for concurrent use
// by goroutines.
type Cache struct {
	path     string
	capacity int
	memory   *Ring // where there is no path
}

// New returns the cache in the named file, which need not exist, or in memory
// if path is empty. The file grows to at most maxBytes, which is at least
// MinBytes; if it is larger, or was made for another size, the next Update
// makes it anew and keeps the last sums that fit.
func New(path string, maxBytes int64) *Cache {
	c := &Cache{path: path, capacity: int(maxBytes/slotSize) - 1}
	if path == "" {
		c.memory = newRing(nil, c.capacity)
	}
	return c
}

// View calls fn with what the file holds, under a shared lock. A file that does
// not exist holds nothing. What fn adds is not stored.
func (c *Cache) View(fn func(*Ring) error) error {
	if c.memory != nil {
		return fn(c.memory)
	}
	f, err := c.open(os.O_RDONLY, syscall.LOCK_SH)
	if errors.Is(err, fs.ErrNotExist) {
		return fn(newRing(nil, c.capacity))
	}
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := load(f, c.capacity)
	if err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	defer r.unload()
	return fn(r)
}

// Update calls fn with what the file holds, under an exclusive lock, and then
// stores what fn has added, unless fn fails.
func (c *Cache) Update(fn func(*Ring) error) error {
	if c.memory != nil {
		c.memory.pending = c.memory.pending[:0]
		return fn(c.memory)
	}
	f, err := c.open(os.O_RDWR|os.O_CREATE, syscall.LOCK_EX)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := load(f, c.capacity)
	if err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	defer r.unload()
	resized := r.capacity != c.capacity
	if resized { // the sums are copied
		r = newRing(last(r.sums(), c.capacity), c.capacity)
	}
	if err := fn(r); err != nil {
		return err
	}
	if resized {
		return c.replace(f, r.sums())
	}
	return store(f, r)
}

// open opens and locks the file. If it was replaced meanwhile, the lock is on
// what is no longer the cache, and all begins again.
func (c *Cache) open(flag, lock int) (*os.File, error) {
	for {
		f, err := os.OpenFile(c.path, flag|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return nil, err
		}
		current, err := lockFile(f, lock)
		if current {
			return f, nil
		}
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.path, err)
		}
	}
}

// lockFile locks f, and reports whether it still has its name.
func lockFile(f *os.File, lock int) (bool, error) {
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, errors.New("not a regular file")
	}
	for err = syscall.EINTR; err == syscall.EINTR; {
		err = syscall.Flock(int(f.Fd()), lock)
	}
	if err != nil {
		return false, err
	}
	named, err := os.Stat(f.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(info, named), err
}

// load maps the ring of f into memory, privately: what is added to it shows in
// the file only when it is stored. A file that is new or empty is a ring of the
// given capacity.
func load(f *os.File, capacity int) (*Ring, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return newRing(nil, capacity), nil
	}
	if info.Size() < slotSize || info.Size() > math.MaxInt32 {
		return nil, ErrNotCache
	}
	file, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint64(file[len(magic):])
	slots := file[slotSize : len(file)-len(file)%slotSize : len(file)-len(file)%slotSize]
	if string(file[:len(magic)]) != magic || size < 2 || size > math.MaxInt32 || uint64(len(slots)) > size*slotSize {
		syscall.Munmap(file)
		return nil, ErrNotCache
	}
	r := newRing(slots, int(size))
	r.mapped = file
	return r, nil
}

// unload ends the use of a ring that was loaded.
func (r *Ring) unload() {
	if r.mapped != nil {
		syscall.Munmap(r.mapped)
	}
}

// store writes what was added to r, one slot at a time.
func store(f *os.File, r *Ring) error {
	info, err := f.Stat()
	if err == nil && info.Size() == 0 {
		_, err = f.WriteAt(header(r.capacity), 0)
	}
	if err != nil {
		return err
	}
	for _, w := range r.pending {
		if _, err := f.WriteAt(w.sum[:], slotSize*int64(w.slot+1)); err != nil {
			return err
		}
	}
	r.pending = r.pending[:0]
	return nil
}

func header(capacity int) []byte {
	return binary.LittleEndian.AppendUint64([]byte(magic), uint64(capacity))
}

// last returns the last of the given sums that a ring of this capacity can hold.
func last(sums []byte, capacity int) []byte {
	return sums[max(0, len(sums)-(capacity-1)*slotSize):]
}

// replace puts a file of c's capacity with the given sums in the place of old,
// which is locked. The new one is locked before it has the name.
func (c *Cache) replace(old *os.File, sums []byte) error {
	path, err := filepath.EvalSymlinks(c.path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer f.Close()
	if err = c.fill(f, old, sums); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// fill makes f a cache with the mode of old, and locks it.
func (c *Cache) fill(f, old *os.File, sums []byte) error {
	info, err := old.Stat()
	if err != nil {
		return err
	}
	if err := f.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	if _, err := lockFile(f, syscall.LOCK_EX); err != nil {
		return err
	}
	_, err = f.Write(append(header(c.capacity), sums...))
	return err
}
