package cmd_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/stage/stagetest"
)

// oddNames are file names that programs often mishandle. In the tree made by oddTree, all
// files with these names have the same content.
var oddNames = []string{"plain", "new\nline", "tab\there", `back\slash`, "carriage\r", "inv\xff\xfealid", "-dash", " blank ", "*", "quote'\"", "ünï"}

// oddTree creates a directory tree with oddly named files, links, a FIFO and a socket. It
// returns the names of the regular files that are not empty, as find prints them.
func oddTree(t *testing.T) (dir string, names []string) {
	t.Helper()
	// t.TempDir is not suitable: another user must be able to read the directory, and the path
	// of a socket must be short.
	dir, err := os.MkdirTemp("", "odd")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o755))
	for _, name := range oddNames {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("the same text"), 0o644))
		names = append(names, "./"+name)
	}
	must(t, os.WriteFile(filepath.Join(dir, "empty"), nil, 0o644))
	sparse := filepath.Join(dir, "sparse")
	must(t, os.WriteFile(sparse, nil, 0o644))
	must(t, os.Truncate(sparse, 1<<20))
	must(t, os.WriteFile(filepath.Join(dir, "zeros"), make([]byte, 1<<20), 0o644))
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	must(t, os.Symlink("..", filepath.Join(dir, "sub", "loop")))
	must(t, os.Symlink("nowhere", filepath.Join(dir, "broken")))
	must(t, os.Symlink("plain", filepath.Join(dir, "link")))
	must(t, os.Link(filepath.Join(dir, "plain"), filepath.Join(dir, "hard")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644))
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	must(t, err)
	t.Cleanup(func() { socket.Close() })
	return dir, append(names, "./hard", "./sparse", "./zeros")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// shell runs a script in a directory, with the tools on PATH.
func shell(t *testing.T, dir, script string) result {
	t.Helper()
	c := stagetest.Shell(t, t.Name(), script)
	c.Dir, c.Env = dir, append(os.Environ(), toolPath(), "LC_ALL=C")
	return run(c, "")
}

// namesOf returns the file names in NUL-terminated lines, sorted. In each line, the name follows
// the given number of columns and may contain TABs.
func namesOf(lines string, columns int) (names []string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(lines, "\x00"), "\x00") {
		names = append(names, strings.SplitN(line, "\t", columns+1)[columns])
	}
	slices.Sort(names)
	return names
}

