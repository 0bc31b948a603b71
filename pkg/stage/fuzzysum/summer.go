package fuzzysum

import (
	"errors"
	"io"
	"os"

	"doppel/pkg/files"
	"doppel/pkg/fuzzysum"
	"doppel/pkg/line"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// A summer writes the sums of messages.
type summer struct {
	env     *tool.Env
	options fuzzysum.Options // options, which Run has checked
	extract extractor        // nil if messages are summed unchanged
	format  line.Format
}

// sumStdin writes the sum of standard input, without a name.
func (s *summer) sumStdin() error {
	h, err := fuzzysum.NewHasher(s.options)
	if err != nil {
		return err
	}
	in := message{from: stdin}
	if err := s.hashMessage(h, in); err != nil {
		return err
	}
	r := h.Result()
	if s.format.JSON {
		_, err = s.env.Out.Write(s.appendLine(nil, in, r))
		return err
	}
	sum := unnamedSum(r.Sum.String())
	if err := lineio.Header(s.env, sum); err != nil {
		return err
	}
	_, err = s.env.Out.Write(sum.Append(nil, s.format))
	return err
}

// An unnamedSum is the row of a message without a name. The sum is its only column.
type unnamedSum []byte

// Append appends the row to dst.
func (sum unnamedSum) Append(dst []byte, f line.Format) []byte {
	w := f.Begin(dst)
	w.Bytes("sum", sum)
	return w.End()
}

// A result holds the lines and the errors of a group of messages.
type result struct {
	lines []byte
	errs  []error // without -k, at most one: the error that ended the group
}

// sumEach writes the sum and the name of each message, in input order.
func (s *summer) sumEach(next func() (message, error)) error {
	newWork := func() func([]message) result {
		h, err := fuzzysum.NewHasher(s.options)
		if err != nil {
			return func([]message) result { return result{errs: []error{err}} }
		}
		return func(group []message) result { return s.sumGroup(h, group) }
	}
	return par.Ordered(s.env.Jobs, groupMessages(next), newWork, func(r result) error {
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

// sumGroup sums a group of messages, up to the first error unless -k is given.
func (s *summer) sumGroup(h *fuzzysum.Hasher, group []message) (r result) {
	for _, m := range group {
		h.Reset()
		err := s.hashMessage(h, m)
		if err == nil {
			r.lines = s.appendLine(r.lines, m, h.Result())
			continue
		}
		if m.from == listed && errors.Is(err, files.ErrDirectory) {
			continue // skip directories; find(1) lists them as well as files
		}
		r.errs = append(r.errs, err)
		if !s.env.KeepGoing {
			break
		}
	}
	return r
}

// hashMessage writes to h the bytes of a message that are to be summed.
func (s *summer) hashMessage(h *fuzzysum.Hasher, m message) error {
	in := s.env.Stdin
	switch {
	case m.from == inMemory:
		s.extract(h, m.text) // extract is not nil for messages of an mbox
		return nil
	case m.from == listed && s.extract != nil:
		text, err := files.Append(nil, m.id, files.Follow)
		if err == nil {
			s.extract(h, text)
		}
		return err
	case m.from == listed:
		f, err := files.Open(m.id, files.Follow)
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := io.Copy(h, &f); err != nil {
			return &files.Error{Name: string(m.id), Err: err}
		}
		return nil
	case m.from == operand:
		f, err := os.Open(string(m.id))
		if err != nil {
			return err
		}
		defer f.Close()
		in = record.Whole(f)
	}
	if s.extract == nil {
		_, err := io.Copy(h, in)
		return err
	}
	text, err := io.ReadAll(in)
	if err == nil {
		s.extract(h, text)
	}
	return err
}

// appendLine appends the line of a message.
func (s *summer) appendLine(dst []byte, m message, r fuzzysum.Result) []byte {
	l := line.Sum{Sum: []byte(r.Sum.String()), Words: int64(r.Words)}
	if len(m.id) > 0 {
		l.ID = m.id
	}
	if s.format.JSON {
		l.Kind = []byte(r.Kind.String())
	}
	return l.Append(dst, s.format)
}
