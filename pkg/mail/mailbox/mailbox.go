// Package mailbox reads messages from mboxes and Maildirs, and removes selected messages. A stream,
// such as a pipe or a compressed mbox, can only be read.
//
// In a Maildir, a message is a file in cur or new. It is removed by renaming it into another
// Maildir, or by renaming it to a temporary name and then unlinking it. An mbox is rewritten: the
// other messages are copied to a new file in the same directory. This file is synced and then
// renamed, so a killed process leaves a complete mbox, either the old or the new one. Messages
// moved to a Maildir are on disk there before the mbox is replaced.
//
// While an mbox is rewritten, it is locked by the same means as in procmail: a file NAME.lock,
// which must not exist yet, and fcntl and flock on the mbox. No call waits for a lock: a box that
// is locked, or has changed since its messages were read, is left unchanged, and an error is
// returned. If a program ignores NAME.lock and already waits for a lock on the mbox, it will write
// to the old file, and its message is lost.
package mailbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"doppel/pkg/files"
	"doppel/pkg/mail"
)

// A Message is a message from a Box or a Stream. It may be retained.
type Message struct {
	Name []byte // file name of the message in a Maildir; in an mbox, BOX:NUMBER, where messages are numbered from 0
	Text []byte
}

// Messages is a source of messages: a Box or a Stream.
type Messages interface {
	// Each calls fn for each message in order. If fn returns an error, Each stops and returns that
	// error.
	Each(fn func(Message) error) error
}

// A Box is an mbox or a Maildir.
type Box interface {
	Messages
	// Take removes the messages with the given numbers, or moves them to a Maildir if one is given.
	// The method Each must be called before Take. Messages are numbered from 0 in the order in
	// which Each passes them to fn. Take returns the number of messages removed or moved, and the
	// errors that occurred.
	Take(out map[int]bool, into *Maildir) (taken int, errs []error)
}

// Errors for boxes that are left unchanged or cannot be opened.
var (
	errLocked = errors.New("is locked by another program")
	errNoBox  = errors.New("neither an mbox nor a Maildir")
)

// Open returns the box with the given name: an mbox if it is a regular file, or a Maildir if it is
// a directory with the subdirectories cur, new and tmp. Open does not read messages.
func Open(name string) (Box, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		return &mbox{name: name}, nil
	}
	for _, sub := range maildirs {
		if info, err := os.Stat(filepath.Join(name, sub)); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s: %w", name, errNoBox)
		}
	}
	return &Maildir{dir: name}, nil
}

// A Stream is an mbox that can only be read, such as a pipe or a compressed file.
type Stream struct {
	Name string                        // prefix of the messages' names
	Open func() (io.ReadCloser, error) // errors from Open and from the reader must include Name
}

func (s *Stream) Each(fn func(Message) error) error {
	in, err := s.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	return eachMessage(s.Name, in, named(s.Name, fn))
}

type mbox struct {
	name string
	read files.Info                  // status of the file when its messages were read
	hook func(written, place string) // set by tests; called before the rename
}

func (b *mbox) Each(fn func(Message) error) error {
	f, err := files.Open([]byte(b.name), files.Follow)
	if err != nil {
		return err
	}
	defer f.Close()
	b.read = f.Info
	return eachMessage(b.name, namedFile{&f, b.name}, named(b.name, fn))
}

// A namedFile is a file whose read errors include its name.
type namedFile struct {
	*files.File
	name string
}

func (f namedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if err != nil && err != io.EOF {
		err = &files.Error{Name: f.name, Err: err}
	}
	return n, err
}

// named returns an argument for eachMessage that passes each message to fn with the name
// BOX:NUMBER.
func named(box string, fn func(Message) error) func(int, []byte) error {
	return func(i int, text []byte) error {
		return fn(Message{strconv.AppendInt(append([]byte(box), ':'), int64(i), 10), text})
	}
}

// eachMessage calls fn with the number and text of each message of an mbox. Errors from r must
// include the name of the mbox.
func eachMessage(name string, r io.Reader, fn func(int, []byte) error) error {
	messages := mail.NewMboxReader(r)
	for i := 0; ; i++ {
		text, err := messages.Next()
		if err == io.EOF {
			return nil
		}
		if err == mail.ErrNotMbox {
			err = &files.Error{Name: name, Err: err}
		}
		if err != nil {
			return err
		}
		if err := fn(i, text); err != nil {
			return err
		}
	}
}