// TestOddTree checks that all names are printed unchanged, that a recursive search skips
// everything except regular files, that an operand that is not a regular file is an error,
// and that no FIFO or device makes the tool hang.
func TestOddTree(t *testing.T) {
	dir, want := oddTree(t)
	slices.Sort(want)
	for _, script := range []string{"find . -type f -print0 | blockhash -0", "blockhash -0 -r ."} {
		r := shell(t, dir, script)
		if d := cmp.Diff(want, namesOf(r.stdout, 2)); r.status != 0 || r.stderr != "" || d != "" {
			t.Errorf("%s: %d %s\n%s", script, r.status, r.stderr, d)
		}
	}
	for name, message := range map[string]string{
		"fifo": "not a regular file", "socket": "not a regular file", "/dev/null": "not a regular file", "/dev/zero": "not a regular file",
		"broken": "no such file or directory", "sub": "is a directory", "sub/loop": "is a directory",
	} {
		r := shell(t, dir, "blockhash plain "+name)
		if r.status != 2 || strings.Count(r.stdout, "\n") != 1 || r.stderr != "blockhash: "+name+": "+message+"\n" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	r := shell(t, dir, "blockhash -rL . 2>&1 >/dev/null")
	if r.status != 2 || r.stdout != "blockhash: ./broken: no such file or directory\nblockhash: ./sub/loop: symbolic link to a directory above itself\n" {
		t.Errorf("-L: %+v", r)
	}
}

// TestOddLines checks that the output has one line for each file, whatever bytes the name
// contains. It also checks that blockhash can count hard links, skip them, or mark them.
func TestOddLines(t *testing.T) {
	dir, names := oddTree(t)
	r := shell(t, dir, "blockhash -r . | sort | uniq -w16 -D | cut -f3")
	for _, want := range []string{`./new\nline`, `./tab\there`, `./back\\slash`, `./carriage\r`, "./inv\xff\xfealid", "./-dash", "./ blank ", "./sparse", "./zeros"} {
		if !strings.Contains("\n"+r.stdout, "\n"+want+"\n") {
			t.Errorf("no line %q in %q", want, r.stdout)
		}
	}
	if n := strings.Count(r.stdout, "\n"); n != len(names) {
		t.Errorf("%d lines, want %d", n, len(names))
	}
	const linked = `blockhash --json -r . | jq -r 'select(.links > 1) | .name'`
	stagetest.Need(t, t.Name(), linked)
	r = shell(t, dir, linked)
	if r.stdout != "./hard\n./plain\n" {
		t.Errorf("hard links: %+v", r)
	}
	if r = shell(t, dir, "blockhash --hardlinks once plain hard zeros"); strings.Count(r.stdout, "\n") != 2 {
		t.Errorf("once: %+v", r)
	}
	if r = shell(t, dir, "blockhash --hardlinks mark plain hard zeros | cut -f3 | uniq -c | tr -s ' ' | cut -d' ' -f2"); r.stdout != "2\n1\n" {
		t.Errorf("mark: %+v", r)
	}
}

// TestOneLiners checks that one-line scripts like those in blockhash(1) find the same
// duplicates as md5sum.
func TestOneLiners(t *testing.T) {
	stagetest.Need(t, t.Name(), "parallel")
	dir := t.TempDir()
	for i := range 300 {
		name := filepath.Join(dir, fmt.Sprintf("%d.pdf", i))
		must(t, os.WriteFile(name, bytes.Repeat([]byte{byte(i % 70)}, 100*(i%70)+1), 0o666))
	}
	oracle := shell(t, dir, "find . -type f -print0 | xargs -0 md5sum | sort | uniq -w32 -D | cut -c35- | sort")
	if strings.Count(oracle.stdout, "\n") != 300 {
		t.Fatalf("%+v", oracle)
	}
	for _, script := range []string{
		"find . -type f | blockhash | sort | uniq -w16 -D | cut -f3 | sort",
		"find . -type f | blockhash --hash xxh3-128 | sort | uniq -w32 -D | cut -f3 | sort",
		"find . -type f -print0 | xargs -0 -P2 -n 50 blockhash -- | sort | uniq -w16 -D | cut -f3 | sort",
		`find . -name '*.pdf' -print0 | parallel -0 -k --pipe --recend '\0' blockhash -0 | tr '\0' '\n' | sort | uniq -w16 -D | cut -f3 | sort`,
		"find . -type f | doppel files --verify | cut -f4 | sort",
	} {
		if r := shell(t, dir, script); r.status != 0 || r.stdout != oracle.stdout {
			t.Errorf("%s: %d %s\n%s", script, r.status, r.stderr, cmp.Diff(oracle.stdout, r.stdout))
		}
	}
	if r := shell(t, dir, "find . -type f | blockhash --bare | sort | uniq -d | wc -l"); r.stdout != "70\n" {
		t.Errorf("uniq -d: %+v", r)
	}
	pairs := 0
	for i := range 70 {
		n := (300 - i + 69) / 70
		pairs += n * (n - 1) / 2
	}
	r := shell(t, dir, "find . -type f -print0 | blockhash -0 | LC_ALL=C sort -z | keypairs -0 | tr -cd '\\0' | wc -c")
	if r.stdout != fmt.Sprintln(pairs) {
		t.Errorf("%d pairs: %+v", pairs, r)
	}
}

// TestUnreadable checks that an unreadable file and an unreadable directory are reported and
// all other files are processed. Root can read everything, so if the test runs as root, it
// runs the tools as the user nobody.
func TestUnreadable(t *testing.T) {
	dir, _ := oddTree(t)
	must(t, os.Chmod(bin, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("the same text"), 0))
	must(t, os.Mkdir(filepath.Join(dir, "closed"), 0))
	for _, args := range [][]string{{"blockhash", "-r", "."}, {"doppel", "files", "-r", "."}} {
		c := exec.Command(filepath.Join(bin, args[0]), args[1:]...)
		c.Dir = dir
		if os.Geteuid() == 0 {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		r := run(c, "")
		if r.status != 2 || strings.Contains(r.stdout, "secret") || !strings.Contains(r.stdout, "zeros") ||
			!strings.Contains(r.stderr, ": ./secret: permission denied\n") || !strings.Contains(r.stderr, ": ./closed: permission denied\n") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

// TestOneFileSystem checks that --one-file-system leaves out directories on other file systems, by
// whatever name, but not operands. It mounts a file system in a namespace of its own.
func TestOneFileSystem(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "a", "other"), 0o755))
	must(t, os.Symlink("other", filepath.Join(dir, "a", "link")))
	mounted := func(script string) result {
		return shell(t, dir, "unshare -rm sh -c 'mount -t tmpfs none a/other && cd a && for f in 1 2 other/1 other/2; do echo $f | tr -d other/ >$f; done && cd .. && "+script+"'")
	}
	if r := mounted("true"); r.status != 0 {
		stagetest.NotRun(t, t.Name(), "mount in a user namespace")
	}
	for script, want := range map[string]string{
		"doppel files a":                                                        "a/1 a/other/1 a/2 a/other/2",
		"doppel files --one-file-system a":                                      "",
		"doppel files --one-file-system -L a":                                   "",
		"doppel files --one-file-system a a/other":                              "a/1 a/other/1 a/2 a/other/2",
		"doppel files --one-file-system --reference a/other a":                  "a/other/1 a/1 a/other/2 a/2",
		"cp -r a b && doppel dirs --one-file-system a b | cut -f1-4 && rm -r b": "1.0000",
	} {
		t.Run(script, func(t *testing.T) {
			r := mounted(script)
			var names []string
			for line := range strings.Lines(r.stdout) {
				names = append(names, strings.Fields(line)[3:]...)
			}
			if got := strings.Join(names, " "); got != want || r.status != 0 {
				t.Errorf("%q, want %q, %+v", got, want, r)
			}
		})
	}
}
