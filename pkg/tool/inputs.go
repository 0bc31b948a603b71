package tool

import (
	"fmt"
	"os"
	"slices"

	"doppel/pkg/wording"
)

// inputs are the names of what a run reads. An output that is one of them, by
// whatever name, would end it: what is appended is read again, and what is
// replaced is lost. Only -o may name an input as the operand does: the file is
// replaced by what was made of it when that is whole.
type inputs []string

// clash returns the input that is the same file as the named output. Only what
// replaces may be called as an input is.
func (in inputs) clash(name string, replaces bool) (string, bool) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	if !replaces {
		return in.same(info, "")
	}
	return in.same(info, name)
}

// check refuses an output that is an input.
func (in inputs) check(name string, replaces bool) error {
	read, ok := in.clash(name, replaces)
	err := fmt.Errorf("%s is an input, by the name %s", name, read)
	switch {
	case !ok:
		return nil
	case read == name:
		err = fmt.Errorf("%s is an input, and would be lost", name)
	}
	return wording.WithHint(err, "write to another file")
}

// same returns the first input that is this file, and has another name.
func (in inputs) same(info os.FileInfo, but string) (string, bool) {
	for _, name := range in {
		if other, err := os.Stat(name); err == nil && name != but && os.SameFile(info, other) {
			return name, true
		}
	}
	return "", false
}

// checkStream refuses a standard output that is a file which is read, as cat does.
func (in inputs) checkStream(stdin, stdout any) error {
	out, ok := regular(stdout)
	if !ok {
		return nil
	}
	name, clash := in.same(out, "")
	if from, ok := regular(stdin); ok && (len(in) == 0 || slices.Contains(in, "-")) && os.SameFile(from, out) {
		name, clash = "<stdin>", true
	}
	if !clash {
		return nil
	}
	return wording.WithHint(fmt.Errorf("%s: input file is output file", name), "write to another file, or with -o, which replaces the file at the end")
}

// regular returns what is known of a stream that is a file.
func regular(stream any) (os.FileInfo, bool) {
	f, ok := stream.(*os.File)
	if !ok {
		return nil, false
	}
	info, err := f.Stat()
	return info, err == nil && info.Mode().IsRegular()
}
