package fuzzysum

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"doppel/pkg/mail"
	"doppel/pkg/tool"
)

// A message is one input: its bytes, or what opens it.
type message struct {
	id    []byte // empty: it has none
	bytes []byte
	open  func() (io.ReadCloser, error)
}

// A source returns the next message, or io.EOF.
type source func() (message, error)

// named returns the files of these names.
func named(e *tool.Env, names []string) source {
	return func() (message, error) {
		if len(names) == 0 {
			return message{}, io.EOF
		}
		name := names[0]
		names = names[1:]
		return message{id: []byte(name), open: func() (io.ReadCloser, error) {
			if name == "-" {
				return io.NopCloser(e.Stdin), nil
			}
			return os.Open(name)
		}}, nil
	}
}

// listed returns the files that standard input names.
func listed(e *tool.Env) source {
	in := bufio.NewReader(e.Stdin)
	return func() (message, error) {
		name, err := in.ReadBytes(e.Terminator())
		if len(name) == 0 || err != nil && err != io.EOF {
			return message{}, err
		}
		name = bytes.TrimSuffix(name, []byte{e.Terminator()})
		return message{id: name, open: func() (io.ReadCloser, error) { return openRegular(string(name)) }}, nil
	}
}

// openRegular refuses what is no regular file: a list made by a program may
// have a FIFO in it, and to open that can take for ever.
func openRegular(name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	return os.Open(name)
}

// mboxes returns the messages of these mboxes. Under -k one that cannot be read
// is reported, and the next one follows.
func mboxes(e *tool.Env, names []string) source {
	if len(names) == 0 {
		names = []string{"-"}
	}
	next := source(func() (message, error) { return message{}, io.EOF })
	return func() (message, error) {
		for {
			m, err := next()
			if err == nil || err != io.EOF && e.Skip(err) != nil {
				return m, err
			}
			if len(names) == 0 {
				return m, io.EOF
			}
			next = mbox(e, names[0])
			names = names[1:]
		}
	}
}

// mbox returns the messages of one mbox.
func mbox(e *tool.Env, name string) source {
	in, err := e.Open(name)
	if err != nil {
		return func() (message, error) { return message{}, err }
	}
	messages := mail.NewMboxReader(in)
	return func() (message, error) {
		text, err := messages.Next()
		if err != nil {
			in.Close()
		}
		if err == mail.ErrNotMbox {
			err = fmt.Errorf("%s: %w", in.Name, err)
		}
		header, _ := mail.Split(text)
		return message{id: header.Get("Message-ID"), bytes: text}, err
	}
}

// grouped returns messages in groups, so that a thread is not woken for each
// short one: with a group of one, two threads were slower than one.
func grouped(next source) func() ([]message, error) {
	var failed error
	return func() ([]message, error) {
		var group []message
		for size := 0; size < groupSize && failed == nil; {
			m, err := next()
			if failed = err; err == nil {
				group = append(group, m)
				size += max(len(m.bytes), groupSize/128)
			}
		}
		if len(group) > 0 {
			return group, nil
		}
		return nil, failed
	}
}

// groupSize is how many bytes of messages make a group. Small messages, and
// files, count for a 128th of it.
const groupSize = 1 << 16
