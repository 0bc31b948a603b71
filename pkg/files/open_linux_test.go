package files

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestNotOpened checks that Open rejects a FIFO without opening it, which would unblock a waiting
// writer.
func TestNotOpened(t *testing.T) {
	tree(t)
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	check(t, err)
	defer unix.Close(watch)
	events := make([]byte, 4096)
	for name, opened := range map[string]bool{"fifo": false, "socket": false, "plain": true} {
		_, err := unix.InotifyAddWatch(watch, name, unix.IN_OPEN)
		check(t, err)
		if f, err := Open([]byte(name), Refuse); err == nil {
			f.Close()
		}
		if n, _ := unix.Read(watch, events); (n > 0) != opened {
			t.Errorf("%s: opened %v, want %v", name, n > 0, opened)
		}
	}
}
