package fuzzysum

import (
	"io"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/par"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// A summer writes the sums of messages.
type summer struct {
	env     *tool.Env
	options fuzzysum.Options // checked
	read    reading
}

// one writes the sum of standard input, without a name.
func (s *summer) one() error {
	h, err := fuzzysum.NewHasher(s.options)
	if err != nil {
		return err
	}
	in := message{open: func() (io.ReadCloser, error) { return io.NopCloser(s.env.Stdin), nil }}
	if err := s.feed(h, in); err != nil {
		return err
	}
	r := h.Result()
	if s.env.JSON {
		_, err = s.env.Out.Write(s.line(nil, in, r))
		return err
	}
	s.env.Out.WriteString(r.Sum.String())
	return s.env.Out.WriteByte(s.env.Terminator())
}

// A summed is what became of some messages.
type summed struct {
	lines []byte
	errs  []error // under -k any number, else one that comes after the lines
}

// each writes the sum of each message and its name, in the order of the source.
func (s *summer) each(next source) error {
	newWork := func() func([]message) summed {
		h, err := fuzzysum.NewHasher(s.options)
		if err != nil {
			return func([]message) summed { return summed{errs: []error{err}} }
		}
		return func(group []message) summed { return s.sum(h, group) }
	}
	return par.Ordered(s.env.Jobs, grouped(next), newWork, func(r summed) error {
		if _, err := s.env.Out.Write(r.lines); err != nil {
			return err
		}
		for _, err := range r.errs {
			if err := s.env.Skip(err); err != nil {
				return err
			}
		}
		return nil
	})
}

// sum sums a group of messages, up to the first error unless -k is given.
func (s *summer) sum(h *fuzzysum.Hasher, group []message) (r summed) {
	for _, m := range group {
		h.Reset()
		err := s.feed(h, m)
		switch {
		case err == nil:
			r.lines = s.line(r.lines, m, h.Result())
			continue
		case s.env.KeepGoing:
			r.errs = append(r.errs, err)
			continue
		}
		r.errs = []error{err}
		return r
	}
	return r
}

// feed hashes what is to be summed of a message.
func (s *summer) feed(h *fuzzysum.Hasher, m message) error {
	if m.open == nil {
		s.read(h, m.bytes)
		return nil
	}
	in, err := m.open()
	if err != nil {
		return err
	}
	defer in.Close()
	if s.read == nil {
		_, err = io.Copy(h, in)
		return err
	}
	text, err := io.ReadAll(in)
	s.read(h, text)
	return err
}

// line appends the columns of a message.
func (s *summer) line(dst []byte, m message, r fuzzysum.Result) []byte {
	enc := tsv.Encoder{Stream: tsv.Sums, JSON: s.env.JSON, Null: s.env.Null}
	enc.Begin(dst)
	enc.Word(r.Sum.String())
	if len(m.id) > 0 {
		enc.Bytes(m.id)
	} else {
		enc.None()
	}
	if s.env.JSON {
		enc.Word(r.Kind.String())
		enc.Int(int64(r.Words))
	}
	return enc.End()
}
