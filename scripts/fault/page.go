//go:build linux

package main

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"
)

// tables are the measurements that cases note, with their columns.
var tables = []struct{ name, about, columns string }{
	{"memory", "Peak memory beside --mem. Promised are 1.4 times --mem, since the collector keeps two fifths, and the overhead that stands in the harness.",
		"tool|--mem|input|peak MiB|promised MiB|held"},
	{"hostile", "Data made to cost time or memory, at a size and at twice that size. Linear is at most three times as much of each, or little altogether.",
		"case|bytes|cpu s|cpu s, twice|peak MiB|peak MiB, twice|verdict"},
}

// page returns the page of counts: what was tried, what held, what failed.
func (all *results) page(o options) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# What was tried on the built tools\n\nBy `go run ./scripts/fault%s`, seed %d, %s, %d cores, in %s.\n\n",
		asked(o), o.seed, runtime.Version(), runtime.NumCPU(), all.took.Round(time.Second))
	b.WriteString("| kind | what | cases | held | failed | not tried |\n|---|---|--:|--:|--:|--:|\n")
	for _, k := range kinds {
		all.countRow(&b, k.name, k.name, k.about)
	}
	all.countRow(&b, "", "**all**", "")
	all.families(&b)
	for _, t := range tables {
		all.table(&b, t.name, t.about, t.columns)
	}
	all.failures(&b)
	return []byte(b.String())
}

func asked(o options) (text string) {
	if o.short {
		text += " -short"
	}
	if o.only != "" {
		text += " -only " + o.only
	}
	if o.cases > 0 {
		text += fmt.Sprint(" -cases ", o.cases)
	}
	return text
}

func (all *results) countRow(b *strings.Builder, kind, name, about string) {
	h, f, n := all.count(kind, held), all.count(kind, failed), all.count(kind, notTold)
	fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d |\n", name, about, h+f+n, h, f, n)
}

// families counts by the first two parts of the names: kill/fuzzy.
func (all *results) families(b *strings.Builder) {
	cases, failures := map[string]int{}, map[string]int{}
	for _, r := range all.all {
		cases[r.family()]++
		if r.verdict() == failed {
			failures[r.family()]++
		}
	}
	b.WriteString("\n## By family\n\n| family | cases | failed |\n|---|--:|--:|\n")
	for _, name := range sorted(cases) {
		fmt.Fprintf(b, "| %s | %d | %d |\n", name, cases[name], failures[name])
	}
}

func (r result) family() string {
	parts := strings.SplitN(r.name, "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func (all *results) table(b *strings.Builder, name, about, columns string) {
	var lines []string
	for _, r := range all.all {
		for _, row := range r.rows {
			if row.Table == name {
				lines = append(lines, "| "+strings.Join(row.Cells, " | ")+" |\n")
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	rule := strings.Repeat("---|", strings.Count(columns, "|")+1)
	fmt.Fprintf(b, "\n## %s%s\n\n%s\n\n| %s |\n|%s\n%s", strings.ToUpper(name[:1]), name[1:], about,
		strings.ReplaceAll(columns, "|", " | "), rule, strings.Join(lines, ""))
}

// failures lists what failed, a line each; the run has printed more.
func (all *results) failures(b *strings.Builder) {
	var lines []string
	for _, r := range all.all {
		if r.verdict() == failed {
			lines = append(lines, fmt.Sprintf("- `%s`: %s\n", r.name, cell(firstLines(r.err.Error(), 1))))
		}
	}
	if len(lines) == 0 {
		return
	}
	slices.Sort(lines)
	b.WriteString("\n## Failed\n\n" + strings.Join(lines, ""))
}

// cell makes text fit for a line of the page.
func cell(s string) string {
	s = strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;").Replace(s)
	if len(s) > 160 {
		s = s[:160] + "…"
	}
	return strings.ToValidUTF8(s, "?")
}
