package reclaim

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write writes a file with an old mtime, so that any later change to the file alters the mtime.
func write(t testing.TB, name, text string) {
	t.Helper()
	check(t, os.WriteFile(name, []byte(text), 0o644))
	past := time.Unix(1_700_000_000, 0)
	check(t, os.Chtimes(name, past, past))
}

func member(t testing.TB, name string, others ...string) *filegroup.Member {
	t.Helper()
	info, err := files.Stat([]byte(name), files.Refuse)
	check(t, err)
	m := &filegroup.Member{Name: []byte(name), Info: info}
	for _, o := range others {
		m.Others = append(m.Others, []byte(o))
	}
	return m
}

// A scene is a test of a Reclaimer. It records the reported errors and the names passed to Log.
type scene struct {
	*testing.T
	r    *Reclaimer
	errs []error
	done []string
}

func stage(t *testing.T, way Way) *scene {
	t.Chdir(t.TempDir())
	write(t, "kept", "the same text")
	write(t, "copy", "the same text")
	s := &scene{T: t}
	s.r = &Reclaimer{
		Way:    way,
		Report: func(err error) { s.errs = append(s.errs, err) },
		Log:    func(_, name []byte) error { s.done = append(s.done, string(name)); return nil },
	}
	return s
}

func (s *scene) act(others ...string) {
	s.Helper()
	check(s, s.r.Group(member(s, "kept"), []*filegroup.Member{member(s, "copy", others...)}))
}

// texts returns a map from the names of the files in the current directory to their content, with
// every temporary name replaced by "aside".
func (s *scene) texts() map[string]string {
	s.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(".")
	check(s, err)
	for _, e := range entries {
		text, err := os.ReadFile(e.Name())
		check(s, err)
		name := e.Name()
		if strings.HasPrefix(name, filegroup.Aside) {
			name = "aside"
		}
		all[name] += string(text)
	}
	return all
}

func (s *scene) want(want map[string]string) {
	s.Helper()
	if d := cmp.Diff(want, s.texts()); d != "" {
		s.Errorf("%s\n%v", d, s.errs)
	}
}

const text = "the same text"

func TestRemove(t *testing.T) {
	s := stage(t, Remove)
	check(t, os.Link("copy", "further"))
	s.act("further", "./copy")
	s.want(map[string]string{"kept": text})
	if d := cmp.Diff([]string{"copy", "further"}, s.done); d != "" || len(s.errs) > 0 || s.r.Freed() != int64(len(text)) {
		t.Errorf("%s%v, %d bytes", d, s.errs, s.r.Freed())
	}
}

func TestLink(t *testing.T) {
	s := stage(t, Link)
	check(t, os.Link("copy", "further"))
	s.act("further", "./copy")
	s.want(map[string]string{"kept": text, "copy": text, "further": text})
	for _, name := range []string{"copy", "further"} {
		if a, b := member(t, "kept"), member(t, name); a.Info.Ino != b.Info.Ino {
			t.Errorf("%s: not a link", name)
		}
	}
	if len(s.done) != 2 || len(s.errs) > 0 || s.r.Freed() != int64(len(text)) {
		t.Errorf("%v %v, %d bytes", s.done, s.errs, s.r.Freed())
	}
}

// TestLogFails checks that a name is restored if it cannot be logged, and that the run then ends.
func TestLogFails(t *testing.T) {
	full := errors.New("disk full")
	for _, way := range []Way{Remove, Link} {
		s := stage(t, way)
		check(t, os.Link("copy", "further"))
		write(t, "copy2", text)
		s.r.Log = func(_, name []byte) error {
			s.done = append(s.done, string(name))
			if string(name) == "further" {
				return full
			}
			return nil
		}
		err := s.r.Group(member(t, "kept"), []*filegroup.Member{member(t, "copy", "further"), member(t, "copy2")})
		want := map[string]string{"kept": text, "further": text, "copy2": text}
		if way == Link {
			want["copy"] = text
		}
		s.want(want)
		if err != full || len(s.errs) > 0 || s.r.Names() != 1 || member(t, "further").Info.Ino == member(t, "kept").Info.Ino {
			t.Errorf("%s: %v, reported %v, %d names, logged %v", way, err, s.errs, s.r.Names(), s.done)
		}
	}
}

// TestSweep checks that the temporary links left by a killed process are removed.
func TestSweep(t *testing.T) {
	s := stage(t, Link)
	check(t, os.Link("kept", filegroup.Aside+"x"))
	check(t, os.Link("kept", "further"))
	check(t, s.r.Group(member(t, "kept", filegroup.Aside+"x", "further"), []*filegroup.Member{member(t, "copy")}))
	if s.want(map[string]string{"kept": text, "copy": text, "further": text}); len(s.errs) > 0 {
		t.Errorf("%v", s.errs)
	}
}

