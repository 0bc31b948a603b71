//go:build linux

package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A table is one of the page.
type table struct{ name, title, about, columns string }

// tables are the measurements that cases note, with their columns.
var tables = []table{
	{"memory", "MEMORY", memoryAbout, "run|--mem|input|peak MiB|promised|held"},
	{"hostile", "HOSTILE DATA", hostileAbout, "case|bytes|cpu s|twice|peak MiB|twice|verdict"},
}

const (
	memoryAbout = `Peak memory of a run beside
.Fl -mem .
Promised are 1.4 times
.Fl -mem ,
since the collector keeps two fifths, and what the tool has beside it: 100 MiB
as
.Xr doppel 7
says, and what its own page says.
The peak is the resident memory that
.Xr getrusage 2
tells; limits are those of
.Xr setrlimit 2
and, where there are any, of control groups.`
	hostileAbout = `Data made to cost time or memory, at a size and at twice that size.
Linear is at most three times as much of each, or little altogether.
The time is that of the processors.`
)

// page returns the manual page of what was tried, what held, what failed.
func (all *results) page(o options) []byte {
	var b strings.Builder
	now := time.Now()
	fmt.Fprintf(&b, ".Dd %s %d, %d\n%s", now.Month(), now.Day(), now.Year(), pageHead)
	fmt.Fprintf(&b, ".Pp\nThe command was\n.Ql %s ,\nof %s, on %d cores.\nOf %d cases %d were drawn, which took %s one after the other.\n%s",
		roff("go run ./scripts/fault"+asked(o)), runtime.Version(), runtime.NumCPU(), len(planAll(kinds, options{}, regexp.MustCompile(""))), len(all.all), all.sum().Round(time.Minute), all.ofBuilds())
	startTable(&b, "kind|cases|held|failed|not tried")
	for _, k := range kinds {
		all.countRow(&b, k.name, k.name)
	}
	all.countRow(&b, "", "all")
	b.WriteString(".El\n.Bl -tag -width operand -compact\n")
	for _, k := range kinds {
		fmt.Fprintf(&b, ".It Cm %s\n%s\n", k.name, roff(k.about))
	}
	b.WriteString(".El\n")
	all.lacking(&b)
	for _, t := range tables {
		all.table(&b, t)
	}
	all.failures(&b)
	b.WriteString(pageTests + pageFoot)
	return []byte(b.String())
}

const pageHead = `.Dt DOPPEL-FAULTS 7
.Os
.Sh NAME
.Nm doppel-faults
.Nd what was done to the built tools, and what they did
.Sh DESCRIPTION
The tools promise that an output is whole or untouched, that no record is lost in
silence, and that memory is bounded.
This page is written by the program that tries it from outside:
it kills them, fills their disks, lets their system calls fail, cuts and flips
what they read, races them, and hands them hostile data and names.
Whether a run held is told by the bytes of an undisturbed run, by what was planted
in the data, and by rules that hold always: no traceback, no hang, no process and no
file left, a status and a message that say what went wrong.
.Pp
Every case has a name, and what it draws at random depends on that and on the seed
alone, so a failure is repeated by the line that it prints.
`

// pageTests is written by hand, of what scripts/check cover and mutate print.
//
//go:embed tests.mdoc
var pageTests string

const pageFoot = `.Sh SEE ALSO
.Xr doppel 7
`

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
	return text + fmt.Sprint(" -seed ", o.seed)
}

func (all *results) sum() (d time.Duration) {
	for _, r := range all.all {
		d += r.took
	}
	return d
}

func (all *results) countRow(b *strings.Builder, kind, name string) {
	n := all.counts(kind)
	rowOf(b, name, fmt.Sprint(n[held]+n[failed]+n[notTold]), fmt.Sprint(n[held]), fmt.Sprint(n[failed]), fmt.Sprint(n[notTold]))
}

// table writes a table, if there are rows of it.
func (all *results) table(b *strings.Builder, t table) {
	var rows [][]string
	for _, r := range all.all {
		for _, row := range r.rows {
			if row.Table == t.name && r.kind() != "known" { // those stand there twice
				rows = append(rows, row.Cells)
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	slices.SortFunc(rows, slices.Compare)
	rows = slices.CompactFunc(rows, slices.Equal)
	fmt.Fprintf(b, ".Sh %s\n%s\n", t.title, t.about)
	startTable(b, t.columns)
	for _, cells := range rows {
		rowOf(b, cells...)
	}
	b.WriteString(".El\n")
}

// lacking says what was not tried, and why.
func (all *results) lacking(b *strings.Builder) {
	lines := all.untried()
	if len(lines) == 0 {
		return
	}
	b.WriteString(".Pp\nNot tried were:\n.Bl -bullet -compact\n")
	for _, line := range lines {
		fmt.Fprintf(b, ".It\n%s\n", roff(line))
	}
	b.WriteString(".El\n")
}

// failures lists what failed, a line each; the run has printed more.
func (all *results) failures(b *strings.Builder) {
	var lines []string
	for _, r := range all.all {
		if r.verdict() == failed {
			lines = append(lines, fmt.Sprintf(".It %s\n%s\n", roff(r.name), roff(excerptOf(firstLines(r.err.Error(), 1)))))
		}
	}
	if len(lines) == 0 {
		return
	}
	slices.Sort(lines)
	b.WriteString(".Sh FAILED\n.Bl -tag -width Ds -compact\n" + strings.Join(lines, "") + ".El\n")
}

// excerptOf keeps a message to a line or two.
func excerptOf(s string) string {
	if len(s) > 160 {
		s = s[:160] + "…"
	}
	return strings.ToValidUTF8(s, "?")
}
