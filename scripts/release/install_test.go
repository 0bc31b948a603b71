// Package release_test tests install.sh with small releases that it builds.
package release_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"doppel/pkg/stage/stagetest"
)

// A release is a directory with files as dist writes them, but with a program that only prints
// its version.
type release struct{ dir, key, archive string }

func newRelease(t *testing.T, version string, extra ...string) release {
	t.Helper()
	stagetest.Need(t, t.Name(), "curl ssh-keygen")
	r := release{dir: readable(t), archive: fmt.Sprintf("doppel-%s-%s-%s.tar.gz", version, runtime.GOOS, runtime.GOARCH)}
	r.key = filepath.Join(t.TempDir(), "key")
	command(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", r.key)
	public, err := os.ReadFile(r.key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("install.sh")
	if err != nil {
		t.Fatal(err)
	}
	filled := strings.NewReplacer("@DOWNLOAD@", "file://"+r.dir, "@SIGNER@", strings.Join(strings.Fields(string(public))[:2], " ")).Replace(string(script))
	write(t, filepath.Join(r.dir, "install.sh"), filled)

	tree := filepath.Join(t.TempDir(), strings.TrimSuffix(r.archive, ".tar.gz"))
	write(t, filepath.Join(tree, "bin/doppel"), "#!/bin/sh\necho doppel "+version+"\n")
	for _, name := range append(extra, "share/man/man1/doppel.1.gz", "share/doc/doppel/licenses/a b/LICENSE") {
		write(t, filepath.Join(tree, name), name)
	}
	write(t, filepath.Join(tree, "libexec/doppel/bin/README"), "")
	if err := os.Symlink("../../../bin/doppel", filepath.Join(tree, "libexec/doppel/bin/blockhash")); err != nil {
		t.Fatal(err)
	}
	command(t, "tar", "-czf", filepath.Join(r.dir, r.archive), "-C", filepath.Dir(tree), filepath.Base(tree))
	r.sign(t)
	return r
}

// sign writes the checksums of a release and their signature.
func (r release) sign(t *testing.T) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, r.archive))
	if err != nil {
		t.Fatal(err)
	}
	sums := filepath.Join(r.dir, "SHA256SUMS")
	write(t, sums, fmt.Sprintf("%064d  doppel-source.tar.gz\n%x  %s\n", 0, sha256.Sum256(b), r.archive))
	if err := os.RemoveAll(sums + ".sig"); err != nil {
		t.Fatal(err)
	}
	command(t, "ssh-keygen", "-q", "-Y", "sign", "-f", r.key, "-n", "doppel-release", sums)
	if err := os.Chmod(sums+".sig", 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs install.sh and returns its output. If fault is "", the script must succeed; otherwise
// it must fail, and fault must be a part of its message.
func (r release) run(t *testing.T, fault string, args ...string) string {
	t.Helper()
	c := exec.Command("sh", append([]string{filepath.Join(r.dir, "install.sh")}, args...)...)
	c.Dir = r.dir
	return want(t, c, fault)
}

func want(t *testing.T, c *exec.Cmd, fault string) string {
	t.Helper()
	said, err := c.CombinedOutput()
	if (err == nil) != (fault == "") || !bytes.Contains(said, []byte(fault)) {
		t.Errorf("%v: %v, %s, want %q", c.Args[1:], err, said, fault)
	}
	return string(said)
}

// TestInstall installs from a URL and from directories, each twice, and runs the installed
// program. It checks that uninstall leaves exactly the files that existed before.
func TestInstall(t *testing.T) {
	r := newRelease(t, "1.0")
	for _, from := range [][]string{{}, {"file://" + r.dir}, {r.dir}, {"."}, {"--all", r.dir}, {"--unsigned", r.dir}} {
		prefix := filepath.Join(t.TempDir(), "a prefix")
		write(t, filepath.Join(prefix, "bin/mine"), "")
		write(t, filepath.Join(prefix, "share/man/man1/mine.1"), "")
		before := listing(t, prefix)
		args := append([]string{"--prefix", prefix}, from...)
		r.run(t, "", args...)
		once := listing(t, prefix)
		if said := r.run(t, "", args...); !strings.Contains(said, "doppel 1.0\n") {
			t.Errorf("%v: %s", args, said)
		}
		if twice := listing(t, prefix); !slices.Equal(once, twice) {
			t.Errorf("%v: %q, then %q", args, once, twice)
		}
		if all := slices.Contains(once, "bin/blockhash"); all != slices.Contains(from, "--all") {
			t.Errorf("%v: %q", args, once)
		}
		if out := command(t, filepath.Join(prefix, "libexec/doppel/bin/blockhash")); out != "doppel 1.0\n" {
			t.Errorf("%v: the tool says %q", args, out)
		}
		r.run(t, "", "--uninstall", "--prefix", prefix)
		if after := listing(t, prefix); !slices.Equal(before, after) {
			t.Errorf("%v: %q is left, want %q", args, after, before)
		}
		r.run(t, "nothing was installed", "--uninstall", "--prefix", prefix)
	}
}

// TestUpgrade checks that a later version replaces an earlier one and removes the files that
// only the earlier version had.
func TestUpgrade(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "p")
	newRelease(t, "1.0", "share/old/only").run(t, "", "--prefix", prefix)
	later := newRelease(t, "2.0", "share/new/only")
	later.run(t, "", "--prefix", prefix)
	now := listing(t, prefix)
	if slices.Contains(now, "share/old/only") || !slices.Contains(now, "share/new/only") {
		t.Errorf("%q", now)
	}
	if out := command(t, filepath.Join(prefix, "bin/doppel")); out != "doppel 2.0\n" {
		t.Errorf("%q", out)
	}
	later.run(t, "", "--uninstall", "--prefix", prefix)
	if _, err := os.Stat(prefix); err == nil {
		t.Errorf("%s is left, with %q", prefix, listing(t, prefix))
	}
}

