package reclaim

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"doppel/pkg/filegroup"
)

// TestLinkKeepsAttributes checks that a copy is linked only if its mode and its attributes are those
// of the kept file, both by the command and by the check before a script is printed.
func TestLinkKeepsAttributes(t *testing.T) {
	set := func(name, value string) func(t *testing.T, file string) {
		return func(t *testing.T, file string) {
			if err := unix.Setxattr(file, name, []byte(value), 0); err != nil {
				notRun(t, "extended attributes ("+name+")", err)
			}
		}
	}
	// A list that gives the user 1000 more than the others, and CAP_NET_RAW, as the kernel stores them.
	const (
		acl          = "\x02\x00\x00\x00\x01\x00\x06\x00\xff\xff\xff\xff\x02\x00\x04\x00\xe8\x03\x00\x00\x04\x00\x04\x00\xff\xff\xff\xff\x10\x00\x04\x00\xff\xff\xff\xff\x20\x00\x04\x00\xff\xff\xff\xff"
		capabilities = "\x01\x00\x00\x02\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	)
	for name, c := range map[string]struct {
		kept, copied func(t *testing.T, file string)
		want         error
	}{
		"the copy has one":      {nil, set("user.origin", "x"), errAttrs},
		"the kept file has one": {set("user.origin", "x"), nil, errAttrs},
		"values differ":         {set("user.origin", "x"), set("user.origin", "y"), errAttrs},
		"values are equal":      {set("user.origin", "x"), set("user.origin", "x"), nil},
		"an access list":        {nil, set("system.posix_acl_access", acl), errAttrs},
		"equal access lists":    {set("system.posix_acl_access", acl), set("system.posix_acl_access", acl), nil},
		"capabilities":          {nil, set("security.capability", capabilities), errAttrs},
		"an owner": {nil, func(t *testing.T, file string) {
			if err := os.Chown(file, 1000, -1); err != nil {
				notRun(t, "a change of owners", err)
			}
		}, errOwner},
		"a mode": {nil, func(t *testing.T, file string) { check(t, os.Chmod(file, 0o600)) }, errOwner},
	} {
		t.Run(name, func(t *testing.T) {
			s := stage(t, Link)
			if c.kept != nil {
				c.kept(t, "kept")
			}
			if c.copied != nil {
				c.copied(t, "copy")
			}
			if err := Linkable(member(t, "kept"), member(t, "copy")); !errors.Is(err, c.want) {
				t.Errorf("Linkable: %v, want %v", err, c.want)
			}
			s.act()
			if c.want != nil {
				s.leftAlone(c.want, "kept", "copy")
			} else if len(s.errs) > 0 || len(s.done) != 1 {
				t.Errorf("%v, done %v", s.errs, s.done)
			}
		})
	}
}

// TestTooManyLinks checks that the copies after a file that can have no more links are linked to the
// first copy that could not be linked.
func TestTooManyLinks(t *testing.T) {
	s := stage(t, Link)
	for _, name := range []string{"copy2", "copy3", "copy4"} {
		write(t, name, text)
	}
	left := map[string]int{"kept": 1, "copy2": 5}
	s.r.linkAs = func(old, new string) error {
		if left[old]--; left[old] < 0 {
			return &os.LinkError{Op: "link", Old: old, New: new, Err: unix.EMLINK}
		}
		return unix.Link(old, new)
	}
	check(t, s.r.Group(member(t, "kept"), []*filegroup.Member{member(t, "copy"), member(t, "copy2"), member(t, "copy3"), member(t, "copy4")}))
	if len(s.errs) != 1 || !strings.Contains(s.errs[0].Error(), "copy2: left alone: kept cannot have more links") {
		t.Errorf("%v", s.errs)
	}
	if got := strings.Join(s.done, " "); got != "copy copy3 copy4" {
		t.Errorf("linked: %s", got)
	}
	for _, pair := range [][2]string{{"kept", "copy"}, {"copy2", "copy3"}, {"copy2", "copy4"}} {
		if member(t, pair[0]).Info.Ino != member(t, pair[1]).Info.Ino {
			t.Errorf("%v: not links to one file", pair)
		}
	}
	if left, _ := filepath.Glob(filegroup.Aside + "*"); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
