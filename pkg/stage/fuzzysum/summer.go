package fuzzysum

import (
	"bytes"
	"errors"
	"io"
	"os"

	"doppel/pkg/files"
	"doppel/pkg/fuzzysum"
	"doppel/pkg/line"
	"doppel/pkg/mail"
	"doppel/pkg/mail/mailsum"
	"doppel/pkg/output"
	"doppel/pkg/par"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/text/wide"
	"doppel/pkg/tool"
)

// A summer writes the sums of messages.
type summer struct {
	env     *tool.Env
	written output.Written                    // files that must not be read
	options mailsum.Options                   // options, which Run has checked
	mime    bool                              // sum messages with package mailsum
	extract func(w io.Writer, message []byte) // writes the bytes to be summed; nil if messages are summed unchanged
	scheme  string                            // prefix of the sums, or ""
	format  line.Format
}

// A hasher sums messages, in one of two ways.
type hasher struct {
	plain *fuzzysum.Hasher
	mail  *mailsum.Summer
}

func (s *summer) newHasher() (h hasher, err error) {
	if s.mime {
		h.mail, err = mailsum.New(s.options)
	} else {
		h.plain, err = fuzzysum.NewHasher(s.options.Options)
	}
	return h, err
}

// sumStdin writes the sum of standard input, without a name.
func (s *summer) sumStdin() error {
	h, err := s.newHasher()
	if err != nil {
		return err
	}
	in := message{from: stdin}
	r, err := s.sum(h, in)
	if err != nil {
		return err
	}
	if s.format.JSON {
		_, err = s.env.Out.Write(s.appendLine(nil, in, r))
		return err
	}
	sum := unnamedSum(s.scheme + r.Sum.String())
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
		h, err := s.newHasher()
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
func (s *summer) sumGroup(h hasher, group []message) (r result) {
	for _, m := range group {
		sum, err := s.sum(h, m)
		if err == nil {
			r.lines = s.appendLine(r.lines, m, sum)
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

// sum returns the sum of a message.
func (s *summer) sum(h hasher, m message) (r fuzzysum.Result, err error) {
	if s.mime || s.extract != nil {
		text := m.text
		if m.from != inMemory {
			text, err = s.readAll(m)
		}
		switch {
		case err != nil:
			return r, err
		case s.mime:
			return h.mail.Sum(mail.Read(text)), nil
		}
		h.plain.Reset()
		s.extract(h.plain, text)
		return h.plain.Result(), nil
	}
	in, closeInput, err := s.open(m)
	if err != nil {
		return r, err
	}
	defer closeInput()
	h.plain.Reset()
	if in, err = asUTF8(in); err == nil {
		_, err = io.Copy(h.plain, in)
	}
	if err != nil {
		if m.from == listed {
			err = &files.Error{Name: string(m.id), Err: err}
		}
		return r, err
	}
	return h.plain.Result(), nil
}

// readAll returns the text of a message that is not in memory.
func (s *summer) readAll(m message) ([]byte, error) {
	if m.from == listed {
		return files.AppendText(nil, m.id, files.Follow, s.written.CheckFile)
	}
	in, closeInput, err := s.open(m)
	if err != nil {
		return nil, err
	}
	defer closeInput()
	if in, err = asUTF8(in); err != nil {
		return nil, err
	}
	return io.ReadAll(in)
}

// asUTF8 returns a reader that converts a text in UTF-16, as defined by [wide.Parse], to UTF-8. Such
// a text is held in memory.
func asUTF8(in io.Reader) (io.Reader, error) {
	var mark [wide.MarkSize]byte
	n, err := io.ReadFull(in, mark[:])
	in = io.MultiReader(bytes.NewReader(mark[:n]), in)
	if err != nil || !wide.HasMark(mark[:]) {
		return in, nil // a later Read returns the error
	}
	all, err := io.ReadAll(in)
	return bytes.NewReader(wide.ToUTF8(all)), err
}

// open opens a message that is not in memory.
func (s *summer) open(m message) (io.Reader, func(), error) {
	switch m.from {
	case listed:
		f, err := files.Open(m.id, files.Follow)
		if err == nil {
			if err = s.written.CheckFile(&f.Info); err != nil {
				f.Close()
			}
		}
		return &f, f.Close, err
	case operand:
		f, err := os.Open(string(m.id))
		if err != nil {
			return nil, nil, err
		}
		return files.Whole(f), func() { f.Close() }, nil
	}
	return s.env.Stdin, func() {}, nil
}

// appendLine appends the line of a message.
func (s *summer) appendLine(dst []byte, m message, r fuzzysum.Result) []byte {
	l := line.Sum{Sum: []byte(s.scheme + r.Sum.String()), Words: int64(r.Words)}
	if len(m.id) > 0 {
		l.ID = m.id
	}
	if s.format.JSON {
		l.Kind = []byte(r.Kind.String())
	}
	return l.Append(dst, s.format)
}
