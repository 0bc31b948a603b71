// Package oracle compares doppel's commands with models of their manual pages. A model is plain Go
// that uses nothing of the tools: maps, and loops over all pairs. Each test runs a command in this
// process on many small random datasets with random options. A failure prints the smallest sample
// that still fails: the command, its files, and the seed.
//
// The variable ORACLE_RUNS sets the number of samples for each test, and ORACLE_SEED the first seed.
package oracle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"doppel/pkg/cli"
	"doppel/pkg/tool"
)

// A row is a record: the values of its fields, which are strings, numbers (json.Number) or nil.
type row map[string]any

// columns are the names of all fields that rows have, in the order in which they are written.
var columns = []string{"id", "text", "note", "src", "rank"}

// A sample is a command with its options and the datasets that it reads. In the values of flags, a
// comma separates repetitions of the flag, and a semicolon stands for a comma.
type sample struct {
	command string
	flags   map[string]string // values of the flags; a flag that takes no value has the value "yes"
	form    string            // jsonl, csv or lines
	ascii   bool              // in JSON, write characters beyond ASCII as escapes
	data    map[string][]row  // rows of each dataset; the name has no suffix
	fixed   []string          // flags that the command needs
}

func (s *sample) has(flag string) bool { return s.flags[flag] != "" }

// list returns the values of a flag that may be repeated.
func (s *sample) list(flag string) []string {
	if !s.has(flag) {
		return nil
	}
	return strings.Split(s.flags[flag], ",")
}

// optional returns the names of the flags that may be left out.
func (s *sample) optional() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.flags)), func(flag string) bool { return slices.Contains(s.fixed, flag) })
}

// number returns the value of a flag, or preset if the flag is not given.
func (s *sample) number(flag string, preset int) int {
	if n, err := strconv.Atoi(s.flags[flag]); err == nil {
		return n
	}
	return preset
}

func (s *sample) clone() *sample {
	c := *s
	c.flags, c.data = maps.Clone(s.flags), map[string][]row{}
	for name, rows := range s.data {
		for _, r := range rows {
			c.data[name] = append(c.data[name], maps.Clone(r))
		}
		if len(rows) == 0 {
			c.data[name] = []row{}
		}
	}
	return &c
}

// args returns the arguments of the command, without the names of files.
func (s *sample) args() []string {
	args := []string{s.command}
	for _, flag := range slices.Sorted(maps.Keys(s.flags)) {
		for _, value := range s.list(flag) {
			if args = append(args, "--"+flag); value != "yes" {
				args[len(args)-1] += "=" + strings.ReplaceAll(value, ";", ",")
			}
		}
	}
	if s.form == "lines" {
		args = append(args, "--lines")
	}
	return args
}

// file returns the name of the file of a dataset.
func (s *sample) file(dataset string) string {
	return dataset + map[string]string{"jsonl": ".jsonl", "csv": ".csv", "lines": ".txt"}[s.form]
}

// header returns the lines of a dataset before its first record.
func (s *sample) header() string {
	if s.form == "csv" {
		return strings.Join(columns, ",") + "\n"
	}
	return ""
}

