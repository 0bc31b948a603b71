// Package mailbox reads the messages of mboxes and Maildirs, and takes some of them
// out.
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
	"bytes"
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

// A Box is an mbox or a Maildir.
type Box interface {
	// Each calls fn with each message.
	Each(fn func(Message) error) error
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
	switch {
	case err != nil:
		return nil, err
	case info.Mode().IsRegular():
		return &mbox{name: name}, nil
	case info.IsDir() && isMaildir(name):
		return &Maildir{dir: name}, nil
	}
	return nil, fmt.Errorf("%s: %w", name, errNoBox)
}

func isMaildir(name string) bool {
	for _, sub := range maildirs {
		if info, err := os.Stat(filepath.Join(name, sub)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
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
	return b.each(&f, func(i int, text []byte) error {
		name := append([]byte(b.name), ':')
		return fn(Message{strconv.AppendInt(name, int64(i), 10), text})
	})
}

// each calls fn with the messages of the open file, and their numbers.
func (b *mbox) each(f *files.File, fn func(int, []byte) error) error {
	r := mail.NewMboxReader(f)
	for i := 0; ; i++ {
		text, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &files.Error{Name: b.name, Err: err}
		}
		if err := fn(i, text); err != nil {
			return err
		}
	}
}

// body returns a message of an mbox without its envelope line, which a Maildir has not.
func body(text []byte) []byte {
	if bytes.HasPrefix(text, []byte("From ")) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text
}
