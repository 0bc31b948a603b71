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

// A message is one input.
type message struct {
	id   []byte // the name of a file, or a Message-ID; nil: none
	from origin
	text []byte // if from is inMemory
}

// An origin says where the text of a message is.
type origin byte

const (
	inMemory origin = iota
	stdin
	operand // a file of any kind that the user names
	listed  // a file of a list; it may be a FIFO, and opening a FIFO can block for ever
)

// newSource returns a function that returns the next message, and io.EOF after the last.
func (o *Options) newSource(e *tool.Env, names []string) (next func() (message, error), err error) {
	switch {
	case o.Files:
		list, err := e.FileNames(&tool.Files{}, nil)
		var batch filename.Batch
		return func() (message, error) {
			if err := list.Next(&batch, 1); err != nil { // one by one: a slow program may write the list
				return message{}, err
			}
			return message{id: bytes.Clone(batch.Items[0].Name), from: listed}, nil
		}, err
	case o.Mbox && len(names) == 0:
		names = []string{"-"}
	}
	if o.Mbox {
		return (&mboxes{e: e, names: names}).next, nil
	}
	return func() (message, error) {
		if len(names) == 0 {
			return message{}, io.EOF
		}
		name := names[0]
		names = names[1:]
		if name == "-" {
			return message{from: stdin}, nil
		}
		return message{id: []byte(name), from: operand}, nil
	}, nil
}

// mboxes reads the messages of some mboxes.
type mboxes struct {
	e     *tool.Env
	names []string
	in    *record.Stream   // nil: none is open
	mbox  *mail.MboxReader // reads in
}

// next returns the next message. Under -k it reports an unreadable mbox and continues with the
// next one.
func (m *mboxes) next() (message, error) {
	for m.in != nil || len(m.names) > 0 {
		text, err := m.read()
		if err == nil {
			header, _ := mail.Split(text)
			return message{id: header.Get("Message-ID"), text: text}, nil
		}
		if err != io.EOF && m.e.Skip(err) != nil {
			return message{}, err
		}
	}
	return message{}, io.EOF
}

// read returns the next message of the open mbox, or of the next one. An error ends the
// mbox.
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

// groupSize is the number of bytes of messages in a group. Small messages, and files, count
// as a 128th of it.
const groupSize = 1 << 16

// groupMessages groups messages, so that a thread is not woken for each short one: with groups
// of one, two threads were slower than one. An error is returned after the messages that precede
// it.
func groupMessages(next func() (message, error)) func() ([]message, error) {
	var err error
	return func() (group []message, _ error) {
		for size := 0; size < groupSize && err == nil; {
			var m message
			if m, err = next(); err == nil {
				group = append(group, m)
				size += max(len(m.text), groupSize/128)
			}
		}
		if len(group) > 0 {
			return group, nil
		}
		return nil, err
	}
}
