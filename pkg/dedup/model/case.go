package model

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"doppel/pkg/tool"
)

// A Case is a command with its input files.
type Case struct {
	Seed    uint64 // seed of the random numbers that made the case
	Command string // subcommand of doppel, such as fuzzy
	Files   []File // the operands
	Old     []File // further files, which options name
	Options []Option
}

// A File is a file of JSON lines.
type File struct {
	Name string
	Rows []Row
}

// Bytes returns the contents of the file.
func (f File) Bytes() []byte {
	var b bytes.Buffer
	for _, row := range f.Rows {
		b.WriteString(row.JSON() + "\n")
	}
	return b.Bytes()
}

// An Option is an option with its value. The value of an option that takes none is "true".
type Option struct{ Name, Value string }

// Value returns the value of an option, or "" if the option is not given.
func (c *Case) Value(name string) string {
	if i := slices.IndexFunc(c.Options, func(o Option) bool { return o.Name == name }); i >= 0 {
		return c.Options[i].Value
	}
	return ""
}

// Values returns the values of an option that may be repeated.
func (c *Case) Values(name string) (all []string) {
	for _, o := range c.Options {
		if o.Name == name {
			all = append(all, o.Value)
		}
	}
	return all
}

// Args returns the arguments of the command, starting with the subcommand: the case's options, the
// given arguments, and the operands.
func (c *Case) Args(more ...string) []string {
	args := []string{c.Command}
	for _, o := range c.Options {
		args = append(args, "--"+o.Name+"="+o.Value)
	}
	args = append(args, more...)
	for _, f := range c.Files {
		args = append(args, f.Name)
	}
	return args
}

// Write writes the files of the case to the current directory.
func (c *Case) Write() error {
	for _, f := range slices.Concat(c.Files, c.Old) {
		if err := os.WriteFile(f.Name, f.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// String returns the case as a shell script.
func (c *Case) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# seed %d\n", c.Seed)
	for _, f := range slices.Concat(c.Files, c.Old) {
		fmt.Fprintf(&b, "cat > %s <<'EOF'\n%sEOF\n", f.Name, f.Bytes())
	}
	return b.String() + "doppel " + strings.Join(c.Args(), " ") + "\n"
}

// A Result is what a command wrote to its standard streams, and its exit status.
type Result struct {
	Stdout, Stderr string
	Status         int
}

// Exec runs a command in this process with empty standard input. run is cli.Run, or tool.Run with
// a tool; it is an argument because this package is below package front.
func Exec(run func(tool.Std) int, args ...string) Result {
	var out, errs bytes.Buffer
	status := run(tool.Std{Program: "doppel", Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	return Result{out.String(), errs.String(), status}
}

// Minimise returns a case that still fails although records, options and words were removed from
// it, as many as possible one at a time. The argument fails must not modify the case.
func Minimise(c Case, fails func(*Case) bool) Case {
	for smaller := true; smaller; {
		smaller = false
		for _, reduced := range c.reductions() {
			if fails(&reduced) {
				c, smaller = reduced, true
				break
			}
		}
	}
	return c
}

// reductions returns cases with half of the records of a file less, or with one record, one option
// or one word less.
func (c *Case) reductions() (all []Case) {
	for i := range c.Options {
		reduced := *c
		reduced.Options = slices.Delete(slices.Clone(c.Options), i, i+1)
		all = append(all, reduced)
	}
	each := func(files []File, set func(*Case, []File)) {
		for i, f := range files {
			with := func(rows []Row) {
				reduced, changed := *c, slices.Clone(files)
				changed[i].Rows = rows
				set(&reduced, changed)
				all = append(all, reduced)
			}
			if half := len(f.Rows) / 2; half > 1 {
				with(slices.Clone(f.Rows[half:]))
				with(slices.Clone(f.Rows[:half]))
			}
			for j := range f.Rows {
				with(slices.Delete(slices.Clone(f.Rows), j, j+1))
			}
			for j, row := range f.Rows {
				words := strings.Fields(row.Text)
				for k := range words {
					rows := slices.Clone(f.Rows)
					rows[j].Text = strings.Join(slices.Delete(slices.Clone(words), k, k+1), " ")
					with(rows)
				}
			}
		}
	}
	each(c.Files, func(r *Case, f []File) { r.Files = f })
	each(c.Old, func(r *Case, f []File) { r.Old = f })
	return all
}
