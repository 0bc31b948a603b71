// Package mailbox reads the messages of mboxes and Maildirs, and removes some of them. A
// stream, such as a pipe or a compressed mbox, can only be read.
//
// In a Maildir a message is a file in cur or new. It is removed by renaming it into another
// Maildir, or to a temporary name before unlinking it. An mbox is rewritten: the other
// messages are copied to a file in the same directory, which is synced and renamed, so a
// killed process leaves either the old or the new mbox, complete. Messages moved to a
// Maildir are on disk there before the mbox is replaced.
//
// Meanwhile an mbox is locked as procmail locks it: by NAME.lock, which must not exist, and
// by fcntl and flock on the file. No call waits for a lock: a box that is locked, or has
// changed since its messages were read, is left unchanged, and an error is returned. A
// program that ignores NAME.lock, opened the file earlier and waits for the lock will write
// into the old file.
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

// A Message is a message of a box. Its memory is not reused.
type Message struct {
	Name []byte // name of its file, or BOX:NUMBER with its number from 0
	Text []byte
}

// Messages gives access to the messages of a Box or a Stream.
type Messages interface {
	// Each calls fn with each message.
	Each(fn func(Message) error) error
}

// A Box is an mbox or a Maildir.
type Box interface {
	Messages
	// Take removes the messages with these numbers, counted from 0 in the order of Each,
	// after moving them to the Maildir into unless that is nil. It returns the number of
	// removed messages, and the errors of the others.
	Take(out map[int]bool, into *Maildir) (taken int, errs []error)
}

// Errors of boxes.
var (
	errLocked = errors.New("is locked by another program")
	errNoBox  = errors.New("neither an mbox nor a Maildir")
)

// Open returns the box with this name.
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
	Open func() (io.ReadCloser, error) // errors of Open and of the reader must include the name
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
	read files.Info                  // status when its messages were read
	hook func(written, place string) // called by tests before the rename
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

// A namedFile adds the name of the file to its read errors.
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

// eachMessage calls fn with the number and text of each message of an mbox. The errors of r
// must include the name of the mbox.
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
