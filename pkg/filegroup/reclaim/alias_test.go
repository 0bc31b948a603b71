package reclaim

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"doppel/pkg/filegroup"
)

// alias returns a scene with two empty directories, low and view, and no other files. It also
// returns a function that calls Group for a kept file and its copy.
func alias(t *testing.T) (s *scene, act func(kept, copy string)) {
	s = stage(t, Remove)
	check(t, os.Remove("kept"))
	check(t, os.Remove("copy"))
	check(t, os.Mkdir("low", 0o755))
	check(t, os.Mkdir("view", 0o755))
	return s, func(kept, copy string) {
		t.Helper()
		check(t, s.r.Group(member(t, kept), []*filegroup.Member{member(t, copy)}))
	}
}

// leftAlone checks that no file was removed or linked, that the named files are unchanged, and that
// exactly one error was reported. If want is not nil, the error must wrap it.
func (s *scene) leftAlone(want error, names ...string) {
	s.Helper()
	if len(s.errs) != 1 || want != nil && !errors.Is(s.errs[0], want) || len(s.done) > 0 || s.r.Freed() > 0 {
		s.Errorf("%v, done %v", s.errs, s.done)
	}
	for _, name := range names {
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			s.Errorf("%s has %q, %v", name, got, err)
		}
	}
	if left, _ := filepath.Glob("*/" + filegroup.Aside + "*"); len(left) > 0 {
		s.Errorf("left over: %v", left)
	}
}

// TestAliasPlayed simulates a file system that is a view of another: renaming low/x also renames
// view/x, although their inode numbers differ.
func TestAliasPlayed(t *testing.T) {
	for name, c := range map[string]struct {
		follow func(t *testing.T, temp string)
		want   error
	}{
		"the old name is gone": {func(t *testing.T, temp string) { check(t, os.Rename("view/x", temp)) }, os.ErrNotExist},
		"the old name is cached": {func(t *testing.T, temp string) {
			check(t, os.WriteFile(temp, []byte(text), 0o644))
		}, errAlias},
		"the name is spelt otherwise": {func(t *testing.T, temp string) {
			check(t, os.Link("view/x", "view/y")) // changes the ctime, as a rename does
		}, errAlias},
	} {
		t.Run(name, func(t *testing.T) {
			s, act := alias(t)
			write(t, "low/x", text)
			write(t, "view/x", text)
			s.r.hook = func(when moment, _, _ []byte) {
				if when == aside {
					temps, _ := filepath.Glob("low/" + filegroup.Aside + "*")
					c.follow(t, "view/"+filepath.Base(temps[0]))
				}
			}
			act("view/x", "low/x")
			temps, _ := filepath.Glob("view/" + filegroup.Aside + "*")
			for _, temp := range temps {
				check(t, os.Remove(temp)) // in a real view, this name would disappear when the copy is renamed back
			}
			s.leftAlone(c.want, "low/x")
		})
	}
}

// TestNoAlias checks that two distinct files are not mistaken for aliases, whether they are in one
// directory or in two.
func TestNoAlias(t *testing.T) {
	for _, names := range [][2]string{{"low/x", "low/y"}, {"low/x", "view/x"}, {"low/x", "x"}, {"x", "low/x"}, {"low/../x", "./y"}} {
		s, act := alias(t)
		write(t, names[0], text)
		write(t, names[1], text)
		act(names[0], names[1])
		if _, err := os.Stat(names[1]); len(s.errs) > 0 || len(s.done) != 1 || err == nil {
			t.Errorf("%v: %v, done %v", names, s.errs, s.done)
		}
	}
}
