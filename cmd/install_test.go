package cmd_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/stage/stagetest"
)

// TestInstall checks that everything is installed where the system and the shells look for it, that
// the tools run, and that uninstall removes all of it. With ALL=0 the tools other than doppel are not
// in bin. Another program that has the name of a tool stays.
func TestInstall(t *testing.T) {
	for all, where := range map[string]string{"0": "libexec/doppel/bin/", "": "bin/"} {
		dest := t.TempDir()
		foreign := []string{"bin/blockhash"}
		must(t, os.MkdirAll(filepath.Join(dest, "opt/bin"), 0o755))
		must(t, os.WriteFile(filepath.Join(dest, "opt", foreign[0]), []byte("another program"), 0o755))
		runInstall(t, "install", dest, "ALL="+all)
		runInstall(t, "install", dest, "ALL="+all)
		pages, _ := filepath.Glob("../man/*.[157]")
		want := []string{"bin/doppel", "share/zsh/site-functions/_doppel", "share/bash-completion/completions/doppel", "share/fish/vendor_completions.d/doppel.fish"}
		for _, page := range pages {
			want = append(want, "share/man/man"+filepath.Ext(page)[1:]+"/"+filepath.Base(page))
		}
		for _, name := range tools {
			if name == "doppel" {
				continue
			}
			if all != "" {
				want = append(want, where+name)
			} else if name != "blockhash" {
				want = append(want, where+name, "share/bash-completion/completions/"+name, "share/fish/vendor_completions.d/"+name+".fish")
			}
		}
		want = append(want, foreign...)
		slices.Sort(want)
		if now := filesBelow(t, filepath.Join(dest, "opt")); !slices.Equal(now, want) {
			t.Errorf("ALL=%s: %q, want %q", all, now, want)
		}
		tool := exec.Command(filepath.Join(dest, "opt", where, "recsign"), "--version")
		if out, err := tool.Output(); err != nil || !strings.HasPrefix(string(out), "recsign ") {
			t.Errorf("ALL=%s: recsign --version: %v, %q", all, err, out)
		}
		runInstall(t, "uninstall", dest, "ALL="+all)
		if left := filesBelow(t, dest+"/opt"); !slices.Equal(left, foreign) {
			t.Errorf("ALL=%s: left over %q, want %q", all, left, foreign)
		}
	}
}

// filesBelow returns the names of the files below a directory, sorted. The test fails if one
// of them is empty.
func filesBelow(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if info, err := os.Stat(name); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
		below, err := filepath.Rel(dir, name)
		names = append(names, below)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

// runInstall runs the install script on the tools built by TestMain. The action is "install" or
// "uninstall"; setting is a setting of ALL, such as "ALL=1".
func runInstall(t *testing.T, action, dest, setting string) {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"cmd", "man", "scripts"} {
		from, err := filepath.Abs("../" + dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(from, filepath.Join(root, dir)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(bin, filepath.Join(root, "bin")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", filepath.Join(root, "scripts/install"), action, "/opt")
	c.Env = append(os.Environ(), "DESTDIR="+dest, setting)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestInstalledCompletions checks that shells find the completions of a tool by its name, and
// that the completions offer values of flags.
func TestInstalledCompletions(t *testing.T) {
	stagetest.Need(t, t.Name(), "bash fish")
	dest := t.TempDir()
	runInstall(t, "install", dest, "ALL=1")
	for shell, script := range map[string]string{
		"bash": `source "$0/share/bash-completion/completions/recsign"; COMP_WORDS=(recsign --method sim) COMP_CWORD=2; _doppel recsign; echo ${COMPREPLY[@]}`,
		"fish": `source "$argv[1]/share/fish/vendor_completions.d/recsign.fish"; complete -C "recsign --method sim"`,
	} {
		args := map[string][]string{"bash": {"-c", script}, "fish": {"--no-config", "-c", script}}[shell]
		c := exec.Command(shell, append(args, filepath.Join(dest, "opt"))...)
		c.Env = append(os.Environ(), toolPath())
		if out, err := c.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "simhash" {
			t.Errorf("%s: %v, %q", shell, err, out)
		}
	}
}
