package tool

import (
	"bufio"
	"slices"

	"doppel/pkg/line/seal"
	"doppel/pkg/record/dataform"
)

// A sealing is the seal of an output, which is written when all lines are: until then a draft
// is in its place. Where the output is compressed, the seal is a member or frame of its own
// that is not compressed, so that its length does not change.
type sealing struct {
	*seal.Writer
	packing dataform.Packing
}

// Seal seals the lines of the main output, before any is written, if it is a named file. What
// is written through, to a pipe or a device, has no seal.
func (e *Env) Seal(f seal.Form) error { return e.outputs.all[0].sealLines(f) }

// CreateSealed is Create of a file of sealed lines.
func (e *Env) CreateSealed(f seal.Form, name string) (*bufio.Writer, error) {
	return e.CreateSealedAmong(f, 1, name)
}

// CreateSealedAmong is CreateAmong of files of sealed lines.
func (e *Env) CreateSealedAmong(f seal.Form, n int, name string) (*bufio.Writer, error) {
	w, err := e.CreateAmong(n, name)
	if err != nil {
		return nil, err
	}
	all := e.outputs.all
	i := slices.IndexFunc(all, func(o *output) bool { return o.w == w })
	return w, all[i].sealLines(f)
}

// sealLines seals an output to which nothing was written.
func (o *output) sealLines(f seal.Form) error {
	if o.file == nil || o.file.beside == "" || o.seal != nil {
		return nil
	}
	draft, err := o.packing.Stored(f.Draft())
	if err == nil {
		_, err = o.raw.Write(draft)
	}
	o.seal = &sealing{seal.NewWriter(o.pack, f), o.packing}
	o.w.Reset(o.seal)
	return err
}

// finish puts the seal in its place.
func (s *sealing) finish(file *atomicFile) error {
	text, err := s.Seal()
	if err == nil {
		text, err = s.packing.Stored(text)
	}
	if err == nil {
		_, err = file.WriteAt(text, 0)
	}
	return err
}
