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
	"github.com/spf13/pflag"

	"doppel/pkg/cli"
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
	"unreadable":       func(name string) error { return os.Chmod(name, 0) },
	"unreadable below": func(name string) error { return hide(name + "/[cs]u[rb]") },
	"unreadable file":  func(name string) error { return hide(name + "/[cs]u[rb]/*") },
	"a directory": func(name string) error {
		os.RemoveAll(name)
		return os.Mkdir(name, 0o755)
	},
	"a closed directory": func(name string) error { return os.Mkdir(name, 0) },
	"a file": func(name string) error {
		os.RemoveAll(name)
		return os.WriteFile(name, []byte("a file\n"), 0o644)
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

// hide makes the first file that matches a pattern unreadable.
func hide(pattern string) error {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		return fmt.Errorf("%s: %v, %v", pattern, names, err)
	}
	return os.Chmod(names[0], 0)
}

// A protection is something that a command needs in order to know what it must not change.
type protection struct {
	name     string   // the argument, also the name of the file or directory
	breaks   []string // breakages that are errors
	harmless []string // breakages after which there is nothing to do
}

var (
	directory = []string{"missing", "emptied", "dangling", "unreadable", "unreadable below", "unreadable file", "a FIFO", "empty argument"}
	operand   = []string{"missing", "dangling", "unreadable", "a FIFO", "empty argument"}
	file      = []string{"missing", "emptied", "dangling", "unreadable", "a directory", "a FIFO", "empty argument"}
	stored    = []string{"dangling", "unreadable", "a directory", "a FIFO", "truncated", "empty argument"}
	box       = []string{"missing", "dangling", "unreadable", "a directory", "empty argument"}
	maildir   = []string{"missing", "emptied", "dangling", "unreadable", "unreadable below", "unreadable file", "a FIFO", "empty argument"}
	into      = []string{"dangling", "a closed directory", "a file", "a FIFO", "empty argument"}
	less      = []string{"emptied", "truncated"}
)

// protected lists command lines that change files, or print what would change them, and everything
// that protects files from each command line.
var protected = []struct {
	args   string
	broken []protection
}{
	{"files --remove --yes --reference archive in", []protection{reference, {"in", operand, []string{"emptied"}}}},
	{"files --remove --yes --must-match --reference archive in", []protection{reference}},
	{"files --link --yes --reference archive in", []protection{reference}},
	{"files --reflink --yes --reference archive in", []protection{reference}},
	{"files --remove --yes --reference archive/sub/b --reference archive in", []protection{{"archive/sub/b", file, nil}}},
	{"files --remove --yes archive in", []protection{archive}},
	{"files --remove --yes in/b in/b2", []protection{{"in/b", operand, append([]string{"a directory"}, less...)}}},
	{"files --link --yes archive in", []protection{archive}},
	{"files --remove --yes --trust --cache cache archive in", []protection{{"cache", stored, nil}, archive}},
	{"files --link --yes --trust --cache cache archive in", []protection{{"cache", stored, nil}}},
	{"files --format rm --reference archive in", []protection{reference}},
	{"files --format link --reference archive in", []protection{reference}},
	{"files --format reflink --reference archive in", []protection{reference}},
	{"files --print0 archive in", []protection{archive}},
	{"files --print0 --known known in", []protection{{"known", box, less[:1]}, {"known", []string{"truncated"}, nil}}},
	{"files --format rm --known known in", []protection{{"known", box, less[:1]}, {"known", []string{"truncated"}, nil}}},
	{"files -0 --format rm --reference archive in", []protection{reference}},
	{"mail --remove --yes box1 box2", []protection{{"box1", box, less}, {"box2", box, less}}},
	{"mail --remove --yes maildir box1", []protection{{"maildir", maildir, nil}, {"box1", box, less}}},
	{"mail --remove --yes --similar box1 box2", []protection{{"box1", box, less}}},
	{"mail --into copies --yes box1 box2", []protection{{"box1", box, nil}, {"copies", into, nil}}},
	{"mail --into copies --yes maildir box1", []protection{{"maildir", maildir, nil}, {"copies", into, nil}}},
}

