package output

import (
	"fmt"
	"io"
	"os"
	"slices"

	"doppel/pkg/msg"
)

// Reads adds the names of inputs. Writing to an input, under any name, would destroy it: appended lines
// would be read again, and truncating the file would lose its contents. Only the main output may also be
// an input, because it replaces the file only when the result is complete.
func (o *Set) Reads(names ...string) { o.inputs = append(o.inputs, names...) }

// Inputs returns the names that Reads was given.
func (o *Set) Inputs() []string { return o.inputs }

// Replaced returns the first of the names that belongs to an input, and the name of this input; ok reports
// whether there is one.
func (o *Set) Replaced(names []string) (name, input string, ok bool) {
	read := identify(o.inputs)
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			if input, ok := read.otherName(info, ""); ok {
				return name, input, true
			}
		}
	}
	return "", "", false
}

// Written returns the files that the run writes: all outputs that have been created or reserved so far,
// the named files, and the file of stdout, which is nil if the run does not write to it.
func (o *Set) Written(stdout io.Writer, names ...string) Written {
	w := Written{}
	if info, ok := regularInfo(stdout); ok {
		w[identityOf(info)] = "<stdout>"
	}
	for _, one := range o.all {
		if one.file != nil {
			names = append(names, one.file.name)
		}
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && name != "" && info.Mode().IsRegular() {
			w[identityOf(info)] = name
		}
	}
	return w
}

// CheckStreams returns an error if standard output is an input file. cat(1) does the same.
func (o *Set) CheckStreams(stdin, stdout any) error {
	out, ok := regularInfo(stdout)
	if !ok {
		return nil
	}
	name, clash := identify(o.inputs).otherName(out, "")
	if from, ok := regularInfo(stdin); ok && (len(o.inputs) == 0 || slices.Contains(o.inputs, "-")) && os.SameFile(from, out) {
		name, clash = "<stdin>", true
	}
	if !clash {
		return nil
	}
	return msg.WithHint(fmt.Errorf("%s: input file is output file", name), "write to another file, or use -o, which replaces the file at the end")
}
