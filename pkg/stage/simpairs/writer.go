package simpairs

import (
	"bytes"
	"unicode/utf8"

	"doppel/pkg/files"
	"doppel/pkg/line"
	"doppel/pkg/simhash"
	"doppel/pkg/tool"
)

// A writer writes pairs as lines.
type writer struct {
	e           *tool.Env
	in          *signatures
	longerFirst bool           // ids are names of files, and the longer text of a pair comes first
	lengths     map[uint32]int // lengths of texts in code points, by position of the signature
	format      line.Format
	buf         []byte
}

func (w *writer) write(p simhash.Pair) error {
	p, err := w.orient(p)
	if err != nil {
		return err
	}
	return w.writePair(p)
}

// writePair writes a pair without changing the order of its members.
func (w *writer) writePair(p simhash.Pair) error {
	w.buf = line.Distance{
		Pair:     line.Pair{A: w.id(p.A), B: w.id(p.B)},
		Score:    1 - float64(p.Distance)/float64(w.in.width),
		Distance: int64(p.Distance),
	}.Append(w.buf[:0], w.format)
	_, err := w.e.Out.Write(w.buf)
	return err
}

func (w *writer) id(i uint32) []byte { return w.in.ids.Append(nil, int(i)) }

// orient returns a pair in the order in which the Python script dedup.py writes it: the text with
// more code points first, or the smaller name first if the texts are equally long. Without --files
// it returns the pair unchanged.
func (w *writer) orient(p simhash.Pair) (simhash.Pair, error) {
	if !w.longerFirst {
		return p, nil
	}
	a, err := w.length(p.A)
	if err != nil {
		return p, err
	}
	b, err := w.length(p.B)
	if a < b || a == b && bytes.Compare(w.id(p.A), w.id(p.B)) > 0 {
		p.A, p.B = p.B, p.A
	}
	return p, err
}

// length returns the length of a file in code points. With -k, a file that cannot be read is
// reported and has the length 0.
func (w *writer) length(i uint32) (int, error) {
	if n, ok := w.lengths[i]; ok {
		return n, nil
	}
	text, err := files.AppendText(nil, w.id(i), files.Follow, nil)
	if err = w.e.Skip(err); err != nil {
		return 0, err
	}
	w.lengths[i] = utf8.RuneCount(text)
	return w.lengths[i], nil
}
