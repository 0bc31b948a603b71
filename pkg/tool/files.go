package tool

import (
	"errors"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/msg"
)

// Files holds the flags that determine which files a tool reads.
type Files struct {
	Recursive bool // -r: the operands are directories; read all files below them
	Follow    bool // -L: follow symbolic links
}

// Flags registers -r and -L in fs.
func (f *Files) Flags(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.Recursive, "recursive", "r", f.Recursive, "read all files below the directories given as operands")
	fs.BoolVarP(&f.Follow, "dereference", "L", f.Follow, "follow symbolic links")
	flagset.Assign(fs, flagset.Input, "recursive", "dereference")
}

// Links reports how symbolic links are treated.
func (f *Files) Links() files.Links {
	if f.Follow {
		return files.Follow
	}
	return files.Refuse
}

// ListOnStdin reports whether file names are read from standard input: there are no operands, or
// "-" is the only operand. Such a list may come from find(1), which also lists directories, so
// directories in it are skipped.
func ListOnStdin(operands []string) bool {
	return len(operands) == 0 || len(operands) == 1 && operands[0] == "-"
}

// FileNames returns the source of file names. With -r, the names are those of the files below the
// operands. Without -r, they are the operands or the lines of standard input.
func (e *Env) FileNames(f *Files, operands []string) (filename.Source, error) {
	switch {
	case f.Recursive && len(operands) == 0:
		return nil, UsageError("-r needs a directory, such as .")
	case f.Recursive:
		return files.NewWalk(operands, f.Links()), nil
	case ListOnStdin(operands):
		if err := e.CheckList(); err != nil {
			return nil, err
		}
		return nameHint{filename.NewReader(e.Stdin, e.Terminator())}, nil
	}
	list := filename.List(operands)
	return &list, nil
}

// CheckList returns an error if the list of names on standard input is a file that the run replaces.
func (e *Env) CheckList() error { return e.Written().CheckStream(fileOf(e.Stdin)) }

// nameHint is a Source that passes errors through HintNames.
type nameHint struct{ filename.Source }

func (h nameHint) Next(b *filename.Batch, n int) error {
	return HintNames(h.Source.Next(b, n))
}

// HintNames returns err, and adds a hint to use -0 if err means that a file name contains NUL. It
// is for tools that accept -0.
func HintNames(err error) error {
	if errors.Is(err, filename.ErrNUL) {
		return msg.WithHint(err, "use -0 if the names end in NUL")
	}
	return err
}
