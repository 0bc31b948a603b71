package reclaim

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
)

// notRun skips a test that this machine cannot run, and adds it to the list that "make test" prints.
func notRun(t *testing.T, what string, why error) {
	t.Helper()
	if list := os.Getenv("NOT_RUN"); list != "" {
		f, err := os.OpenFile(list, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		check(t, err)
		defer f.Close()
		fmt.Fprintf(f, "%s\t%s\n", what, t.Name())
	}
	t.Skipf("%s: %v", what, why)
}

// loopMount makes a file system that can share blocks, and mounts it at a new directory, to which it
// changes. The mount needs root and a loop device.
func loopMount(t *testing.T, kind string) {
	t.Helper()
	dir := t.TempDir()
	image, view := filepath.Join(dir, "image"), filepath.Join(dir, "view")
	check(t, os.Mkdir(view, 0o755))
	check(t, os.WriteFile(image, nil, 0o600))
	check(t, os.Truncate(image, 320<<20))
	for _, args := range [][]string{{"mkfs." + kind, "-q", image}, {"mount", "-o", "loop", image, view}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			notRun(t, kind+" on a loop device", fmt.Errorf("%v: %w: %s", args, err, out))
		}
	}
	t.Cleanup(func() { check(t, unix.Unmount(view, unix.MNT_DETACH)) })
	t.Chdir(view)
}

// TestShare checks that copies share the blocks of the kept file, keep everything else, and that
// afterwards nothing is left to share.
func TestShare(t *testing.T) {
	for _, kind := range []string{"xfs", "btrfs"} {
		t.Run(kind, func(t *testing.T) {
			loopMount(t, kind)
			data := strings.Repeat("a block that is not like others\n", 640<<10) + "end" // 20 MiB, more than one call shares
			write(t, "kept", data)
			write(t, "copy", data)
			write(t, "other", data[:len(data)-1]+"x")
			check(t, os.Link("copy", "further"))
			check(t, os.Chmod("copy", 0o640))
			check(t, unix.Setxattr("copy", "user.origin", []byte("x"), 0))
			unix.Sync()
			status := func() []files.Info {
				var all []files.Info
				for _, name := range []string{"copy", "further"} {
					info := member(t, name).Info
					info.Ctime = files.Time{}
					all = append(all, info)
				}
				return all
			}
			before := status()
			if already, err := Shareable(member(t, "kept"), member(t, "copy")); already || err != nil {
				t.Errorf("before: %v, %v", already, err)
			}
			run := func() *scene {
				s := &scene{T: t}
				s.r = &Reclaimer{Way: Reflink,
					Report: func(err error) { s.errs = append(s.errs, err) },
					Log:    func(_, name []byte) error { s.done = append(s.done, string(name)); return nil }}
				check(t, s.r.Group(member(t, "kept"), []*filegroup.Member{member(t, "copy", "further")}))
				return s
			}
			if s := run(); len(s.errs) > 0 || len(s.done) != 1 || s.r.Freed() != int64(len(data)) {
				t.Errorf("%v, done %v, %d bytes freed", s.errs, s.done, s.r.Freed())
			}
			if d := cmp.Diff(before, status()); d != "" {
				t.Error(d)
			}
			var origin [8]byte
			if n, err := unix.Getxattr("copy", "user.origin", origin[:]); err != nil || string(origin[:n]) != "x" {
				t.Errorf("attribute %q, %v", origin[:max(n, 0)], err)
			}
			if got, err := os.ReadFile("further"); err != nil || string(got) != data {
				t.Errorf("the copy has changed: %v", err)
			}
			if already, err := Shareable(member(t, "kept"), member(t, "copy")); !already || err != nil {
				t.Errorf("after: %v, %v", already, err)
			}
			if s := run(); len(s.errs) > 0 || len(s.done) > 0 || s.r.Freed() != 0 {
				t.Errorf("second run: %v, done %v, %d bytes freed", s.errs, s.done, s.r.Freed())
			}
			check(t, unix.Setxattr("kept", "user.origin", []byte("y"), 0)) // attributes may differ
			if got := dedupe(open2(t, "kept"), open2(t, "other"), int64(len(data))); got != errDiffers {
				t.Errorf("a file that differs: %v", got)
			}
		})
	}
}

// open2 opens a file for the rest of the test and returns its descriptor.
func open2(t *testing.T, name string) int {
	f, err := os.Open(name)
	check(t, err)
	t.Cleanup(func() { f.Close() })
	return int(f.Fd())
}

// TestCannotShare checks that a file system that cannot share blocks is reported.
func TestCannotShare(t *testing.T) {
	s := stage(t, Reflink)
	s.act()
	if err := dedupe(open2(t, "kept"), open2(t, "copy"), int64(len(text))); err == nil {
		notRun(t, "a file system that cannot share blocks", nil)
	}
	s.leftAlone(errCannotShare, "kept", "copy")
}
