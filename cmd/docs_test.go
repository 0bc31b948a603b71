package cmd_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/stage/stagetest"
)

// A pageExample is a command on a page, with the output that the page shows.
type pageExample struct {
	line            int
	command, output string
}

// examples returns the commands on a page, which are the lines that start with "$ ". A command that
// ends in a backslash continues on the next line. The expected output follows the command, up to
// the next command, an empty line, or the end of the code block.
func examples(page string) (all []pageExample) {
	in := false
	for i, line := range strings.Split(page, "\n") {
		switch cmd, ok := strings.CutPrefix(line, "$ "); {
		case ok:
			all = append(all, pageExample{line: i + 1, command: cmd})
			in = true
		case line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, ".Ed"):
			in = false
		case in && strings.HasSuffix(all[len(all)-1].command, "\\"):
			all[len(all)-1].command += "\n" + line
		case in:
			all[len(all)-1].output += line + "\n"
		}
	}
	return all
}

// roff replaces the escapes in an mdoc page with the characters that they print.
var roff = strings.NewReplacer(`\e`, `\`, `\-`, "-", `\&`, "", `\(aq`, "'", `\(ga`, "`", `\(ha`, "^", `\(ti`, "~", `\(dq`, `"`)

// TestDocs types the examples in README.md and in each man page as a reader does: in order, in one
// copy of testdata/docs. It compares the outputs with the page. If the page shows no output, the
// command only has to succeed. No example may remove or change a file of the copy.
func TestDocs(t *testing.T) {
	pages, _ := filepath.Glob("../man/*.[1-9]")
	for _, page := range append(pages, "../README.md") {
		source := read(t, page)
		if filepath.Ext(page) != ".md" {
			source = roff.Replace(source)
		}
		dir := filepath.Join(t.TempDir(), "docs")
		must(t, os.CopyFS(dir, os.DirFS("../testdata/docs")))
		for _, ex := range examples(source) {
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(page), ex.line), func(t *testing.T) {
				stagetest.Need(t, t.Name(), ex.command)
				ex.try(t, dir)
				checkCopy(t, dir)
			})
		}
	}
}

// try runs the command in a directory and checks its output.
func (ex *pageExample) try(t *testing.T, dir string) {
	c := stagetest.Shell(t, t.Name(), ex.command)
	c.Dir, c.Env = dir, append(os.Environ(), toolPath())
	out, err := c.Output()
	if d := cmp.Diff(ex.output, string(out)); err != nil || ex.output != "" && d != "" {
		t.Errorf("$ %s: %v\n%s", ex.command, err, d)
	}
}

// checkCopy reports each file of testdata/docs that a copy lacks or has with other content.
func checkCopy(t *testing.T, dir string) {
	t.Helper()
	docs := os.DirFS("../testdata/docs")
	must(t, fs.WalkDir(docs, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := fs.ReadFile(docs, name)
		if got, gone := os.ReadFile(filepath.Join(dir, name)); gone != nil || !bytes.Equal(got, want) {
			t.Errorf("%s was removed or changed: %v", name, gone)
		}
		return err
	}))
}

var (
	pageFlag = regexp.MustCompile(`(?m)^\.It (?:Fl (\S) , )?Fl -([\w-]+)(?: Ar (\S+))?$`)
	// commonList matches a list of flags for which a page refers to doppel(7).
	commonList = regexp.MustCompile(`\.Xr doppel 7 :\n((?:\.Fl .*\n)+)`)
	commonName = regexp.MustCompile(`(?m)(?:^\.Fl| ,) (\S+)`)
	pageName   = regexp.MustCompile(`(?m)^\.Nd (.*)$`)
)

// TestManPages compares the flags on each page with the tool's flags, and the page's one-line
// description with the summary in --help. The page of a subcommand of doppel is
// doppel-NAME.1.
func TestManPages(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) { comparePage(t, name, name) })
	pages, _ := filepath.Glob("../man/doppel-*.1")
	for _, page := range pages {
		name := strings.TrimSuffix(filepath.Base(page), ".1")
		comparePage(t, name, "doppel", strings.TrimPrefix(name, "doppel-"))
	}
	for line := range strings.Lines(run(command("doppel", "--help"), "").stdout) {
		if f := strings.Fields(line); strings.HasPrefix(line, "  ") && len(f) > 0 && f[0][0] != '-' {
			if _, err := os.Stat("../man/doppel-" + f[0] + ".1"); err != nil {
				t.Errorf("doppel %s has no page", f[0])
			}
		}
	}
}

// itemsOf returns the flags that a page describes, as a map from the long name of each flag to its
// short name and its argument, separated by a space.
func itemsOf(page string) map[string]string {
	items := map[string]string{}
	for _, m := range pageFlag.FindAllStringSubmatch(page, -1) {
		items[m[2]] = m[1] + " " + m[3]
	}
	return items
}

// commonOf returns the flags that a page lists without a description because doppel(7) describes
// them. The result has the same form as that of itemsOf.
func commonOf(t *testing.T, page string) map[string]string {
	t.Helper()
	described, items := itemsOf(read(t, "../man/doppel.7")), map[string]string{}
	for _, list := range commonList.FindAllStringSubmatch(page, -1) {
		for _, name := range commonName.FindAllStringSubmatch(list[1], -1) {
			flag := long(described, name[1])
			if flag == "" {
				t.Errorf("doppel(7) does not describe -%s", name[1])
			}
			items[flag] = described[flag]
		}
	}
	return items
}

// long returns the long name of a flag that a page describes, or "" if the page does not describe
// it. The given name is either the flag's short name or a hyphen followed by its long name.
func long(described map[string]string, name string) string {
	if flag, ok := strings.CutPrefix(name, "-"); ok && described[flag] != "" {
		return flag
	}
	for flag, item := range described {
		if short, _, _ := strings.Cut(item, " "); short == name {
			return flag
		}
	}
	return ""
}

func comparePage(t *testing.T, name string, tool ...string) {
	text, err := os.ReadFile("../man/" + name + ".1")
	if err != nil {
		t.Fatal(err)
	}
	page, flags := itemsOf(string(text)), map[string]string{}
	for flag, item := range commonOf(t, string(text)) {
		page[flag] = item
	}
	for line := range strings.Lines(run(command(tool[0], append(tool[1:], "--flags")...), "").stdout) {
		f := strings.Split(line, "\t")
		flags[f[0]] = f[1] + " " + f[2]
		for _, named := range f[5:] {
			value, _, _ := strings.Cut(named, "=")
			named := regexp.MustCompile(`(?m)^\.(It )?Cm ` + value + `\b`)
			refers := slices.Contains([]string{"doppel-groups", "doppel-cut", "doppel-measure", "jaccgroup"}, name) // to another page
			if !refers && !named.Match(text) {
				t.Errorf("%s: the page does not describe --%s %s", name, f[0], value)
			}
		}
	}
	if d := cmp.Diff(flags, page); d != "" {
		t.Errorf("%s: flags differ (-tool +page):\n%s", name, d)
	}
	summary := strings.Split(run(command(tool[0], append(tool[1:], "--help")...), "").stdout, "\n")[1]
	if m := pageName.FindStringSubmatch(string(text)); m == nil || m[1] != summary {
		t.Errorf("%s: the page says %q, --help %q", name, m, summary)
	}
}

// TestManLint checks that groff has no warnings about any page, and that it ends with a page in a
// terminal of 40 columns, where a long header makes it run for ever.
func TestManLint(t *testing.T) {
	stagetest.Need(t, t.Name(), "groff")
	pages, _ := filepath.Glob("../man/*.[1-9]")
	for _, page := range pages {
		if out, err := exec.Command("groff", "-mdoc", "-Tutf8", "-ww", "-z", page).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v\n%s", err, out)
		}
		if err := exec.Command("groff", "-mdoc", "-Tutf8", "-rLL=40n", "-rLT=40n", "-z", page).Run(); err != nil {
			t.Errorf("%s, 40 columns: %v", page, err)
		}
	}
}

// TestSummaries checks that the list of tools in doppel(7) and the list of commands in doppel(1)
// contain the one-line descriptions of the pages, and that README.md names each tool and command.
func TestSummaries(t *testing.T) {
	readme, tools, commands := read(t, "../README.md"), read(t, "../man/doppel.7"), read(t, "../man/doppel.1")
	pages, _ := filepath.Glob("../man/*.1")
	for _, page := range pages {
		name, text := strings.TrimSuffix(filepath.Base(page), ".1"), read(t, page)
		list, row := tools, ".It Xr "+name+" 1\n"+pageName.FindStringSubmatch(text)[1]+"\n"
		if sub, ok := strings.CutPrefix(name, "doppel-"); ok {
			list, row = commands, ".It Cm "+sub+"\n"+pageName.FindStringSubmatch(text)[1]+"; see\n"
			name = "doppel " + sub
		}
		if name != "doppel" && !strings.Contains(list, row) {
			t.Errorf("doppel(7) or doppel(1) lacks %q", row)
		}
		if !strings.Contains(readme, "`"+name) && name != "doppel completions" {
			t.Errorf("README.md does not name %s", name)
		}
		if called := ".Sh SYNOPSIS\n.Nm " + name; !strings.Contains(text, called+"\n") && !strings.Contains(text, ".Sh SYNOPSIS\n.Nm\n") {
			t.Errorf("the SYNOPSIS of %s lacks %q", page, called)
		}
	}
}

var pythonBlock = regexp.MustCompile("(?s)```python\n(>>> .*?)```")

// TestReadmePython runs the Python session in README.md as a doctest.
func TestReadmePython(t *testing.T) {
	stagetest.Need(t, t.Name(), "python3")
	session := pythonBlock.FindStringSubmatch(read(t, "../README.md"))
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../testdata/docs")); session == nil || err != nil {
		t.Fatalf("README.md has no session of Python, or: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "session"), []byte(session[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	root, _ := filepath.Abs("../scripts/python")
	c := exec.Command("python3", "-m", "doctest", "-o", "ELLIPSIS", "session")
	c.Dir, c.Env = dir, append(os.Environ(), toolPath(), "PYTHONPATH="+root, "PYTHONDONTWRITEBYTECODE=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
