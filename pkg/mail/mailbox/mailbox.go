// Package mailbox reads the messages of mboxes and Maildirs, and takes some of them
// out. A stream, such as a pipe or a compressed mbox, can only be read.
//
// Of a Maildir a message is a file in cur or new, and is taken out by rename: into
// another Maildir, or aside and then away. An mbox is written anew beside its place
// without the messages, brought to disk, and renamed, so that a process which is killed
// leaves the old one or the new one, whole. Where messages are put into a Maildir, they
// are on disk there before.
//
// Meanwhile an mbox is locked as procmail locks it: by NAME.lock, which must not be
// there, and by fcntl and flock on the file. Nothing waits: a box that is locked, or
// that has changed since its messages were read, is left alone, and that is the error.
// A program that does not look for NAME.lock, had the file open before and waits for
// the lock, writes into the old file.
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

// A Message is one of a box. Its memory stays.
type Message struct {
	Name []byte // of its file, or the box and its number from 0, with a colon between
	Text []byte
}

// Messages are those of a Box or of a Stream.
type Messages interface {
	// Each calls fn with each message.
	Each(fn func(Message) error) error
}

// A Box is an mbox or a Maildir.
type Box interface {
	Messages
	// Take takes out those messages, by their numbers from 0 in the order of Each, after
	// it has put them into a Maildir, if it is given one. It returns how many were taken,
	// and what was wrong with others.
	Take(out map[int]bool, into *Maildir) (taken int, errs []error)
}

// Errors of boxes.
var (
	errLocked = errors.New("is locked by another program")
	errNoBox  = errors.New("neither an mbox nor a Maildir")
)

// Open returns the box of a name.
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
	Name string                        // messages are named after it
	Open func() (io.ReadCloser, error) // its errors, and those of the reader, have the name
}

func (s *Stream) Each(fn func(Message) error) error {
	in, err := s.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	return eachMessage(s.Name, in, named(s.Name, fn))
}

// An mbox is a file of messages.
type mbox struct {
	name string
	read files.Info                  // as it was when its messages were read
	hook func(written, place string) // of tests: before the rename
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

// A namedFile is a file whose errors have its name.
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

// named returns a function that calls fn with a message named after its box and number.
func named(box string, fn func(Message) error) func(int, []byte) error {
	return func(i int, text []byte) error {
		return fn(Message{strconv.AppendInt(append([]byte(box), ':'), int64(i), 10), text})
	}
}

// eachMessage calls fn with the messages of an mbox, and their numbers. The errors of r
// have the name of the mbox.
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
