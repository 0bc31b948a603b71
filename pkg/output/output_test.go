package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/files/durable"
	"doppel/pkg/record/dataform"
)

// readDir returns the names and contents of the files in a directory.
func readDir(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// After a successful run, all outputs are in place. After a failed run, none are in place, and the
// old file is unchanged.
func TestOutputs(t *testing.T) {
	failed := errors.New("failed")
	for _, c := range []struct {
		err  error
		want map[string]string
	}{
		{nil, map[string]string{"main": "new", "more": "further", "handed": "by another"}},
		{failed, map[string]string{"main": "old"}},
	} {
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		must(t, os.WriteFile(in("main"), []byte("old"), 0o640))
		var o Set
		w, err := o.Open(io.Discard, in("main"), dataform.Packing{})
		must(t, err)
		w.WriteString("new")
		w, err = o.Create(in("more"), dataform.Packing{})
		must(t, err)
		w.WriteString("further")
		name, err := o.Delegate(in("handed"), false)
		must(t, err)
		must(t, os.WriteFile(name, []byte("by another"), 0o600))
		if err := o.Close(c.err); err != c.err {
			t.Errorf("%v, want %v", err, c.err)
		}
		if d := cmp.Diff(c.want, readDir(t, dir)); d != "" {
			t.Error(d)
		}
		if info, err := os.Stat(in("main")); err != nil || info.Mode() != 0o640 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}

// On a full disk, close returns an error, and no file is created.
func TestOutputsFull(t *testing.T) {
	dir := t.TempDir()
	var o Set
	if _, err := o.Open(io.Discard, filepath.Join(dir, "main"), dataform.Packing{}); err != nil {
		t.Fatal(err)
	}
	w, err := o.Create("/dev/full", dataform.Packing{})
	must(t, err)
	w.WriteString("x")
	if err := o.Close(nil); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%v", err)
	}
	if left := readDir(t, dir); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// An output replaces the target of a symbolic link, not the link. A device is written directly. A
// name may have 255 bytes, the most that file systems allow.
func TestOutputPlaces(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "file"), []byte("old"), 0o600))
	must(t, os.Symlink("file", filepath.Join(dir, "link")))
	long := strings.Repeat("n", 255)
	for _, name := range []string{filepath.Join(dir, "link"), os.DevNull, filepath.Join(dir, long)} {
		var o Set
		w, err := o.Open(io.Discard, name, dataform.Packing{})
		must(t, err)
		w.WriteString("new")
		must(t, o.Close(nil))
	}
	if d := cmp.Diff(map[string]string{"file": "new", "link": "new", long: "new"}, readDir(t, dir)); d != "" {
		t.Error(d)
	}
	if target, err := os.Readlink(filepath.Join(dir, "link")); target != "file" {
		t.Errorf("the link points to %q, %v", target, err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s: %v, %v", os.DevNull, info, err)
	}
}

// The main output may be opened again under another name before anything is written. The first file
// is then not created.
func TestOutputsMainAgain(t *testing.T) {
	dir := t.TempDir()
	var o Set
	if _, err := o.Open(io.Discard, filepath.Join(dir, "first"), dataform.Packing{}); err != nil {
		t.Fatal(err)
	}
	w, err := o.Open(io.Discard, filepath.Join(dir, "second.gz"), dataform.Packing{Compression: dataform.Gzip})
	must(t, err)
	w.WriteString("x")
	must(t, o.Close(nil))
	all := readDir(t, dir)
	if len(all) != 1 || !strings.HasPrefix(all["second.gz"], "\x1f\x8b") {
		t.Errorf("%q", all)
	}
}

// If one of several renames fails, the original files are restored, and destinations that did not
// exist are removed.
func TestRenameFails(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(in("first"), []byte("old"), 0o640))
	before, err := os.Stat(in("first"))
	must(t, err)
	var o Set
	for i, name := range []string{"first", "second", "third", "fourth"} {
		create := o.Create
		if i == 0 {
			create = func(name string, c dataform.Packing) (*bufio.Writer, error) { return o.Open(io.Discard, name, c) }
		}
		w, err := create(in(name), dataform.Packing{})
		must(t, err)
		w.WriteString("new")
	}
	must(t, os.Mkdir(in("third"), 0o700))
	if err := o.Close(nil); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("%v", err)
	}
	must(t, os.Remove(in("third")))
	if d := cmp.Diff(map[string]string{"first": "old"}, readDir(t, dir)); d != "" {
		t.Error(d)
	}
	if after, err := os.Stat(in("first")); err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() {
		t.Errorf("%v, %v", after, err)
	}
}

// rollback restores the old file, whether or not the file system has hard links.
func TestPutBack(t *testing.T) {
	noLinks := func(string, string) error { return syscall.EPERM }
	for _, link := range []func(old, new string) error{os.Link, noLinks} {
		dir := t.TempDir()
		place := filepath.Join(dir, "place")
		must(t, os.WriteFile(place, []byte("old"), 0o600))
		a := &atomicFile{Draft: durable.Draft{Temp: filepath.Join(dir, ".1.place")}, place: place}
		must(t, os.WriteFile(a.Temp, []byte("new"), 0o600))
		must(t, a.keepOld(link))
		must(t, os.Rename(a.Temp, a.place))
		must(t, a.rollback())
		if d := cmp.Diff(map[string]string{"place": "old"}, readDir(t, dir)); d != "" {
			t.Error(d)
		}
	}
}

// An output named by a descriptor is written at the current offset, and the file is not truncated.
func TestDescriptor(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "file"))
	must(t, err)
	defer f.Close()
	f.WriteString("before ")
	var o Set
	w, err := o.Open(io.Discard, fmt.Sprintf("/dev/fd/%d", f.Fd()), dataform.Packing{})
	must(t, err)
	w.WriteString("new")
	if _, err := o.Create(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), dataform.Packing{}); err == nil {
		t.Error("two outputs are mixed in one file")
	}
	must(t, o.Close(nil))
	f.WriteString(" behind")
	if d := cmp.Diff(map[string]string{"file": "before new behind"}, readDir(t, dir)); d != "" {
		t.Error(d)
	}
	if _, ok, err := openDescriptor("/dev/fd/987654"); !ok || err == nil {
		t.Errorf("%v, %v", ok, err)
	}
}

// Write errors of a delegated file or a shard contain the name that the user typed, whether or not
// the file was created without a name.
func TestDelegatedErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, os.WriteFile("in", nil, 0o600))
	var run Set
	hidden, err := run.Delegate("typed", false)
	must(t, err)
	must(t, run.Reserve("shards/", []Shard{{Input: "in", Place: "shards/in"}}))
	stage := Set{Called: map[string]string{hidden: "typed"}}
	out, err := stage.add(hidden, "", nil)
	must(t, err)
	shard, err := run.OpenShard("in", func(string) (p dataform.Packing, err error) { return p, nil })
	must(t, err)
	plain, err := os.CreateTemp(".", ".*")
	must(t, err)
	other, err := durable.Renamed(plain, "typed")
	must(t, err)
	for f, want := range map[*os.File]string{out.file.File: "typed", shard.(*shardWriter).file: "shards/in", other: "typed"} {
		must(t, f.Close())
		if _, err := f.WriteString("x"); err.Error() != "write "+want+": file already closed" {
			t.Error(err)
		}
	}
	stage.removeAll()
	run.removeAll()
}