var reference, archive = protection{"archive", directory, nil}, protection{"archive", operand, nil}

// TestProtected breaks everything that protects files, in each way, for each command that changes
// files. The command must end with status 2, write no names to be removed or linked, and leave the tree
// as it is. Without the damage it must change the tree, or print what would change it.
func TestProtected(t *testing.T) {
	for _, job := range protected {
		t.Run(job.args, func(t *testing.T) {
			dir := protectedTree(t)
			r := inTree(t, dir, strings.Fields(job.args))
			canShare := !strings.Contains(job.args, "--reflink --yes")
			if canShare && (r.status != 0 || r.stdout == "") {
				t.Fatalf("unbroken: %+v", r)
			}
			breakAndRun(t, job.args, "the disk of the list", "full", true)
			for _, p := range job.broken {
				for _, way := range p.breaks {
					breakAndRun(t, job.args, p.name, way, true)
				}
				for _, way := range p.harmless {
					breakAndRun(t, job.args, p.name, way, false)
				}
			}
		})
	}
}

// TestProtectedOptions checks that protected has a command line for each option that names a file or a
// directory, of each command with --yes. The options that only name an output are exempt.
func TestProtectedOptions(t *testing.T) {
	for _, name := range commandNames(t) {
		fs := pflag.NewFlagSet("", pflag.ContinueOnError)
		cli.Find(strings.TrimPrefix(name, "doppel ")).Options.Flags(fs)
		if fs.Lookup("yes") == nil {
			continue
		}
		fs.VisitAll(func(f *pflag.Flag) {
			arg, _ := pflag.UnquoteUsage(f)
			isName := slices.Contains([]string{"FILE", "LIST", "DIR", "OLD", "string"}, arg)
			has := func(job struct {
				args   string
				broken []protection
			}) bool {
				return strings.HasPrefix(job.args, strings.TrimPrefix(name, "doppel ")+" ") && strings.Contains(job.args, " --"+f.Name+" ")
			}
			if isName && f.Name != "output" && f.Name != "report" && !slices.ContainsFunc(protected, has) {
				t.Errorf("%s --%s %s: no command line", name, f.Name, arg)
			}
		})
	}
}

// breakAndRun runs a command in a new tree in which something is broken, and checks that nothing
// was changed, and whether this is an error.
func breakAndRun(t *testing.T, line, name, way string, isError bool) {
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
	if lists := args[0] == "mail"; isError && (r.status != 2 || r.stderr == "") || r.stdout != "" && !lists {
		t.Errorf("%s is broken: %s: status %d, stdout %q, stderr %q", name, way, r.status, r.stdout, r.stderr)
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Errorf("%s is broken: %s:\n%s", name, way, d)
	}
}

// protectedTree returns a directory with an archive, copies of its files in the directory in, three
// mailboxes with one letter each, a cache, and a list of known files.
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
	for _, sub := range []string{"archive/sub", "in", "maildir/cur", "maildir/new", "maildir/tmp"} {
		must(t, os.MkdirAll(filepath.Join(dir, sub), 0o755))
	}
	mail := "From: a@example.org\nMessage-ID: <1@example.org>\nSubject: seven\n\n" +
		strings.Repeat("The quick brown fox jumps over the lazy dog, and then it rests for an hour.\n", 5)
	letter := "From a@example.org Mon Jan  1 00:00:00 2024\n" + mail + "\n"
	for name, text := range map[string]string{
		"archive/a": "first text\n", "archive/sub/b": "second text\n", "archive/sub/c": "a third text\n",
		"in/a": "first text\n", "in/b": "second text\n", "in/b2": "second text\n",
		"box1": letter, "box2": letter, "maildir/cur/1:2,S": mail,
		"known": "b808e757269d66b812b47d78a3744336\t11\tthere/a\n",
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
