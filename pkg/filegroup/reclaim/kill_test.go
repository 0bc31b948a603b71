package reclaim

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"doppel/pkg/filegroup"
)

// killed is the environment variable that makes the test binary call the function die. Its value is
// a Way and the number of hook calls to survive.
const killed = "RECLAIM_KILLED"

func TestMain(m *testing.M) {
	if text := os.Getenv(killed); text != "" {
		die(text)
	}
	os.Exit(m.Run())
}

// die reclaims the copies in the current directory until a call of the hook kills the process. The
// argument is the value of RECLAIM_KILLED.
func die(text string) {
	var way Way
	var left int
	fmt.Sscan(text, &way, &left)
	r := actor(way)
	r.hook = func(moment, []byte, []byte) {
		if left--; left < 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	all, err := group()
	if err == nil {
		err = r.Group(&all[0], pointers(all[1:]))
	}
	if err != nil {
		panic(err)
	}
	os.Exit(0)
}

func actor(way Way) *Reclaimer {
	return &Reclaimer{Way: way, Report: func(err error) { panic(err) }, Log: func(_, _ []byte) error { return nil }}
}

func pointers(ms []filegroup.Member) (all []*filegroup.Member) {
	for i := range ms {
		all = append(all, &ms[i])
	}
	return all
}

// TestKilled checks that a process killed at any moment loses no content and changes no name except
// those of removed copies, and that a second run completes the work and leaves no temporary names.
func TestKilled(t *testing.T) {
	self, err := os.Executable()
	check(t, err)
	for _, way := range []Way{Remove, Link} {
		for left := 0; ; left++ {
			t.Chdir(t.TempDir())
			for _, name := range []string{"kept", "x", "y", "z"} {
				write(t, name, text)
			}
			c := exec.Command(self)
			c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", killed, way, left))
			if err := c.Run(); err == nil {
				if left != 6 {
					t.Errorf("%s: %d moments", way, left)
				}
				break
			}
			checkKilled(t, way, left)
		}
	}
}

// checkKilled checks the files that a killed process left, and completes its work.
func checkKilled(t *testing.T, way Way, left int) {
	t.Helper()
	names, _ := filepath.Glob("[a-z]*")
	asides, _ := filepath.Glob(filegroup.Aside + "*")
	for _, name := range append(names, asides...) {
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%s, moment %d: %s has %q, %v", way, left, name, got, err)
		}
	}
	if gone := left / 2; way == Remove && len(names)+len(asides) != 4-gone || way == Link && len(names) != 4 || len(asides) != left%2 {
		t.Errorf("%s, moment %d: %q and %q", way, left, names, asides)
	}
	all, err := group()
	check(t, err)
	check(t, actor(way).Group(&all[0], pointers(all[1:])))
	asides, _ = filepath.Glob(filegroup.Aside + "*")
	if len(asides) > 0 {
		t.Errorf("%s, moment %d: %q are left", way, left, asides)
	}
	if _, err := os.Stat("kept"); err != nil {
		t.Error(err)
	}
}
