package fuzzysum

import (
	"bytes"
	"fmt"
	"io"

	"doppel/pkg/files/filename"
	"doppel/pkg/mail"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A source gives messages.
type source interface {
	// next returns the next one, or io.EOF.
	next() (message, error)
}

// source returns the messages, of several or with their names.
func (o *Options) source(e *tool.Env, names []string) (source, error) {
	switch {
	case o.Files:
		names, err := e.FileNames(&tool.Files{}, nil)
		return &fileList{names: names}, err
	case o.Mbox && len(names) == 0:
		names = []string{"-"}
	}
	if o.Mbox {
		return &mboxes{e: e, names: names}, nil
	}
	return &operands{e.Stdin, names}, nil
}

// operands are the files of these names.
type operands struct {
	stdin io.Reader
	names []string
}

func (o *operands) next() (message, error) {
	if len(o.names) == 0 {
		return message{}, io.EOF
	}
	name := o.names[0]
	o.names = o.names[1:]
	if name == "-" {
		return message{nil, stream{o.stdin}}, nil
	}
	return message{[]byte(name), operand(name)}, nil
}

// A fileList is the files that standard input names.
type fileList struct {
	names filename.Source
	batch filename.Batch
}

// next takes the names one by one: they may come as slowly.
func (l *fileList) next() (message, error) {
	if err := l.names.Next(&l.batch, 1); err != nil {
		return message{}, err
	}
	name := bytes.Clone(l.batch.Items[0].Name)
	return message{name, file(name)}, nil
}

// mboxes are the messages of these mboxes.
type mboxes struct {
	e     *tool.Env
	names []string
	in    *record.Stream   // nil: none is open
	mbox  *mail.MboxReader // of it
}

// next returns the next message. Under -k an mbox that cannot be read is
// reported, and the next one follows.
func (m *mboxes) next() (message, error) {
	for m.in != nil || len(m.names) > 0 {
		text, err := m.read()
		if err == nil {
			header, _ := mail.Split(text)
			return message{header.Get("Message-ID"), buffer(text)}, nil
		}
		if err != io.EOF && m.e.Skip(err) != nil {
			return message{}, err
		}
	}
	return message{}, io.EOF
}

// read returns the next message of the mbox that is open, or of the next one. An
// error ends the mbox.
func (m *mboxes) read() (text []byte, err error) {
	if m.in == nil {
		name := m.names[0]
		m.names = m.names[1:]
		if m.in, err = m.e.Open(name); err != nil {
			m.in = nil
			return nil, err
		}
		m.mbox = mail.NewMboxReader(m.in)
	}
	if text, err = m.mbox.Next(); err == nil {
		return text, nil
	}
	if err == mail.ErrNotMbox {
		err = fmt.Errorf("%s: %w", m.in.Name, err)
	}
	m.in.Close()
	m.in = nil
	return nil, err
}

// groups puts messages together, so that a thread is not woken for each short
// one: with groups of one, two threads were slower than one.
type groups struct {
	source
	err error
}

// groupSize is how many bytes of messages make a group. Small messages, and
// files, count for a 128th of it.
const groupSize = 1 << 16

// next returns some messages. An error comes after those before it.
func (g *groups) next() (group []message, err error) {
	for size := 0; size < groupSize && g.err == nil; {
		var m message
		if m, g.err = g.source.next(); g.err == nil {
			group = append(group, m)
			size += max(m.size(), groupSize/128)
		}
	}
	if len(group) > 0 {
		return group, nil
	}
	return nil, g.err
}
