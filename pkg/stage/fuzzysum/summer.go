package fuzzysum

import (
	"doppel/pkg/fuzzysum"
	"doppel/pkg/line"
	"doppel/pkg/par"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// A summer writes the sums of messages.
type summer struct {
	env     *tool.Env
	options fuzzysum.Options // checked
	extract extractor        // nil: messages are summed as they stand
	format  line.Format
}

// one writes the sum of standard input, without a name.
func (s *summer) one() error {
	h, err := fuzzysum.NewHasher(s.options)
	if err != nil {
		return err
	}
	in := message{content: stream{s.env.Stdin}}
	if err := s.feed(h, in); err != nil {
		return err
	}
	r := h.Result()
	if s.format.JSON {
		_, err = s.env.Out.Write(s.line(nil, in, r))
		return err
	}
	sum := only(r.Sum.String())
	if err := lines.Header(s.env, sum); err != nil {
		return err
	}
	_, err = s.env.Out.Write(sum.Append(nil, s.format))
	return err
}

// A sum only, of a message without a name.
type only []byte

// Append appends the line to dst.
func (sum only) Append(dst []byte, f line.Format) []byte {
	w := f.Begin(dst)
	w.Bytes("sum", sum)
	return w.End()
}

// A result is what became of some messages.
type result struct {
	lines []byte
	errs  []error // under -k any number, else one that comes after the lines
}

// each writes the sum of each message and its name, in the order of the source.
func (s *summer) each(from source) error {
	newWork := func() func([]message) result {
		h, err := fuzzysum.NewHasher(s.options)
		if err != nil {
			return func([]message) result { return result{errs: []error{err}} }
		}
		return func(group []message) result { return s.sum(h, group) }
	}
	all := groups{source: from}
	return par.Ordered(s.env.Jobs, all.next, newWork, s.write)
}

// write writes the lines, and tells of the errors.
func (s *summer) write(r result) error {
	if _, err := s.env.Out.Write(r.lines); err != nil {
		return err
	}
	for _, err := range r.errs {
		if err := s.env.Skip(err); err != nil {
			return err
		}
	}
	return nil
}

// sum sums a group of messages, up to the first error unless -k is given.
func (s *summer) sum(h *fuzzysum.Hasher, group []message) (r result) {
	for _, m := range group {
		h.Reset()
		err := s.feed(h, m)
		if err == nil {
			r.lines = s.line(r.lines, m, h.Result())
			continue
		}
		r.errs = append(r.errs, err)
		if !s.env.KeepGoing {
			break
		}
	}
	return r
}

// feed hashes what is to be summed of a message.
func (s *summer) feed(h *fuzzysum.Hasher, m message) error {
	if s.extract == nil {
		return m.copyTo(h)
	}
	text, err := m.text()
	if err == nil {
		s.extract(h, text)
	}
	return err
}

// line appends the line of a message.
func (s *summer) line(dst []byte, m message, r fuzzysum.Result) []byte {
	l := line.Sum{Sum: []byte(r.Sum.String()), Words: int64(r.Words)}
	if len(m.id) > 0 {
		l.ID = m.id
	}
	if s.format.JSON {
		l.Kind = []byte(r.Kind.String())
	}
	return l.Append(dst, s.format)
}