// TestFreed checks that removing a name of a copy frees nothing if the copy has another name.
func TestFreed(t *testing.T) {
	s := stage(t, Remove)
	check(t, os.Link("copy", "further"))
	s.act()
	if s.want(map[string]string{"kept": text, "further": text}); s.r.Freed() != 0 {
		t.Errorf("%d bytes", s.r.Freed())
	}
}

// appended appends to a file as another program would. If a lease blocks the write, a goroutine
// waits until the lease ends. The returned function waits for the write.
func appended(t *testing.T, name string) (wait func()) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|unix.O_NONBLOCK, 0)
	if err == nil {
		f.WriteString("!")
		f.Close()
		return func() {}
	}
	if !errors.Is(err, unix.EWOULDBLOCK) {
		t.Fatal(err)
	}
	done := make(chan error) // receives the result of the write below, which may wait for a lease to end
	go func() {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.WriteString("!")
			f.Close()
		}
		done <- err
	}()
	return func() { check(t, <-done) }
}

// TestMeddling changes the files between the comparison and the rename, and checks that each change
// is reported and no data is lost.
func TestMeddling(t *testing.T) {
	meddle := map[string]func(t *testing.T) (wait func()){
		"the copy is replaced":       func(t *testing.T) func() { write(t, "new", "new text"); check(t, os.Rename("new", "copy")); return nil },
		"the copy is removed":        func(t *testing.T) func() { check(t, os.Remove("copy")); return nil },
		"the copy is moved":          func(t *testing.T) func() { check(t, os.Rename("copy", "moved")); return nil },
		"the copy is written to":     func(t *testing.T) func() { return appended(t, "copy") },
		"the kept one is replaced":   func(t *testing.T) func() { write(t, "new", "new text"); check(t, os.Rename("new", "kept")); return nil },
		"the kept one is removed":    func(t *testing.T) func() { check(t, os.Remove("kept")); return nil },
		"the kept one is written to": func(t *testing.T) func() { return appended(t, "kept") },
	}
	want := map[string]map[string]string{
		"the copy is replaced":       {"kept": text, "copy": "new text"},
		"the copy is removed":        {"kept": text},
		"the copy is moved":          {"kept": text, "moved": text},
		"the copy is written to":     {"kept": text, "copy": text + "!"},
		"the kept one is replaced":   {"kept": "new text", "copy": text},
		"the kept one is removed":    {"copy": text},
		"the kept one is written to": {"kept": text + "!", "copy": text},
	}
	for name, do := range meddle {
		for _, way := range []Way{Remove, Link} {
			t.Run(name+" "+string(way), func(t *testing.T) {
				s := stage(t, way)
				wait := func() {}
				s.r.hook = func(when moment, _, _ []byte) {
					if when == compared {
						if w := do(t); w != nil {
							wait = w
						}
					}
				}
				s.act()
				wait()
				s.want(want[name])
				if len(s.errs) != 1 || len(s.done) > 0 {
					t.Errorf("%v, done %v", s.errs, s.done)
				}
			})
		}
	}
}

// TestMeddlingAside changes the files after the rename, while the copy has a temporary name, and
// checks that no data is lost.
func TestMeddlingAside(t *testing.T) {
	for _, way := range []Way{Remove, Link} {
		t.Run("a new file of the name "+string(way), func(t *testing.T) {
			s := stage(t, way)
			s.r.hook = func(when moment, _, _ []byte) {
				if when == aside {
					write(t, "new", "new text")
					check(t, os.Rename("new", "copy"))
				}
			}
			s.act()
			s.want(map[string]string{"kept": text, "copy": "new text"})
		})
		t.Run("the kept one is written to "+string(way), func(t *testing.T) {
			s := stage(t, way)
			var wait func()
			s.r.hook = func(when moment, _, _ []byte) {
				if when == aside {
					wait = appended(t, "kept")
				}
			}
			s.act()
			wait()
			if s.want(map[string]string{"kept": text + "!", "copy": text}); len(s.errs) != 1 {
				t.Errorf("%v", s.errs)
			}
		})
	}
	t.Run("both", func(t *testing.T) {
		s := stage(t, Link)
		s.r.hook = func(when moment, _, _ []byte) {
			if when == aside {
				write(t, "new", "new text")
				check(t, os.Rename("new", "copy"))
				check(t, os.Remove("kept"))
			}
		}
		s.act()
		s.want(map[string]string{"copy": text, "aside": "new text"})
		if len(s.errs) != 2 || !strings.Contains(s.errs[1].Error(), filegroup.Aside) {
			t.Errorf("%v", s.errs)
		}
	})
	t.Run("both, removed", func(t *testing.T) {
		s := stage(t, Remove)
		s.r.hook = func(when moment, _, _ []byte) {
			if when == aside {
				write(t, "copy", "new text")
				check(t, os.Remove("kept"))
			}
		}
		s.act()
		s.want(map[string]string{"copy": "new text", "aside": text})
	})
}

