package files

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"doppel/pkg/files/filename"
)

// tree creates files of several types in a new current directory, and returns ".".
func tree(t *testing.T) string {
	t.Helper()
	t.Chdir(t.TempDir()) // the path of a socket must be short, so use a relative one
	write := func(name, text string) {
		os.MkdirAll(filepath.Dir(name), 0o777)
		check(t, os.WriteFile(name, []byte(text), 0o666))
	}
	write("plain", "content")
	write("empty", "")
	write("-dash", "content")
	write("new\nline", "content")
	write("dir/b\xff", "content")
	write("dir/a", "content")
	write("dir.x/a", "content")
	check(t, os.Link("plain", "hard"))
	check(t, os.Symlink("plain", "link"))
	check(t, os.Symlink("nowhere", "broken"))
	check(t, os.Symlink("..", "dir/loop"))
	check(t, os.Symlink("dir", "todir"))
	check(t, unix.Mkfifo("fifo", 0o666))
	l, err := net.Listen("unix", "socket")
	check(t, err)
	t.Cleanup(func() { l.Close() })
	return "."
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpen(t *testing.T) {
	tree(t)
	for _, tc := range []struct {
		name   string
		refuse error // error expected with the option Refuse
		follow error
	}{
		{"plain", nil, nil}, {"./dir/b\xff", nil, nil}, {"dir/", ErrDirectory, ErrDirectory},
		{"link", ErrLink, nil}, {"todir/a", nil, nil}, {"todir", ErrLink, ErrDirectory},
		{"broken", ErrLink, unix.ENOENT}, {"none", unix.ENOENT, unix.ENOENT}, {"plain/x", unix.ENOTDIR, unix.ENOTDIR},
		{"fifo", ErrNotRegular, ErrNotRegular}, {"socket", ErrNotRegular, ErrNotRegular},
		{"/dev/null", ErrNotRegular, ErrNotRegular}, {"a\x00b", unix.EINVAL, unix.EINVAL}, {"", unix.ENOENT, unix.ENOENT},
	} {
		for links, want := range map[Links]error{Refuse: tc.refuse, Follow: tc.follow} {
			f, err := Open([]byte(tc.name), links)
			if !errors.Is(err, want) || (err == nil) != (want == nil) {
				t.Errorf("%q, links %d: %v, want %v", tc.name, links, err, want)
			}
			if err == nil {
				f.Close()
			}
			if info, serr := Stat([]byte(tc.name), links); !errors.Is(serr, want) || err == nil && !info.Same(&f.Info) {
				t.Errorf("stat %q: %v, %v", tc.name, info, serr)
			}
		}
	}
}

// TestOpenSeen checks that opening a file that a walk saw as regular neither hangs nor succeeds if
// the file has another type now.
func TestOpenSeen(t *testing.T) {
	tree(t)
	for name, want := range map[string]error{"fifo": ErrNotRegular, "link": ErrLink, "dir": ErrDirectory, "plain": nil} {
		var d Dir
		f, err := d.Open([]filename.Item{{Name: []byte(name), Kind: filename.Seen}}, Refuse)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if err == nil {
			f.Close()
		}
	}
}

// TestDir checks that looking up a name through an open directory finds the same file as looking up
// its full path.
func TestDir(t *testing.T) {
	tree(t)
	names := []string{"dir/a", "dir/b\xff", "dir/b\xff", "todir/a", "todir/b\xff", "plain", "-dash", "none/a", "none/b", "dir/../dir/a", "dir//a", "dir/"}
	var items []filename.Item
	for _, n := range names {
		items = append(items, filename.Item{Name: []byte(n)})
	}
	var d Dir
	defer d.Close()
	for i, n := range names {
		want, werr := Open([]byte(n), Refuse)
		got, gerr := d.Open(items[i:], Refuse)
		if (werr == nil) != (gerr == nil) || werr != nil && werr.Error() != gerr.Error() || werr == nil && !got.Same(&want.Info) {
			t.Errorf("%q: %v, want %v", n, gerr, werr)
		}
		if werr == nil {
			want.Close()
			got.Close()
		}
	}
	for i, info := range StatAll(nil, items, Refuse) {
		want, err := Stat([]byte(names[i]), Refuse)
		if (err == nil) != (items[i].Err == nil) || err == nil && !info.Same(&want) {
			t.Errorf("%q: %v, want %v", names[i], items[i].Err, err)
		}
	}
}

// TestStatAllReusesInfos checks that StatAll sets the Info of a skipped directory to zero, even if
// the slice had other values before.
func TestStatAllReusesInfos(t *testing.T) {
	tree(t)
	infos := StatAll(nil, []filename.Item{{Name: []byte("plain"), Line: 1}}, Refuse)
	items := []filename.Item{{Name: []byte("dir"), Line: 2}}
	infos = StatAll(infos[:0], items, Refuse)
	if items[0].Err != nil || infos[0] != (Info{}) {
		t.Errorf("%+v, %v: want the zero Info and no error", infos[0], items[0].Err)
	}
}

func TestReadAt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	check(t, os.WriteFile(name, []byte("0123456789"), 0o666))
	f, err := Open([]byte(name), Refuse)
	check(t, err)
	defer f.Close()
	p := make([]byte, 4)
	if err := f.ReadAt(p, 6); err != nil || string(p) != "6789" {
		t.Errorf("%q, %v", p, err)
	}
	check(t, os.Truncate(name, 8))
	if err := f.ReadAt(p, 6); err != ErrShrank {
		t.Errorf("a file that shrank: %v", err)
	}
}

