package cmd_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// breakages are the ways in which something that protects files can be missing. Each one changes a
// file or directory, or the arguments that name it.
var breakages = map[string]func(name string) error{
	"missing": os.RemoveAll,
	"emptied": func(name string) error {
		entries, err := os.ReadDir(name)
		if err != nil {
			return os.Truncate(name, 0)
		}
		for _, e := range entries {
			os.RemoveAll(filepath.Join(name, e.Name()))
		}
		return nil
	},
	"dangling": func(name string) error {
		os.RemoveAll(name)
		return os.Symlink("nowhere", name)
	},
	"unreadable": func(name string) error { return os.Chmod(name, 0) },
	"unreadable below": func(name string) error {
		return os.Chmod(filepath.Join(name, "sub"), 0)
	},
	"unreadable file": func(name string) error {
		return os.Chmod(filepath.Join(name, "sub", "b"), 0)
	},
	"a directory": func(name string) error {
		os.RemoveAll(name)
		return os.Mkdir(name, 0o755)
	},
	"a FIFO": func(name string) error {
		os.RemoveAll(name)
		return syscall.Mkfifo(name, 0o644)
	},
	"truncated": func(name string) error {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		return os.Truncate(name, info.Size()/2)
	},
	"empty argument": nil,
}

// A protection is something that a command needs in order to know what it must not change.
type protection struct {
	name   string // the argument, also the name of the file or directory
	breaks []string
}

var (
	directory = []string{"missing", "emptied", "dangling", "unreadable", "unreadable below", "unreadable file", "a FIFO", "empty argument"}
	operand   = []string{"missing", "dangling", "unreadable", "a FIFO", "empty argument"}
	stored    = []string{"dangling", "unreadable", "a directory", "a FIFO", "truncated"}
	box       = []string{"missing", "dangling", "unreadable", "a directory", "empty argument"}
	into      = []string{"dangling", "a FIFO"}
)

// TestProtected breaks everything that protects files, in each way, for each command that changes
// files. The command must end with status 2, write no names to be removed or linked, and leave the tree
// as it is. Without the damage it must change the tree, or print what would change it.
func TestProtected(t *testing.T) {
	reference, archive := protection{"archive", directory}, protection{"archive", operand}
	cache := protection{"cache", stored}
	for _, job := range []struct {
		args   string
		broken []protection
	}{
		{"files --remove --yes --reference archive in", []protection{reference, {"in", operand}}},
		{"files --remove --yes --must-match --reference archive in", []protection{reference}},
		{"files --link --yes --reference archive in", []protection{reference}},
		{"files --reflink --yes --reference archive in", []protection{reference}},
		{"files --remove --yes --reference archive/sub/b --reference archive in", []protection{reference, {"archive/sub/b", []string{"missing", "dangling", "unreadable", "empty argument"}}}},
		{"files --remove --yes archive in", []protection{archive}},
		{"files --link --yes archive in", []protection{archive}},
		{"files --remove --yes --trust --cache cache archive in", []protection{cache, archive}},
		{"files --format rm --reference archive in", []protection{reference}},
		{"files --format link --reference archive in", []protection{reference}},
		{"files --format reflink --reference archive in", []protection{reference}},
		{"files --print0 archive in", []protection{archive}},
		{"files -0 --format rm --reference archive in", []protection{reference}},
		{"mail --remove --yes box1 box2", []protection{{"box1", box}, {"box2", box}}},
		{"mail --into copies --yes box1 box2", []protection{{"box1", box}, {"copies", into}}},
	} {
		t.Run(job.args, func(t *testing.T) {
			dir := protectedTree(t)
			r := inTree(t, dir, strings.Fields(job.args))
			canShare := !strings.Contains(job.args, "--reflink --yes")
			if canShare && (r.status != 0 || r.stdout == "") {
				t.Fatalf("unbroken: %+v", r)
			}
			breakAndRun(t, job.args, "the disk of the list", "full")
			for _, p := range job.broken {
				for _, way := range p.breaks {
					breakAndRun(t, job.args, p.name, way)
				}
			}
		})
	}
}

// breakAndRun runs a command in a new tree in which something is broken, and checks that nothing
// was changed.
func breakAndRun(t *testing.T, line, name, way string) {
	t.Helper()
	dir := protectedTree(t)
	args := strings.Fields(line)
	switch change := breakages[way]; {
	case way == "full":
		args = append(args, "-o", "/dev/full")
	case change == nil:
		args[slices.Index(args, name)] = ""
	default:
		must(t, change(filepath.Join(dir, name)))
	}
	before := snapshot(t, dir)
	r := inTree(t, dir, args)
	if lists := args[0] == "mail"; r.status != 2 || r.stdout != "" && !lists || r.stderr == "" {
		t.Errorf("%s is broken: %s: status %d, stdout %q, stderr %q", name, way, r.status, r.stdout, r.stderr)
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Errorf("%s is broken: %s:\n%s", name, way, d)
	}
}

// protectedTree returns a directory with an archive, copies of its files in the directory in, two
// mailboxes with one letter each, and a cache.
func protectedTree(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "protect")
	must(t, err)
	t.Cleanup(func() {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				os.Chmod(path, 0o755)
			}
			return nil
		})
		os.RemoveAll(dir)
	})
	for _, sub := range []string{"archive/sub", "in"} {
		must(t, os.MkdirAll(filepath.Join(dir, sub), 0o755))
	}
	letter := "From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\nMessage-ID: <1@example.org>\nSubject: seven\n\n" +
		strings.Repeat("The quick brown fox jumps over the lazy dog, and then it rests for an hour.\n", 5) + "\n"
	for name, text := range map[string]string{
		"archive/a": "first text\n", "archive/sub/b": "second text\n", "archive/sub/c": "a third text\n",
		"in/a": "first text\n", "in/b": "second text\n", "in/b2": "second text\n",
		"box1": letter, "box2": letter,
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	old := syscall.NsecToTimespec(1_700_000_000e9) // older than what a cache takes for recent
	must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && os.Geteuid() == 0 {
			err = os.Chown(path, 65534, 65534)
		}
		return err
	}))
	must(t, syscall.UtimesNano(filepath.Join(dir, "in/a"), []syscall.Timespec{old, old}))
	const empty = "99aa06d3014798d86001c324468d497f" // XXH3 of nothing
	must(t, os.WriteFile(filepath.Join(dir, "cache"), []byte("doppel files cache 2 "+empty+"\n"), 0o644))
	if os.Geteuid() == 0 {
		must(t, os.Chown(filepath.Join(dir, "cache"), 65534, 65534))
	}
	return dir
}

// inTree runs doppel in a directory, as a user who cannot read everything.
func inTree(t *testing.T, dir string, args []string) result {
	t.Helper()
	must(t, os.Chmod(bin, 0o755))
	c := exec.Command(filepath.Join(bin, "doppel"), args...)
	c.Dir = dir
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return run(c, "")
}

// snapshot returns a line about each entry of a tree.
func snapshot(t *testing.T, dir string) (all []string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // unreadable for a user who is not root
		}
		info, err := os.Lstat(path)
		must(t, err)
		var text []byte
		if info.Mode().IsRegular() {
			text, _ = os.ReadFile(path)
		}
		all = append(all, fmt.Sprintf("%s %v %d %q", path, info.Mode(), info.Sys().(*syscall.Stat_t).Ino, text))
		return nil
	})
	return all
}