// TestRefused checks that a release that is damaged, changed, or signed by somebody else is not
// installed.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, r release)
		args  []string
		fault string
	}{
		"a flipped byte":          {func(t *testing.T, r release) { flip(t, r, r.archive) }, nil, "not what SHA256SUMS says"},
		"a flipped byte unsigned": {func(t *testing.T, r release) { flip(t, r, r.archive) }, []string{"--unsigned"}, "not what SHA256SUMS says"},
		"a changed sum":           {func(t *testing.T, r release) { flip(t, r, "SHA256SUMS") }, nil, "not by a trusted key"},
		"another key": {func(t *testing.T, r release) {
			r.key = newRelease(t, "1.0").key
			r.sign(t)
		}, nil, "not by a trusted key"},
		"no signature":   {func(t *testing.T, r release) { remove(t, r, "SHA256SUMS.sig") }, nil, "SHA256SUMS.sig: cannot be fetched"},
		"no sums":        {func(t *testing.T, r release) { remove(t, r, "SHA256SUMS") }, nil, "SHA256SUMS: cannot be fetched"},
		"no archive":     {func(t *testing.T, r release) { remove(t, r, r.archive) }, nil, "cannot be fetched"},
		"no signers":     {nil, []string{"--signers", "/no/such/file"}, "not by a trusted key"},
		"no such option": {nil, []string{"--purge"}, "--purge: no such option"},
		"both":           {nil, []string{"--unsigned", "--signers", "x"}, "--unsigned cannot be used with --signers"},
		"a relative one": {nil, []string{"--prefix", "here"}, "not an absolute path"},
		"an unfilled script": {func(t *testing.T, r release) {
			b, err := os.ReadFile(filepath.Join(r.dir, "install.sh"))
			if err != nil {
				t.Fatal(err)
			}
			at := bytes.Index(b, []byte("signer='"))
			end := at + bytes.IndexByte(b[at:], '\n')
			write(t, filepath.Join(r.dir, "install.sh"), string(b[:at])+"signer='none'"+string(b[end:]))
		}, nil, "this release has no key"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRelease(t, "1.0")
			if c.spoil != nil {
				c.spoil(t, r)
			}
			prefix := filepath.Join(t.TempDir(), "p")
			r.run(t, c.fault, append([]string{"--prefix", prefix}, c.args...)...)
			if _, err := os.Stat(prefix); err == nil {
				t.Errorf("%q is installed", listing(t, prefix))
			}
		})
	}
}

// TestForeignFile checks that an existing file that install.sh did not write is kept.
func TestForeignFile(t *testing.T) {
	r, prefix := newRelease(t, "1.0"), t.TempDir()
	write(t, filepath.Join(prefix, "bin/blockhash"), "mine")
	r.run(t, "bin/blockhash: is there, and not of an earlier install.sh", "--all", "--prefix", prefix)
	if now := listing(t, prefix); !slices.Equal(now, []string{"bin", "bin/blockhash"}) {
		t.Errorf("%q", now)
	}
	r.run(t, "", "--prefix", prefix)
	r.run(t, "", "--uninstall", "--prefix", prefix)
	if b, err := os.ReadFile(filepath.Join(prefix, "bin/blockhash")); string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestNoPermission checks that install and uninstall without write permission fail, say so, and
// change nothing.
func TestNoPermission(t *testing.T) {
	r, prefix := newRelease(t, "1.0"), readable(t)
	r.run(t, "", "--prefix", prefix)
	before := listing(t, prefix)
	for _, name := range before {
		if info, err := os.Stat(filepath.Join(prefix, name)); err == nil && info.IsDir() {
			chmod(t, filepath.Join(prefix, name), 0o555)
			defer chmod(t, filepath.Join(prefix, name), 0o755)
		}
	}
	chmod(t, prefix, 0o555)
	defer chmod(t, prefix, 0o755)
	for fault, args := range map[string][]string{
		"no permission to write":    {"--prefix", prefix},
		"no permission to make":     {"--prefix", prefix + "/deeper"},
		prefix + ": no permission ": {"--prefix", prefix, "--uninstall"},
	} {
		c := exec.Command("sh", append([]string{filepath.Join(r.dir, "install.sh")}, args...)...)
		c.Dir, c.Env = r.dir, append(os.Environ(), "TMPDIR="+writable(t))
		if os.Geteuid() == 0 {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		want(t, c, fault)
	}
	if after := listing(t, prefix); !slices.Equal(before, after) {
		t.Errorf("%q, then %q", before, after)
	}
}

// readable returns a directory that any user can read.
func readable(t *testing.T) string { return directory(t, 0o755) }

// writable returns a directory that any user can write to.
func writable(t *testing.T) string { return directory(t, 0o777) }

func directory(t *testing.T, mode fs.FileMode) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "doppel-release") // t.TempDir is below directories of mode 0700
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	chmod(t, dir, mode)
	return dir
}

func chmod(t *testing.T, name string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

func flip(t *testing.T, r release, name string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	write(t, filepath.Join(r.dir, name), string(b))
}

func remove(t *testing.T, r release, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// listing returns the names below a directory, sorted.
func listing(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if below, _ := filepath.Rel(dir, name); below != "." {
			names = append(names, below)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// command runs a program, which must succeed, and returns its output.
func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}
