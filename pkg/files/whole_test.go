package files

import "testing"

func TestNamesStream(t *testing.T) {
	for name, want := range map[string]bool{
		"/dev/stdin": true, "/dev/fd/3": true, "/proc/self/fd/3": true, "/dev/shm/a.jsonl": false, "/dev": false, "a.jsonl": false,
	} {
		if got := NamesStream(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
