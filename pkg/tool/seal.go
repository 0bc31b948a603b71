package tool

import (
	"bufio"
	"slices"

	"doppel/pkg/line/seal"
	"doppel/pkg/record/dataform"
)

// A sealing seals the lines of an output. The seal is written after all lines; until then a
// draft takes its place. In compressed output the seal is an uncompressed member or frame, so
// that its length does not change.
type sealing struct {
	*seal.Writer
	packing dataform.Packing
}

// Seal seals the lines of the main output if it is a named file; it is called before any
// line is written. Output to a pipe or a device has no seal.
func (e *Env) Seal(f seal.Form) error { return e.outputs.all[0].sealLines(f) }

// CreateSealed is Create for a file of sealed lines.
func (e *Env) CreateSealed(f seal.Form, name string) (*bufio.Writer, error) {
	w, err := e.Create(name)
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

// finish writes the seal over its draft.
func (s *sealing) finish(file *atomicFile) error {
	text, err := s.stored()
	if err == nil {
		_, err = file.WriteAt(text, 0)
	}
	return err
}

// stored returns the seal as it is in the file.
func (s *sealing) stored() ([]byte, error) {
	text, err := s.Seal()
	if err != nil {
		return nil, err
	}
	return s.packing.Stored(text)
}
