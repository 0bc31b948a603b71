//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplay replays traces in the format of strace and checks which errors are found. In the
// traces, ROOT is a directory that contains a file named out, but none named new.
func TestReplay(t *testing.T) {
	const (
		written = `1 openat(AT_FDCWD<ROOT>, "ROOT", O_WRONLY|O_CLOEXEC|O_TMPFILE, 0600) = 5<ROOT/#9>(deleted)
1 write(5<ROOT/#9>(deleted), ""..., 3) = 3
`
		synced  = "1 fsync(5<ROOT/#9>(deleted)) = 0\n"
		linked  = `1 linkat(AT_FDCWD<ROOT>, "/proc/self/fd/5", AT_FDCWD<ROOT>, "ROOT/.1.out", AT_SYMLINK_FOLLOW) = 0` + "\n"
		renamed = `1 renameat(AT_FDCWD<ROOT>, ".1.out", AT_FDCWD<ROOT>, "out") = 0` + "\n"
		named   = "1 fsync(3<ROOT>) = 0\n"
		further = `1 openat(AT_FDCWD<ROOT>, ".1.new", O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC, 0600) = 6<ROOT/.1.new>
2 write(6<ROOT/.1.new>, ""..., 3 <unfinished ...>
1 close(7</dev/null>) = 0
2 <... write resumed>) = 3
`
	)
	for name, c := range map[string]struct{ trace, bad string }{
		"as it should be":          {written + linked + synced + renamed + named, ""},
		"synced without a name":    {written + synced + linked + renamed + named, ""},
		"never synced":             {written + linked + renamed + named, "out: a power cut at line 4 of the trace may leave it without its content"},
		"synced after the rename":  {written + linked + renamed + synced + named, "out: a power cut at line 4 of the trace may leave it without its content"},
		"written after the sync":   {written + linked + synced + "1 write(5<ROOT/#9>(deleted), \"\"..., 3) = 3\n" + renamed + named, "out: a power cut at line 6 of the trace may leave it without its content"},
		"written during the sync":  {written + linked + "2 write(5<ROOT/#9>(deleted), \"\"..., 3 <unfinished ...>\n1 fsync(5<ROOT/#9>(deleted) <unfinished ...>\n2 <... write resumed>) = 3\n1 <... fsync resumed>) = 0\n" + renamed + named, "out: a power cut at line 8 of the trace may leave it without its content"},
		"a sync that failed":       {written + linked + "1 fsync(5<ROOT/#9>(deleted)) = -1 EIO (Input/output error) (INJECTED)\n" + renamed + named, "out: a power cut at line 5 of the trace may leave it without its content"},
		"the name is not synced":   {written + linked + synced + renamed, "out: a power cut after the run may undo it"},
		"the name is synced first": {written + linked + synced + named + renamed, "out: a power cut after the run may undo it"},
		"removed first":            {written + linked + synced + "1 unlinkat(AT_FDCWD<ROOT>, \"out\", 0) = 0\n" + renamed + named, "out: a power cut at line 5 of the trace may leave no file"},
		"truncated":                {"1 openat(AT_FDCWD<ROOT>, \"out\", O_WRONLY|O_TRUNC) = 5<ROOT/out>\n1 fsync(5<ROOT/out>) = 0\n", "out: changed in place, at line 1 of the trace"},
		"written in its place":     {"1 pwrite64(5<ROOT/out>, \"\"..., 3, 0) = 3\n1 fsync(5<ROOT/out>) = 0\n", "out: changed in place, at line 1 of the trace"},
		"a new file":               {further + "1 fsync(6<ROOT/.1.new>) = 0\n1 rename(\".1.new\", \"new\") = 0\n" + named, ""},
		"a new file, not synced":   {further + "1 rename(\".1.new\", \"new\") = 0\n" + named, "new: a power cut at line 5 of the trace may leave it without its content"},
		"written under its name":   {strings.ReplaceAll(further, ".1.new", "new") + "1 fsync(6<ROOT/new>) = 0\n" + named, "new: a power cut at line 1 of the trace may leave it without its content"},
		"a directory":              {"1 mkdir(\"tmp\", 0777) = 0\n" + strings.ReplaceAll(further, ".1.new", "tmp/x") + "1 fsync(6<ROOT/tmp/x>) = 0\n1 fsync(6<ROOT/tmp>) = 0\n1 renameat2(AT_FDCWD<ROOT>, \"tmp\", AT_FDCWD<ROOT>, \"new\", RENAME_NOREPLACE) = 0\n" + named, ""},
		"a directory, not synced":  {"1 mkdir(\"tmp\", 0777) = 0\n" + strings.ReplaceAll(further, ".1.new", "tmp/x") + "1 fsync(6<ROOT/tmp/x>) = 0\n1 rename(\"tmp\", \"new\") = 0\n" + named, "new/x: a power cut at line 7 of the trace may leave its directory without it"},
		"sync(1) of all":           {written + linked + "1 sync() = 0\n" + renamed + "1 sync() = 0\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.WriteFile(filepath.Join(root, "out"), []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			calls, err := parseTrace(strings.NewReader(strings.ReplaceAll(c.trace, "ROOT", root)))
			if err != nil {
				t.Fatal(err)
			}
			output := "out"
			if strings.Contains(c.trace, `"new"`) || strings.Contains(c.trace, "ROOT/new") {
				output = "new"
			}
			d, err := newDisk(root)
			if err != nil {
				t.Fatal(err)
			}
			d.want(output)
			switch err = d.replay(calls, true); {
			case err == nil && c.bad != "":
				t.Errorf("accepted, want %s", c.bad)
			case err != nil && (c.bad == "" || !strings.Contains(err.Error(), c.bad)):
				t.Errorf("%v, want %q", err, c.bad)
			}
		})
	}
}

// TestParseTrace checks that quoted and unusual names in a trace are parsed.
func TestParseTrace(t *testing.T) {
	text := `7 renameat2(AT_FDCWD</a b>, "c, (d\"\303\244", 4</e>, "f", RENAME_EXCHANGE) = 0
7 +++ exited with 0 +++
8 openat(AT_FDCWD</x>, "y", O_RDONLY) = -1 ENOENT (No such file or directory)
`
	calls, err := parseTrace(strings.NewReader(text))
	if err != nil || len(calls) != 1 {
		t.Fatalf("%v, %v", calls, err)
	}
	if p := calls[0].paths("/cwd"); len(p) != 2 || p[0] != "/a b/c, (d\"ä" || p[1] != "/e/f" || !calls[0].has("RENAME_EXCHANGE") {
		t.Errorf("%q", p)
	}
	if _, err := parseTrace(strings.NewReader("7 fsync(3</x) = 0\n")); err == nil {
		t.Error("a name without an end is taken")
	}
}
