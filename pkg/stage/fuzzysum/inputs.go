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

// A message is a text to be summed: a file, standard input, or a message of an mbox.
type message struct {
	id   []byte // name of the file, or Message-ID; nil for none
	from origin
	text []byte // the message itself, if its origin is inMemory
}

// An origin says where the text of a message comes from.
type origin byte

const (
	inMemory origin = iota // in message.text
	stdin                  // standard input
	operand                // a file of any kind, named by an operand
	listed                 // a regular file named by a list; opening others, such as FIFOs, might block
)

// newSource returns a function that returns the next message, or io.EOF after the last one.
func (o *Options) newSource(e *tool.Env, names []string) (next func() (message, error), err error) {
	switch {
	case o.Files:
		list, err := e.FileNames(&tool.Files{}, nil)
		var batch filename.Batch
		return func() (message, error) {
			// Read one name at a time, because the program that writes the list may be slow.
			if err := list.Next(&batch, 1); err != nil {
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
	in    *record.Stream   // the open mbox; nil if none is open
	mbox  *mail.MboxReader // reads the messages of the open mbox
}

// next returns the next message. With -k, it reports an mbox that cannot be read and continues with
// the next mbox.
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

// read returns the next message of the open mbox. If no mbox is open, it opens the next one. After
// an error, including io.EOF, no mbox is open.
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

// groupSize is the number of bytes of messages in a group. Each message counts as at least 1/128 of
// a group, and a file as exactly 1/128, because its size is not known.
const groupSize = 1 << 16

// groupMessages returns a function that returns the next group of messages. Without groups, waking
// a worker for each short message takes so long that two workers are slower than one. If next
// fails, the function first returns the messages before the error; its following call returns the
// error.
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