// line returns a record as it is written in a file, without the newline.
func (s *sample) line(r row) string {
	if s.form == "lines" {
		return fmt.Sprint(r["text"])
	}
	var fields []string
	for _, name := range columns {
		value, ok := r[name]
		switch {
		case s.form == "csv" && (!ok || value == nil):
			fields = append(fields, "")
		case s.form == "csv":
			fields = append(fields, quoteCSV(fmt.Sprint(value)))
		case ok:
			fields = append(fields, fmt.Sprintf("%q:%s", name, s.quoteJSON(value)))
		}
	}
	if s.form == "csv" {
		return strings.Join(fields, ",")
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func quoteCSV(value string) string {
	if strings.ContainsAny(value, "\",\n\r") {
		return `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
	}
	return value
}

func (s *sample) quoteJSON(value any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err)
	}
	text := strings.TrimSuffix(b.String(), "\n")
	if !s.ascii {
		return text
	}
	b.Reset()
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String()
}

// String returns the sample as commands for a shell.
func (s *sample) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.data)) {
		fmt.Fprintf(&b, "%s:\n%s", s.file(name), s.header())
		for _, r := range s.data[name] {
			b.WriteString(s.line(r) + "\n")
		}
	}
	fmt.Fprintf(&b, "doppel %s", strings.Join(s.args(), " "))
	return b.String()
}

// A bench is a directory in which samples run.
type bench struct{ dir string }

func (b bench) path(name string) string { return filepath.Join(b.dir, name) }

// write writes the datasets of a sample.
func (b bench) write(s *sample) {
	for name, rows := range s.data {
		var text strings.Builder
		text.WriteString(s.header())
		for _, r := range rows {
			text.WriteString(s.line(r) + "\n")
		}
		b.put(s.file(name), text.String())
	}
}

// auditManifest writes the manifest of a run whose output is the file out, and audits it. The audit must
// find no fault.
func (b bench) auditManifest(args ...string) string {
	described := slices.Concat(args, []string{"--output=@out", "--manifest=@run.json", "--finished"})
	for _, args := range [][]string{described, {"audit", "@run.json"}} {
		if got := b.run(args...); got.status != 0 {
			return fmt.Sprintf("%v: status %d: %s%s", args, got.status, got.stdout, got.stderr)
		}
	}
	return ""
}

func (b bench) put(name, text string) {
	if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
		panic(err)
	}
}

// read returns the lines of a file that a command wrote.
func (b bench) read(name string) (lines []string) {
	text, err := os.ReadFile(b.path(name))
	if err != nil {
		return []string{err.Error()}
	}
	for line := range strings.Lines(strings.ReplaceAll(string(text), b.dir+"/", "")) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return lines
}

// output is what a command wrote.
type output struct {
	stdout, stderr string
	status         int
}

// run runs doppel in this process. Arguments that begin with @ are names of files of the bench.
func (b bench) run(args ...string) output {
	args = slices.Clone(args)
	for i, arg := range args {
		if flag, name, ok := strings.Cut(arg, "@"); ok {
			args[i] = flag + b.path(name)
		}
	}
	var out, errs bytes.Buffer
	std := tool.Std{Program: "doppel", Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
	status := cli.Run(std)
	return output{strings.ReplaceAll(out.String(), b.dir+"/", ""), strings.ReplaceAll(errs.String(), b.dir+"/", ""), status}
}

// A proof compares a command with its model.
type proof struct {
	draw  func(*rand.Rand) *sample
	valid func(*sample) bool          // reports whether the page allows the options and the data
	check func(bench, *sample) string // runs the sample and returns a difference from the model, or ""
}

// explore checks random samples. For the first one that fails, it reports the smallest sample that
// fails too.
func (p proof) explore(t *testing.T, runs int) {
	t.Helper()
	seed := uint64(1)
	if n, err := strconv.Atoi(os.Getenv("ORACLE_RUNS")); err == nil {
		runs = n
	}
	if n, err := strconv.ParseUint(os.Getenv("ORACLE_SEED"), 10, 64); err == nil {
		seed = n
	}
	b := bench{t.TempDir()}
	for ; runs > 0; runs, seed = runs-1, seed+1 {
		if !p.try(t, b, seed) && os.Getenv("ORACLE_ALL") == "" {
			return
		}
	}
}

// try checks the sample of one seed.
func (p proof) try(t *testing.T, b bench, seed uint64) bool {
	t.Helper()
	s := p.draw(rand.New(rand.NewPCG(seed, 0)))
	for !p.valid(s) { // leave out flags until the page allows the others
		flags := s.optional()
		delete(s.flags, flags[int(seed)%len(flags)])
	}
	diff := p.check(b, s)
	if diff == "" {
		return true
	}
	small := p.shrink(b, s)
	t.Errorf("seed %d:\n%v\n%s", seed, small, p.check(b, small))
	return false
}

// fuzz checks samples whose seeds the fuzzer chooses.
func (p proof) fuzz(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { p.try(t, bench{t.TempDir()}, seed) })
}

// shrink leaves out flags, records, fields and words as long as the sample fails.
func (p proof) shrink(b bench, s *sample) *sample {
	for smaller := true; smaller; {
		smaller = false
		for c := range s.smaller() {
			if p.valid(c) && p.check(b, c) != "" {
				s, smaller = c, true
				break
			}
		}
	}
	return s
}

// smaller returns samples that are a step smaller than s.
func (s *sample) smaller() func(func(*sample) bool) {
	return func(yield func(*sample) bool) {
		for _, flag := range s.optional() {
			c := s.clone()
			if delete(c.flags, flag); !yield(c) {
				return
			}
		}
		for name, rows := range s.data {
			for i, r := range rows {
				c := s.clone()
				if c.data[name] = slices.Delete(c.data[name], i, i+1); !yield(c) {
					return
				}
				for field, value := range r {
					text, _ := value.(string)
					words := strings.Fields(text)
					for j := range words {
						c := s.clone()
						c.data[name][i][field] = strings.Join(slices.Delete(slices.Clone(words), j, j+1), " ")
						if len(c.data[name][i][field].(string)) < len(text) && !yield(c) {
							return
						}
					}
				}
			}
		}
	}
}

// pick returns a random element of a list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// diffLines compares two lists of lines, and returns "" if they are equal.
func diffLines(what string, got, want []string) string {
	if slices.Equal(got, want) {
		return ""
	}
	return fmt.Sprintf("%s:\n got %s\nwant %s", what, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
}

// splitLines returns the lines of a text without their newlines.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// unlines returns the text of some lines.
func unlines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
