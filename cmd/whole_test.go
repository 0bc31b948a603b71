package cmd_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestWhole checks that doppel(7), its section SEE ALSO, and the doc comment of package
// architecture name every tool.
func TestWhole(t *testing.T) {
	manual, drawing := read(t, "../man/doppel.7"), read(t, "../pkg/architecture/doc.go")
	_, seeAlso, _ := strings.Cut(manual, ".Sh SEE ALSO")
	for _, name := range tools {
		if name == "doppel" {
			name = "doppel 1"
		}
		if !strings.Contains(manual, name) {
			t.Errorf("doppel(7) does not name %s", name)
		}
		if !strings.Contains(seeAlso, ".Xr "+strings.TrimSuffix(name, " 1")+" 1") {
			t.Errorf("SEE ALSO of doppel(7) lacks %s", name)
		}
	}
	for _, name := range tools {
		if !strings.Contains(drawing, name) {
			t.Errorf("pkg/architecture does not name %s", name)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var link = regexp.MustCompile(`\[(\w+\.\w+)\]`)

// TestLinks checks that each name linked in the doc comment of package architecture is also
// used in the package's code, so that the compiler detects a missing name.
func TestLinks(t *testing.T) {
	page, code, _ := strings.Cut(read(t, "../pkg/architecture/doc.go"), "package architecture")
	links := link.FindAllStringSubmatch(page, -1)
	if len(links) < 20 {
		t.Errorf("found %d links", len(links))
	}
	for _, l := range links {
		if !regexp.MustCompile(`_ = ` + regexp.QuoteMeta(l[1]) + `\b`).MatchString(code) {
			t.Errorf("[%s] is not used by the page's code", l[1])
		}
	}
}

var (
	pageItem    = regexp.MustCompile(`(?ms)^\.It (?:Fl \S , )?Fl -([\w-]+)[^\n]*\n(.*?)(?:^\.It |^\.El|^\.Sh )`)
	pageDefault = regexp.MustCompile(`(?s)[,;(]\s+default\s+(?:\.(?:Cm|Ql|Li)\s+(\S+)|(\d[\w.^]*\w|\d))`)
)

// TestDefaults compares the defaults stated in the man pages with the defaults of the flags.
func TestDefaults(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		flags := map[string]string{}
		for l := range strings.Lines(run(command(name, "--flags"), "").stdout) {
			f := strings.Split(strings.TrimSuffix(l, "\n"), "\t")
			flags[f[0]] = f[4]
		}
		page := read(t, "../man/"+name+".1")
		for page != "" {
			at := pageItem.FindStringSubmatchIndex(page)
			if at == nil {
				break
			}
			flag, text := page[at[2]:at[3]], page[at[4]:at[5]]
			if m := pageDefault.FindStringSubmatch(text); m != nil && flags[flag] != "" && m[1]+m[2] != strings.Trim(flags[flag], "[]") {
				t.Errorf("--%s: the page says %s, the flag %s", flag, m[1]+m[2], flags[flag])
			}
			page = page[at[5]:]
		}
	})
}