// TestLeftAlone checks that a copy is left unchanged if it differs from the kept file, has changed
// or vanished, is a symbolic link, or is locked.
func TestLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		before func(t *testing.T, m *filegroup.Member)
		want   error
	}{
		"other bytes": {func(t *testing.T, m *filegroup.Member) { write(t, "copy", "the SAME text"); *m = *member(t, "copy") }, errDiffers},
		"other size":  {func(t *testing.T, m *filegroup.Member) { write(t, "copy", "text"); *m = *member(t, "copy") }, errDiffers},
		"changed":     {func(t *testing.T, m *filegroup.Member) { check(t, os.WriteFile("copy", []byte("x"), 0o644)) }, files.ErrChanged},
		"gone":        {func(t *testing.T, m *filegroup.Member) { check(t, os.Remove("copy")) }, os.ErrNotExist},
		"a link": {func(t *testing.T, m *filegroup.Member) {
			check(t, os.Remove("copy"))
			check(t, os.Symlink("kept", "copy"))
		}, files.ErrLink},
		"locked": {func(t *testing.T, m *filegroup.Member) {
			f, err := os.Open("copy")
			check(t, err)
			t.Cleanup(func() { f.Close() })
			check(t, unix.Flock(int(f.Fd()), unix.LOCK_SH))
		}, errLocked},
	} {
		t.Run(name, func(t *testing.T) {
			s := stage(t, Remove)
			m := member(t, "copy")
			c.before(t, m)
			before := s.texts()
			check(t, s.r.Group(member(t, "kept"), []*filegroup.Member{m}))
			if s.want(before); len(s.errs) != 1 || !errors.Is(s.errs[0], c.want) {
				t.Errorf("%v, want %v", s.errs, c.want)
			}
		})
	}
}

// TestLinkOwner checks that a copy is not linked if its mode differs from that of the kept file,
// because hard links share owner and mode.
func TestLinkOwner(t *testing.T) {
	s := stage(t, Link)
	check(t, os.Chmod("copy", 0o600))
	s.act()
	if len(s.errs) != 1 || !errors.Is(s.errs[0], errOwner) || len(s.done) > 0 {
		t.Errorf("%v, done %v", s.errs, s.done)
	}
}

// TestTwo checks that two processes, each keeping the file that the other removes, do not
// remove both.
func TestTwo(t *testing.T) {
	s := stage(t, Remove)
	a, b := member(t, "kept"), member(t, "copy")
	var inner []error
	other := &Reclaimer{Way: Remove, Report: func(err error) { inner = append(inner, err) }, Log: func(_, _ []byte) error { return nil }}
	s.r.hook = func(when moment, _, _ []byte) {
		if when == compared {
			check(t, other.Group(b, []*filegroup.Member{a}))
		}
	}
	check(t, s.r.Group(a, []*filegroup.Member{b}))
	if s.want(map[string]string{"kept": text}); len(inner) != 1 || !errors.Is(inner[0], errLocked) {
		t.Errorf("%v", inner)
	}
}

// TestReplace checks that replace and renameAbsent, which are used where names cannot be exchanged,
// do not overwrite a file that another program created under the new name.
func TestReplace(t *testing.T) {
	s := stage(t, Link)
	c, err := open(member(t, "copy"), unix.LOCK_EX)
	check(t, err)
	defer c.Close()
	k, err := open(member(t, "kept"), unix.LOCK_SH)
	check(t, err)
	defer k.Close()
	for _, want := range []string{"new text", text} {
		temp := filegroup.Beside("copy")
		check(t, os.Link("kept", temp))
		if want != text {
			check(t, os.Rename("copy", "old"))
			write(t, "copy", "new text")
		}
		err := s.r.replace(k, c, temp, "copy")
		if got, _ := os.ReadFile("copy"); string(got) != want || (err == nil) != (want == text) {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		if want != text {
			check(t, os.Rename("old", "copy"))
		}
	}
	if left, _ := filepath.Glob(filegroup.Aside + "*"); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	if err := renameAbsent("kept", "copy"); !errors.Is(err, unix.EEXIST) {
		t.Errorf("%v", err)
	}
	check(t, renameAbsent("copy", "free"))
	if names := slices.Collect(keys(s.texts())); len(names) != 2 {
		t.Errorf("%v", names)
	}
}

func keys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