// Read returns ErrShrank in place of io.EOF if a file has become smaller since it was opened.
func TestReadShrank(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	check(t, os.WriteFile(name, []byte("0123456789"), 0o666))
	for size, want := range map[int64]error{10: nil, 8: ErrShrank} {
		f, err := Open([]byte(name), Refuse)
		check(t, err)
		check(t, os.Truncate(name, size))
		if got, err := io.ReadAll(&f); err != want || int64(len(got)) != size {
			t.Errorf("size %d: %q, %v", size, got, err)
		}
		f.Close()
		check(t, os.Truncate(name, 10))
	}
}

// drain reads a source in batches of n and returns all its names and errors.
func drain(t testing.TB, s filename.Source, n int) (found, errs []string) {
	t.Helper()
	var b filename.Batch
	for {
		err := s.Next(&b, n)
		if err == io.EOF {
			return found, errs
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Items) == 0 {
			t.Fatal("an empty batch before the end")
		}
		for _, it := range b.Items {
			if it.Err != nil {
				errs = append(errs, it.Err.Error())
			} else {
				found = append(found, string(it.Name))
			}
		}
	}
}

func TestWalk(t *testing.T) {
	tree(t)
	plain := []string{"./-dash", "./dir/a", "./dir/b\xff", "./dir.x/a", "./empty", "./hard", "./new\nline", "./plain"}
	found, errs := drain(t, NewWalk([]string{"."}, Refuse), 3)
	if d := cmp.Diff(plain, found); d != "" || len(errs) > 0 {
		t.Errorf("%s\n%q", d, errs)
	}
	followed := []string{"./-dash", "./dir/a", "./dir/b\xff", "./dir.x/a", "./empty", "./hard", "./link", "./new\nline", "./plain", "./todir/a", "./todir/b\xff"}
	found, errs = drain(t, NewWalk([]string{"."}, Follow), 3)
	if d := cmp.Diff(followed, found); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"./broken: no such file or directory", "./dir/loop: " + ErrLoop.Error(), "./todir/loop: " + ErrLoop.Error()}, errs); d != "" {
		t.Error(d)
	}
	found, errs = drain(t, NewWalk([]string{"dir/", "plain", "none", "", "todir", "fifo"}, Refuse), 3)
	if d := cmp.Diff([]string{"dir/a", "dir/b\xff", "plain", "todir/a", "todir/b\xff", "fifo"}, found); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"none: no such file or directory", ": no such file or directory"}, errs); d != "" {
		t.Error(d)
	}
}

// TestWalkLikeStandard checks that Walk and filepath.WalkDir return the same names in the same
// order.
func TestWalkLikeStandard(t *testing.T) {
	root := ".." // the directory that contains all packages
	var want []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			want = append(want, name)
		}
		return err
	})
	check(t, err)
	if got, _ := drain(t, NewWalk([]string{root}, Refuse), 64); !cmp.Equal(got, want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

func TestTime(t *testing.T) {
	for want, tm := range map[string]Time{"0.000000000": {}, "5.000000007": {5, 7}, "1700000000.123456789": {1700000000, 123456789}, "-1.500000000": {-1, 500000000}} {
		if got := string(tm.Append(nil)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		w := NewWalk([]string{".."}, Refuse)
		var batch filename.Batch
		for w.Next(&batch, 64) == nil {
		}
	}
}
