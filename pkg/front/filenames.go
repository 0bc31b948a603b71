package front

import (
	"bytes"
	"errors"
	"path"

	"doppel/pkg/digest"
	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/line"
	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// source returns the names of files: those that are operands, or below them, or those
// of standard input.
func (g *filesOptions) source(e *tool.Env, operands []string) (filename.Source, error) {
	if len(operands) > 0 && !(len(operands) == 1 && operands[0] == "-") {
		return g.matching(files.NewWalk(operands, g.names.Links())), nil
	}
	source, err := e.FileNames(&g.names, operands)
	return g.matching(source), err
}

// matching returns the names of a source that --name asks for.
func (g *filesOptions) matching(s filename.Source) filename.Source {
	if len(g.globs) == 0 {
		return s
	}
	return &matches{s, g.globs}
}

// matches is the names of a source that match one of some globs.
type matches struct {
	filename.Source
	globs []string
}

// Next gives the next names. There may be none in a batch.
func (m *matches) Next(b *filename.Batch, n int) error {
	if err := m.Source.Next(b, n); err != nil {
		return err
	}
	kept := b.Items[:0]
	for _, it := range b.Items {
		if it.Err != nil || m.match(it.Name) {
			kept = append(kept, it)
		}
	}
	b.Items = kept
	return nil
}

func (m *matches) match(name []byte) bool {
	base := string(name[bytes.LastIndexByte(name, '/')+1:])
	for _, glob := range m.globs {
		if ok, _ := path.Match(glob, base); ok { // globs were checked
			return true
		}
	}
	return false
}

// findKnown hands the files that the list has to the lister.
func (g *filesOptions) findKnown(e *tool.Env, source filename.Source, o *filegroup.Options, l *lister) error {
	known, err := g.readKnown(e)
	if err != nil {
		return err
	}
	return known.Find(source, o, l.emit)
}

// readKnown reads the list.
func (g *filesOptions) readKnown(e *tool.Env) (*filegroup.Catalog, error) {
	k := &filegroup.Catalog{}
	rd, err := record.NewReader(e.Input([]string{g.known}), record.Options{Lines: true})
	if err != nil {
		return nil, err
	}
	return k, tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := learn(k, rec.Raw); err != nil {
			return &record.SyntaxError{Name: g.known, Line: rec.Line, Err: err}
		}
		return nil
	})
}

// learn adds what a line of blockhash says.
func learn(k *filegroup.Catalog, text []byte) error {
	var h line.FileHash
	if err := h.Parse(text); err != nil {
		return err
	}
	whole := filegroup.Whole(files.Refuse)
	sum, err := digest.Parse(h.Hash)
	if err != nil || h.Name == nil || len(h.Scheme) > 0 && string(h.Scheme) != whole.Scheme() {
		return wording.WithHint(errors.New("no hash of all bytes by xxh3-128, with the size and the name"), "blockhash --full --hash xxh3-128")
	}
	k.Add(sum, h.Size, h.Name)
	return nil
}
