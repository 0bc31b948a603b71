package front

import (
	"bytes"
	"errors"
	"path"
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
func (g *filesOptions) source(e *tool.Env, operands []string) (filename.Source, error) {
	if !tool.ListOnStdin(operands) {
		return g.matching(files.NewWalk(operands, g.names.Links())), nil
	}
	source, err := e.FileNames(&g.names, operands)
	return g.matching(source), err
}

// matching returns a source of the names in s that match --name, or s if the flag is not given.
func (g *filesOptions) matching(s filename.Source) filename.Source {
	if len(g.globs) == 0 {
		return s
	}
	return &matches{s, g.globs}
}

// matches is a source that yields only names that match at least one glob.
type matches struct {
	filename.Source
	globs []string
}

// Next reads up to n names into b and removes those that do not match. So b may be empty before
// the end of the source.
func (m *matches) Next(b *filename.Batch, n int) error {
	if err := m.Source.Next(b, n); err != nil {
		return err
	}
	b.Items = slices.DeleteFunc(b.Items, func(it filename.Item) bool {
		base := string(it.Name[bytes.LastIndexByte(it.Name, '/')+1:])
		return it.Err == nil && !slices.ContainsFunc(m.globs, func(glob string) bool {
			ok, _ := path.Match(glob, base) // ignore the error, because Check has rejected invalid globs
			return ok
		})
	})
	return nil
}

// readKnown reads the file that --known names, which must be the output of blockhash --full --hash
// xxh3-128.
func (g *filesOptions) readKnown(e *tool.Env) (*filegroup.Catalog, error) {
	k, whole := &filegroup.Catalog{}, filegroup.Whole(files.Refuse)
	scheme := whole.Scheme()
	rd, err := record.NewReader(e.Input([]string{g.known}), record.Options{Lines: true})
	if err != nil {
		return nil, err
	}
	return k, tool.EachRecord(e, rd, func(rec *record.Record) error {
		var h line.FileHash
		err := h.Parse(rec.Raw)
		if err == nil {
			var sum digest.Sum
			if sum, err = digest.Parse(h.Hash); err == nil && h.Name != nil && (len(h.Scheme) == 0 || string(h.Scheme) == scheme) {
				k.Add(sum, h.Size, h.Name)
				return nil
			}
			err = msg.WithHint(errors.New("want a hash of all bytes by xxh3-128, a size and a name"), "to write the list, run blockhash --full --hash xxh3-128")
		}
		return &record.SyntaxError{Name: g.known, Line: rec.Line, Err: err}
	})
}
