package tool

import (
	"bufio"
	"slices"

	"doppel/pkg/line/seal"
	"doppel/pkg/record/dataform"
)

// A sealing computes the seal of an output's lines. The seal is at the start of the file, but is
// known only after all lines; until then, a draft of the same length reserves its space. In
// compressed output, the seal is a member or frame stored without compression, so that its length
// does not depend on its content.
type sealing struct {
	*seal.Writer
	packing dataform.Packing
}

// Seal adds a seal to the main output if the output is a named file. It must be called before any
// line is written. Output to a pipe or a device gets no seal.
func (e *Env) Seal(f seal.Form) error { return e.outputs.all[0].sealLines(f) }

// CreateSealed is like Create, and adds a seal to the file.
func (e *Env) CreateSealed(f seal.Form, name string) (*bufio.Writer, error) {
	w, err := e.Create(name)
	if err != nil {
		return nil, err
	}
	all := e.outputs.all
	i := slices.IndexFunc(all, func(o *output) bool { return o.w == w })
	return w, all[i].sealLines(f)
}

// sealLines adds a seal to an output to which nothing has been written. It does nothing for pipes
// and devices.
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

// finish overwrites the draft with the final seal.
func (s *sealing) finish(file *atomicFile) error {
	text, err := s.stored()
	if err == nil {
		_, err = file.WriteAt(text, 0)
	}
	return err
}

// stored returns the final seal as it is stored in the file. In a compressed file, this is a gzip
// member or a zstd frame that contains the seal.
func (s *sealing) stored() ([]byte, error) {
	text, err := s.Seal()
	if err != nil {
		return nil, err
	}
	return s.packing.Stored(text)
}
