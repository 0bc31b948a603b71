package cmd_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"doppel/pkg/stage/stagetest"
)

// TestInstall wants all that there is where the system and the shells look for it,
// and nothing of it left behind by uninstall.
func TestInstall(t *testing.T) {
	dest := t.TempDir()
	installed(t, "install", dest)
	pages, _ := filepath.Glob("../man/*.[157]")
	var want []string
	for _, page := range pages {
		want = append(want, "share/man/man"+filepath.Ext(page)[1:]+"/"+filepath.Base(page))
	}
	for _, name := range tools {
		want = append(want, "bin/"+name, "share/bash-completion/completions/"+name, "share/fish/vendor_completions.d/"+name+".fish")
	}
	for _, name := range append(want, "share/zsh/site-functions/_doppel") {
		if info, err := os.Stat(filepath.Join(dest, "opt", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	installed(t, "uninstall", dest)
	err := filepath.WalkDir(dest, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			t.Errorf("%s is left behind", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// installed runs the script on what TestMain built.
func installed(t *testing.T, what, dest string) {
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
	c := exec.Command("sh", filepath.Join(root, "scripts/install"), what, "/opt")
	c.Env = append(os.Environ(), "DESTDIR="+dest)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// Bash finds the completions of a tool by its name, and they offer values.
func TestInstalledCompletions(t *testing.T) {
	stagetest.Need(t, t.Name(), "fish")
	dest := t.TempDir()
	installed(t, "install", dest)
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
