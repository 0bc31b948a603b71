package mailbox

import (
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/files"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const (
	one   = "From a Mon Nov 16 10:00:00 2026\nSubject: one\n\nfirst\n\n"
	two   = "From b Mon Nov 16 10:00:00 2026\nSubject: two\n\n>From second\n\n"
	three = "From c Mon Nov 16 10:00:00 2026\nSubject: three\n\nthird\n"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	check(t, err)
	return string(text)
}

// names lists the files below a directory.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	check(t, filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			all = append(all, name)
		}
		return err
	}))
	return all
}

func open(t *testing.T, name string) (Box, []Message) {
	t.Helper()
	boxes, err := Open(name, "")
	check(t, err)
	var all []Message
	check(t, boxes[0].Each(func(m Message) error { all = append(all, m); return nil }, func(err error) error { return err }))
	return boxes[0], all
}

func mboxFile(t *testing.T) {
	t.Chdir(t.TempDir())
	check(t, os.WriteFile("box", []byte(one+two+three), 0o640))
}

func TestMbox(t *testing.T) {
	mboxFile(t)
	box, all := open(t, "box")
	var got []string
	for _, m := range all {
		got = append(got, string(m.Name), string(m.Text))
	}
	if d := cmp.Diff([]string{"box:0", one, "box:1", two, "box:2", three}, got); d != "" {
		t.Fatal(d)
	}
	into, err := Make("dups")
	check(t, err)
	if n, errs := box.Take(map[int]bool{1: true}, into); n != 1 || len(errs) > 0 {
		t.Fatalf("%d, %v", n, errs)
	}
	if got := read(t, "box"); got != one+three {
		t.Errorf("%q", got)
	}
	moved := names(t, "dups")
	if len(moved) != 1 || read(t, moved[0]) != "Subject: two\n\n>From second\n\n" || filepath.Dir(moved[0]) != "dups/new" {
		t.Errorf("%q", moved)
	}
	if info, err := os.Stat("box"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if d := cmp.Diff([]string{"box", moved[0]}, names(t, ".")); d != "" {
		t.Error(d)
	}
}

// TestMboxLeftAlone checks that a box that is locked, or has changed since it was read, is
// left unchanged, and that a message delivered at the last moment is not lost.
func TestMboxLeftAlone(t *testing.T) {
	late := one + two + three + "\n" + one
	for name, c := range map[string]struct {
		before func(t *testing.T, b *mbox)
		want   error
		text   string
	}{
		"a lock file": {func(t *testing.T, b *mbox) { check(t, os.WriteFile("box.lock", nil, 0o444)) }, errLocked, one + two + three},
		"changed":     {func(t *testing.T, b *mbox) { check(t, os.WriteFile("box", []byte(late), 0o640)) }, files.ErrChanged, late},
		"gone": {func(t *testing.T, b *mbox) {
			check(t, os.Remove("box"))
			check(t, os.WriteFile("box", []byte(one), 0o640))
		}, files.ErrChanged, one},
		"at the last moment": {func(t *testing.T, b *mbox) {
			b.hook = func(string, string) { check(t, os.WriteFile("box", []byte(late), 0o640)) }
		}, files.ErrChanged, late},
	} {
		t.Run(name, func(t *testing.T) {
			mboxFile(t)
			box, _ := open(t, "box")
			c.before(t, box.(*mbox))
			n, errs := box.Take(map[int]bool{0: true, 1: true}, nil)
			if n != 0 || len(errs) != 1 || !errors.Is(errs[0], c.want) {
				t.Errorf("%d, %v, want %v", n, errs, c.want)
			}
			os.Remove("box.lock")
			if d := cmp.Diff([]string{"box"}, names(t, ".")); d != "" || read(t, "box") != c.text {
				t.Errorf("%s, %q", d, read(t, "box"))
			}
		})
	}
}

// TestMboxLock checks that the box is locked until the new file replaces it, and that no lock file
// is left.
func TestMboxLock(t *testing.T) {
	mboxFile(t)
	box, _ := open(t, "box")
	box.(*mbox).hook = func(written, _ string) {
		if _, err := lockBox("box"); !errors.Is(err, errLocked) {
			t.Errorf("%v", err)
		}
		if got := read(t, written); got != two+three {
			t.Errorf("%q", got)
		}
	}
	if n, errs := box.Take(map[int]bool{0: true}, nil); n != 1 || len(errs) > 0 {
		t.Errorf("%d, %v", n, errs)
	}
	if d := cmp.Diff([]string{"box"}, names(t, ".")); d != "" {
		t.Error(d)
	}
}

func maildir(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := Make("md")
	check(t, err)
	for name, text := range map[string]string{"md/cur/1:2,S": "one", "md/new/2": "two", "md/cur/3:2,": "three", "md/cur/.hidden": "x", "md/tmp/4": "four"} {
		check(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

func TestMaildir(t *testing.T) {
	maildir(t)
	box, all := open(t, "md")
	var got []string
	for _, m := range all {
		got = append(got, string(m.Name)+" "+string(m.Text))
	}
	if d := cmp.Diff([]string{"md/cur/1:2,S one", "md/cur/3:2, three", "md/new/2 two"}, got); d != "" {
		t.Fatal(d)
	}
	into, err := Make("dups")
	check(t, err)
	if n, errs := box.Take(map[int]bool{0: true}, into); n != 1 || len(errs) > 0 || read(t, "dups/cur/1:2,S") != "one" {
		t.Errorf("%d, %v", n, errs)
	}
	if n, errs := box.Take(map[int]bool{2: true}, nil); n != 1 || len(errs) > 0 {
		t.Errorf("%d, %v", n, errs)
	}
	if d := cmp.Diff([]string{"dups/cur/1:2,S", "md/cur/.hidden", "md/cur/3:2,", "md/tmp/4"}, names(t, ".")); d != "" {
		t.Error(d)
	}
}

// TestMaildirLeftAlone checks that a message is left in place if it has changed or has been renamed.
func TestMaildirLeftAlone(t *testing.T) {
	for name, before := range map[string]func(t *testing.T){
		"changed":       func(t *testing.T) { check(t, os.WriteFile("md/new/2", []byte("another text"), 0o600)) },
		"read, renamed": func(t *testing.T) { check(t, os.Rename("md/new/2", "md/cur/2:2,S")) },
	} {
		t.Run(name, func(t *testing.T) {
			maildir(t)
			box, _ := open(t, "md")
			into, err := Make("dups")
			check(t, err)
			before(t)
			kept := strings.Join(names(t, "."), " ")
			if n, errs := box.Take(map[int]bool{2: true}, into); n != 0 || len(errs) != 1 || strings.Join(names(t, "."), " ") != kept {
				t.Errorf("%d, %v, %s", n, errs, names(t, "."))
			}
		})
	}
}

// TestCheck checks that a message that has changed, or is gone, is not taken for one that is kept.
func TestCheck(t *testing.T) {
	mboxFile(t)
	box, _ := open(t, "box")
	check(t, box.Check(1))
	check(t, os.WriteFile("box", []byte(one), 0o640))
	if err := box.Check(0); !errors.Is(err, files.ErrChanged) {
		t.Errorf("%v", err)
	}
	maildir(t)
	box, _ = open(t, "md")
	check(t, os.Remove("md/cur/3:2,"))
	if err := box.Check(1); !errors.Is(err, os.ErrNotExist) || box.Check(0) != nil {
		t.Errorf("%v", err)
	}
}

func TestOpen(t *testing.T) {
	mboxFile(t)
	check(t, os.Mkdir("dir", 0o700))
	if _, err := Open("dir", ""); !errors.Is(err, errNoBox) {
		t.Errorf("%v", err)
	}
	if _, err := Open("none", ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	check(t, os.WriteFile("text", []byte("no mail"), 0o600))
	boxes, err := Open("text", "")
	check(t, err)
	if err := boxes[0].Each(func(Message) error { return nil }, nil); err == nil || !strings.HasPrefix(err.Error(), "text: not an mbox") {
		t.Errorf("%v", err)
	}
}

// TestDoubtful checks that an mbox with a doubtful line is read, but not changed.
func TestDoubtful(t *testing.T) {
	mboxFile(t)
	text := one + "text\n" + two + three
	check(t, os.WriteFile("box", []byte(text), 0o640))
	box, all := open(t, "box")
	n, errs := box.Take(map[int]bool{1: true}, nil)
	if len(all) != 3 || n != 0 || len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), "box: line 7 begins with") || read(t, "box") != text {
		t.Errorf("%d messages, %d, %v", len(all), n, errs)
	}
}

// TestFolders checks the messages and flags of other folders, and that messages keep their flags
// when they are moved.
func TestFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	var packed strings.Builder
	z := gzip.NewWriter(&packed)
	z.Write([]byte("text"))
	check(t, z.Close())
	for name, text := range map[string]string{
		"mh/1": "Status: RO\n\none", "mh/12": "two", "mh/.mh_sequences": "x", "mh/,3": "x",
		"eml/a.eml": "a", "eml/b.EML": "X-Mozilla-Status: 0006\n\n", "eml/notes.txt": "x",
		"md/new/1": "one", "md/cur/2:2,FT": "two", "md/tmp/3": "x", "md/.Trash/cur/4:2,S": "four", "md/.Trash/new/.x": "x", "md/.Trash/tmp/x": "x",
		"md/.dups/cur/5:2,S": "x", "md/.dups/new/x": "x", "md/.dups/tmp/x": "x", "md/Sub/cur/6": packed.String(), "md/Sub/new/.x": "", "md/Sub/tmp/x": "",
		"md/Sub/cur/2:2,FT": "seven",
	} {
		check(t, os.MkdirAll(filepath.Dir(name), 0o700))
		check(t, os.WriteFile(name, []byte(text), 0o600))
	}
	var got []string
	into, err := Make("md/.dups")
	check(t, err)
	for _, name := range []string{"mh", "eml", "md"} {
		boxes, err := Open(name, "md/.dups/")
		check(t, err)
		for _, box := range boxes {
			out := map[int]bool{}
			check(t, box.Each(func(m Message) error {
				got = append(got, fmt.Sprintf("%s %d %d", m.Name, m.Flags, len(m.Text)))
				out[len(out)] = true
				return nil
			}, nil))
			if taken, errs := box.Take(out, into); taken != len(out) || errs != nil {
				t.Errorf("%d, %v", taken, errs)
			}
		}
	}
	want := []string{"mh/1 1 15", "mh/12 0 3", "eml/a.eml 0 1", "eml/b.EML 6 24", "md/cur/2:2,FT 20 3", "md/new/1 0 3", "md/.Trash/cur/4:2,S 17 4",
		"md/Sub/cur/2:2,FT 20 5", "md/Sub/cur/6 0 4"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var moved []string
	for _, name := range names(t, "md/.dups") {
		if dir, info, ok := strings.Cut(name, "/doppel."); ok {
			name = dir + strings.TrimLeft(info, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
		}
		moved = append(moved, name)
	}
	slices.Sort(moved)
	want = []string{"md/.dups/cur/2:2,FT", "md/.dups/cur/4:2,S", "md/.dups/cur/5:2,S", "md/.dups/cur/6", "md/.dups/cur:2,FR", "md/.dups/cur:2,FT", "md/.dups/cur:2,S",
		"md/.dups/new", "md/.dups/new", "md/.dups/new/1", "md/.dups/new/x", "md/.dups/tmp/x"}
	if d := cmp.Diff(want, moved); d != "" {
		t.Error(d)
	}
}

// TestUnreadable checks that a message that cannot be read is passed to skip, and that the others
// are read.
func TestUnreadable(t *testing.T) {
	maildir(t)
	check(t, os.WriteFile("md/cur/0", []byte("\x1f\x8b\x08"), 0o600))
	boxes, err := Open("md", "")
	check(t, err)
	read, skipped := 0, 0
	err = boxes[0].Each(func(Message) error { read++; return nil }, func(err error) error { skipped++; return nil })
	if err != nil || read != 3 || skipped != 1 {
		t.Errorf("%d, %d, %v", read, skipped, err)
	}
	if boxes[0].Each(func(Message) error { return nil }, func(err error) error { return err }) == nil {
		t.Error("the error is lost")
	}
}

func TestHeaderFlags(t *testing.T) {
	for header, want := range map[string]Flags{
		"Subject: x": 0, "Status: RO": Seen, "Status: O\nX-Status: AF": Answered | Flagged, "X-Status: D": Deleted,
		"X-Mozilla-Status: 0009": Seen | Deleted, "X-Mozilla-Status2: 00200000": Deleted, "X-Mozilla-Status: zz": 0,
		"Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA": Internal,
	} {
		if got := headerFlags([]byte(header + "\n\n")); got != want {
			t.Errorf("%q: %d, want %d", header, got, want)
		}
	}
}

// TestNotDelivered checks that a message that cannot be delivered leaves nothing in a Maildir.
func TestNotDelivered(t *testing.T) {
	t.Chdir(t.TempDir())
	into, err := Make("dups")
	if err == nil {
		err = os.Remove("dups/new")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := into.deliver([]byte("Subject: x\n\ntext\n"), 0); err == nil {
		t.Error("delivered")
	}
	if left, _ := filepath.Glob("dups/*/*"); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
