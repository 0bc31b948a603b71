package cmd_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/cli"
)

// maxBrief is the number of options that -h shows at most, and maxColumns the length of a line.
const (
	maxBrief   = 12
	maxColumns = 80
)

// A helpGroup is a group of options in a help text or on a page.
type helpGroup struct {
	title string
	flags []string // long names
}

var (
	helpFlag = regexp.MustCompile(`^  (?:-\S, |    )?--([\w-]+)`)
	pageSub  = regexp.MustCompile(`(?m)^\.Ss (.*)\n`)
	pageOpts = regexp.MustCompile(`(?ms)^\.Sh OPTIONS\n(.*?)^\.Sh `)
)

// groupsOf returns the groups of options in a help text. Options before the first title are in a
// group without a title.
func groupsOf(help string) (groups []helpGroup) {
	lines := strings.Split(help, "\n")
	for n, line := range lines {
		m := helpFlag.FindStringSubmatch(line)
		switch {
		case m != nil && (len(groups) == 0 || lines[n-1] == ""):
			groups = append(groups, helpGroup{flags: m[1:]})
		case m != nil:
			last := &groups[len(groups)-1]
			last.flags = append(last.flags, m[1])
		case n > 1 && lines[n-1] == "" && n+1 < len(lines) && helpFlag.MatchString(lines[n+1]):
			groups = append(groups, helpGroup{title: line})
		}
	}
	return groups
}

// entriesOf returns the text of each option in a help text, in one line, by its long name.
func entriesOf(help string) map[string]string {
	entries, name := map[string]string{}, ""
	for line := range strings.Lines(help) {
		if m := helpFlag.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if !strings.HasPrefix(line, "   ") {
			name = ""
		}
		if name != "" {
			entries[name] += " " + strings.TrimSpace(line)
		}
	}
	return entries
}

// TestHelpLines checks the help of each command: no line is too long, -h has at most twelve options,
// which are options of the command, and says how to see all, --help lists all options, in groups if
// there are more than -h shows, and both name the default of each number and size.
func TestHelpLines(t *testing.T) {
	for _, name := range commandNames(t) {
		words := strings.Fields(name)
		ask := func(flag string) string { return run(command(words[0], append(words[1:], flag)...), "").stdout }
		brief, long, all := ask("-h"), ask("--help"), []string{}
		entries := entriesOf(long)
		for line := range strings.Lines(ask("--flags")) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			all = append(all, f[0])
			if needsDefault(name, f[0]) && !strings.Contains(entries[f[0]], "(default") {
				t.Errorf("%s --help: no default of --%s: %s", name, f[0], entries[f[0]])
			}
		}
		for line := range strings.Lines(brief + long) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > maxColumns {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
		essential := cli.Find(words[len(words)-1]).Options.Essential()
		if shown := entriesOf(brief); len(shown) > maxBrief || len(essential) > 0 && len(shown) != len(essential) {
			t.Errorf("%s -h shows %d options: want %d, at most %d", name, len(shown), len(essential), maxBrief)
		} else {
			for flag, text := range shown {
				if !slices.Contains(all, flag) || strings.Contains(entries[flag], "(default") && !strings.Contains(text, "(default") {
					t.Errorf("%s -h shows %q, --help %q", name, text, entries[flag])
				}
			}
		}
		if !strings.Contains(brief, "'"+name+" --help' describes all") && len(all) > 2 {
			t.Errorf("%s -h does not name --help", name)
		}
		var listed []string
		groups := groupsOf(long)
		for _, g := range groups {
			listed = append(listed, g.flags...)
			if grouped := len(all)-2 > maxBrief; grouped != (g.title != "") {
				t.Errorf("%s --help has %d options and the group %q: %v", name, len(all), g.title, g.flags)
			}
		}
		slices.Sort(all)
		slices.Sort(listed)
		if d := cmp.Diff(all, listed); d != "" {
			t.Errorf("%s --help lists other options (-flags +help):\n%s", name, d)
		}
		comparePageGroups(t, name, groups)
	}
}

// comparePageGroups checks that the section OPTIONS of a page has a subsection for each group of
// --help, in the same order and with the same options.
func comparePageGroups(t *testing.T, name string, groups []helpGroup) {
	if groups[0].title == "" {
		return
	}
	page := read(t, "../man/"+strings.ReplaceAll(name, " ", "-")+".1")
	options := pageOpts.FindStringSubmatch(page)[1]
	titles := pageSub.FindAllStringSubmatch(options, -1)
	bodies := pageSub.Split(options, -1)[1:]
	var got []helpGroup
	for n, body := range bodies {
		g := helpGroup{title: titles[n][1]}
		for _, items := range []map[string]string{itemsOf(body), commonOf(t, body)} {
			for flag := range items {
				g.flags = append(g.flags, flag)
			}
		}
		slices.Sort(g.flags)
		got = append(got, g)
	}
	for n := range groups {
		slices.Sort(groups[n].flags)
	}
	if d := cmp.Diff(groups, got, cmp.AllowUnexported(helpGroup{})); d != "" {
		t.Errorf("%s: the page has other groups (-help +page):\n%s", name, d)
	}
}

// needsDefault reports whether a flag of a command takes a number or a size.
func needsDefault(name, flag string) bool {
	return slices.ContainsFunc(numericFlags(name), func(numeric [2]string) bool { return numeric[0] == flag && numeric[1] != "w%s" })
}
