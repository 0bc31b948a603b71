// Package mailbox reads messages from mboxes, Maildirs, MH folders and directories of .eml files,
// and removes selected messages. A stream, such as a pipe or a compressed mbox, can only be read.
//
// In a folder, a message is a file. It is removed by renaming it into another Maildir, or by
// renaming it to a temporary name and then unlinking it. An mbox is rewritten: the other messages
// are copied to a new file in the same directory. This file is synced and then renamed, so a killed
// process leaves a complete mbox, either the old or the new one. Messages moved to a Maildir are on
// disk there before the mbox is replaced. An mbox with a line that may or may not start a message is
// never rewritten.
//
// While an mbox is rewritten, it is locked by the same means as in procmail: a file NAME.lock,
// which must not exist yet, and fcntl and flock on the mbox. No call waits for a lock: a box that
// is locked, or has changed since its messages were read, is left unchanged, and an error is
// returned. An mbox with several hard links is left unchanged, too, because the new file would have
// only one of the names. If a program ignores NAME.lock and already waits for a lock on the mbox, it will write
// to the old file, and its message is lost.
package mailbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"doppel/pkg/files"
	"doppel/pkg/mail"
)

// A Message is a message from a Box or a Stream. It may be retained.
type Message struct {
	Name  []byte // file name of the message; in an mbox, BOX:NUMBER, where messages are numbered from 0
	Text  []byte // without compression
	Flags Flags
}

// Messages is a source of messages: a Box or a Stream.
type Messages interface {
	// Each calls fn for each message in order. If fn returns an error, Each stops and returns that
	// error. If a single message cannot be read, Each calls skip with the error, and stops if skip
	// returns an error.
	Each(fn func(Message) error, skip func(error) error) error
	// Status returns the file of an mbox, or the directories of a folder that contain its messages.
	// Two sources are the same if they have one of these in common (see os.SameFile).
	Status() ([]os.FileInfo, error)
	// Doubt returns an error that names a line that may or may not start a message, or nil.
	Doubt() error
	// Passed returns a note about the files of a folder that were not read because they are not
	// regular, or "".
	Passed() string
}

// A Box is an mbox or a folder.
type Box interface {
	Messages
	// Check returns an error unless the box still holds the message with the given number, unchanged
	// since Each has read it.
	Check(number int) error
	// Take removes the messages with the given numbers, or moves them to a Maildir if one is given.
	// The method Each must be called before Take. Messages are numbered from 0 in the order in
	// which Each passes them to fn. Take returns the number of messages removed or moved, and the
	// errors that occurred.
	Take(out map[int]bool, into *Maildir) (taken int, errs []error)
}

var (
	errLocked = errors.New("is locked by another program")
	errLinks  = errors.New("has several hard links, and only one of them would be rewritten")
)

// A Stream is an mbox that can only be read, such as a pipe or a compressed file.
type Stream struct {
	Name  string                        // prefix of the messages' names
	Open  func() (io.ReadCloser, error) // errors from Open and from the reader must include Name
	Stat  func() (os.FileInfo, error)
	doubt *mail.Doubt
}

func (s *Stream) Each(fn func(Message) error, _ func(error) error) (err error) {
	in, err := s.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	s.doubt, err = eachMessage(s.Name, in, named(s.Name, fn))
	return err
}

func (s *Stream) Status() ([]os.FileInfo, error) { return single(s.Stat()) }

func (s *Stream) Passed() string { return "" }

func (s *Stream) Doubt() error { return doubtful(s.Name, s.doubt) }

type mbox struct {
	name  string
	read  files.Info // status of the file when its messages were read
	doubt *mail.Doubt
	hook  func(written, place string) // set by tests; called before the rename
}

func (b *mbox) Each(fn func(Message) error, _ func(error) error) error {
	f, err := files.Open([]byte(b.name), files.Follow)
	if err != nil {
		return err
	}
	defer f.Close()
	b.read = f.Info
	b.doubt, err = eachMessage(b.name, namedFile{&f, b.name}, named(b.name, fn))
	return err
}

func (b *mbox) Check(int) error {
	now, err := files.Stat([]byte(b.name), files.Follow)
	if err == nil && !now.Same(&b.read) {
		err = &files.Error{Name: b.name, Err: files.ErrChanged}
	}
	return err
}

func (b *mbox) Status() ([]os.FileInfo, error) { return single(os.Stat(b.name)) }

func single(info os.FileInfo, err error) ([]os.FileInfo, error) { return []os.FileInfo{info}, err }

func (b *mbox) Passed() string { return "" }

func (b *mbox) Doubt() error { return doubtful(b.name, b.doubt) }

// doubtful returns an error for a doubtful line, or nil if there is none.
func doubtful(name string, d *mail.Doubt) error {
	if d == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, d)
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
		name := strconv.AppendInt(append([]byte(box), ':'), int64(i), 10)
		return fn(Message{name, text, headerFlags(text)})
	}
}

// eachMessage calls fn with the number and text of each message of an mbox. Errors from r must
// include the name of the mbox. It returns the first doubtful line.
func eachMessage(name string, r io.Reader, fn func(int, []byte) error) (*mail.Doubt, error) {
	messages := mail.NewMboxReader(r)
	for i := 0; ; i++ {
		text, err := messages.Next()
		if err == io.EOF {
			return messages.Doubt(), nil
		}
		if err == mail.ErrNotMbox {
			err = &files.Error{Name: name, Err: err}
		}
		if err == nil {
			err = fn(i, text)
		}
		if err != nil {
			return messages.Doubt(), err
		}
	}
}
