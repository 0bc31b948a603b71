package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"doppel/pkg/digest"
	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/line"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// source returns the names of the files to compare: the operands and the files below them, or
// the names on standard input.
func (g *Options) source(e *tool.Env, operands []string) (filename.Source, error) {
	if !tool.ListOnStdin(operands) {
		if g.picks() {
			if err := checkOperands(operands); err != nil {
				return nil, err
			}
		}
		return g.matching(g.equal.Walk(operands)), nil
	}
	if g.equal.OneSystem {
		return nil, tool.UsageError("--one-file-system applies only to directories given as operands, not to names on standard input")
	}
	source, err := e.FileNames(&g.equal.Names, operands)
	if len(g.equal.Exclude) > 0 {
		source = &selected{source, func(name []byte) bool {
			for element := range bytes.SplitSeq(name, []byte{'/'}) {
				if files.Match(g.equal.Exclude, element) {
					return false
				}
			}
			return true
		}}
	}
	return g.matching(source), err
}

// checkOperands returns an error if an operand cannot be read, or is a symbolic link to a file. It
// is called if copies will be removed or linked: an operand that is missing may be the one to keep,
// and to remove a link is not to remove a copy.
func checkOperands(operands []string) error {
	for _, name := range operands {
		f, err := os.Stat(name)
		if err != nil {
			return msg.WithHint(err, "nothing was changed, because every operand must be readable")
		}
		if !f.IsDir() {
			if _, err := files.Stat([]byte(name), files.Refuse); err != nil {
				return msg.WithHint(err, "to remove or link copies, name the file itself")
			}
			continue
		}
		dir, err := os.Open(name)
		if err != nil {
			return msg.WithHint(err, "nothing was changed, because every operand must be readable")
		}
		dir.Close()
	}
	return nil
}

// references is a source of the files below the directories that --reference names. Errors are
// left to the caller, except that a directory without any file is an error: the disk that belongs
// there may not be mounted.
type references struct {
	dirs  []string
	walk  func(roots []string) *files.Walk
	now   *files.Walk
	found bool // whether the current walk has returned an item
}

// Next implements [filename.Source].
func (r *references) Next(b *filename.Batch, n int) error {
	for {
		if r.now == nil {
			if len(r.dirs) == 0 {
				return io.EOF
			}
			name, err := ownName(r.dirs[0])
			if err != nil {
				return &filegroup.SparedError{Err: err}
			}
			r.now, r.found = r.walk([]string{name}), false
		}
		err := r.now.Next(b, n)
		if err != io.EOF {
			r.found = true
			return err
		}
		if !r.found {
			return fmt.Errorf("--reference %s: no files: want a directory that has the files to keep", r.dirs[0])
		}
		r.dirs, r.now = r.dirs[1:], nil
	}
}

// ownName returns the name of a reference: the file that a symbolic link leads to, or the name
// itself. A file must be kept, linked and locked under its own name.
func ownName(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		err = errors.Unwrap(err)
		return "", fmt.Errorf("--reference %s: %w", name, err)
	}
	if info.Mode().IsRegular() && info.Size() == 0 {
		return "", fmt.Errorf("--reference %s: empty: want a file to keep", name)
	}
	if link, err := os.Lstat(name); info.IsDir() || err != nil || link.Mode().IsRegular() {
		return name, nil
	}
	return filepath.EvalSymlinks(name)
}

// matching returns a source of the names in s that match --name, or s if the flag is not given.
func (g *Options) matching(s filename.Source) filename.Source {
	if len(g.globs) == 0 {
		return s
	}
	return &selected{s, func(name []byte) bool { return files.Match(g.globs, name) }}
}

// selected is a source that yields only the names that are wanted.
type selected struct {
	filename.Source
	want func(name []byte) bool
}

// Next reads up to n names into b and removes the others. So b may be empty before the end of the
// source.
func (s *selected) Next(b *filename.Batch, n int) error {
	if err := s.Source.Next(b, n); err != nil {
		return err
	}
	b.Items = slices.DeleteFunc(b.Items, func(it filename.Item) bool { return it.Err == nil && !s.want(it.Name) })
	return nil
}

// readKnown reads the file that --known names, which must be the output of blockhash --full --hash
// xxh3-128, with or without -0. A list whose last line has no end is an error, since the name in
// that line may be incomplete.
func (g *Options) readKnown(e *tool.Env) (*filegroup.Catalog, error) {
	k, whole := &filegroup.Catalog{}, filegroup.Whole(files.Refuse)
	scheme := whole.Scheme()
	stream, err := e.Open(g.known)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	text := &ended{Reader: bufio.NewReaderSize(stream, 1<<16)}
	// Names have no NUL, and a line with the longest name is much shorter than the buffer.
	begin, _ := text.Peek(1 << 16)
	opt := record.Options{Lines: true, Null: bytes.IndexByte(begin, 0) >= 0}
	in := e.Input(nil)
	in.Names, in.Stdin, in.Called = []string{"-"}, text, map[string]string{"-": g.known}
	rd, err := record.NewReader(in, opt)
	if err != nil {
		return nil, err
	}
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		var h line.FileHash
		err := h.Parse(rec.Raw)
		if err == nil {
			var sum digest.Sum
			if sum, err = digest.Parse(h.Hash); err == nil && h.Name != nil && (len(h.Scheme) == 0 || string(h.Scheme) == scheme) {
				k.Add(sum, h.Size, h.Name)
				return nil
			}
			err = msg.WithHint(errors.New("want a hash of all bytes by xxh3-128, a size and a name"), "to write the list, run {blockhash} --full --hash xxh3-128")
		}
		return &record.SyntaxError{Name: g.known, Line: rec.Line, Err: err}
	})
	if end := byte('\n'); err == nil {
		if opt.Null {
			end = 0
		}
		if text.read && text.last != end {
			err = fmt.Errorf("%s: its last line has no end, so the list may be incomplete", g.known)
		}
	}
	return k, err
}

// ended is a reader that knows the last byte read from it.
type ended struct {
	*bufio.Reader
	last byte
	read bool
}

func (r *ended) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if n > 0 {
		r.last, r.read = b[n-1], true
	}
	return n, err
}
