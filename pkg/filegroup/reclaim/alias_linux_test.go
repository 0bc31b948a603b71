package reclaim

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"doppel/pkg/filegroup"
)

// TestAliasOverlay checks that the last copy of a file on overlayfs is never removed, whichever
// layer has the kept file. If the lower layer has it, a name in the view may be removed, because
// the removal only hides the file in the view. The test is skipped if mounting overlayfs is not
// permitted.
func TestAliasOverlay(t *testing.T) {
	for name, c := range map[string]struct {
		at, kept, copy string
		alone          bool // the copy must be left unchanged
	}{
		"the view, then the lower layer": {"low", "view/x", "low/x", true},
		"the view, then the upper layer": {"up", "view/x", "up/x", true},
		"the upper layer, then the view": {"up", "up/x", "view/x", true},
		"the lower layer, then the view": {"low", "low/x", "view/x", false},
		"deeper, lower":                  {"low/d", "view/d/x", "low/d/x", true},
		"deeper, upper":                  {"up/d", "view/d/x", "up/d/x", true},
	} {
		t.Run(name, func(t *testing.T) {
			s, act := alias(t)
			for _, dir := range []string{"up", "work", c.at} {
				check(t, os.MkdirAll(dir, 0o755))
			}
			write(t, c.at+"/x", text)
			mountOverlay(t)
			act(c.kept, c.copy)
			if c.alone {
				s.leftAlone(nil, c.at+"/x", c.kept)
			} else if got, err := os.ReadFile(c.kept); err != nil || string(got) != text {
				t.Errorf("%s has %q, %v", c.kept, got, err)
			}
		})
	}
}

// mountOverlay mounts an overlayfs at ./view, with the upper layer ./up and the lower layer ./low.
func mountOverlay(t *testing.T) {
	t.Helper()
	if err := unix.Mount("overlay", "view", "overlay", 0, "lowerdir=low,upperdir=up,workdir=work"); err != nil {
		notRun(t, "overlayfs", err)
	}
	view, err := filepath.Abs("view")
	check(t, err)
	t.Cleanup(func() { check(t, unix.Unmount(view, unix.MNT_DETACH)) })
}

// appendFlag is FS_APPEND_FL from linux/fs.h.
const appendFlag = 0x20

// TestLinkAppendOnly checks that no link is created in an append-only directory, from which
// it could not be removed.
func TestLinkAppendOnly(t *testing.T) {
	s := stage(t, Link)
	check(t, os.Mkdir("log", 0o755))
	check(t, os.Rename("copy", "log/copy"))
	dir, err := os.Open("log")
	check(t, err)
	t.Cleanup(func() { dir.Close() })
	flags, err := unix.IoctlGetInt(int(dir.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(dir.Fd()), unix.FS_IOC_SETFLAGS, flags|appendFlag)
	}
	if err != nil {
		notRun(t, "append-only directories", err)
	}
	t.Cleanup(func() { check(t, unix.IoctlSetPointerInt(int(dir.Fd()), unix.FS_IOC_SETFLAGS, flags)) })
	check(t, s.r.Group(member(t, "kept"), []*filegroup.Member{member(t, "log/copy")}))
	s.leftAlone(errAppend, "kept", "log/copy")
}
