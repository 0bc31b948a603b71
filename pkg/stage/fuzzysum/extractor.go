package fuzzysum

import (
	"io"

	"doppel/pkg/mail"
)

// An extractor writes what is to be summed of a message.
type extractor interface {
	write(w io.Writer, message []byte)
}

// shownText is what a mail reader shows.
type shownText mail.Attachments

func (s shownText) write(w io.Writer, message []byte) {
	w.Write(mail.Text(message, mail.Attachments(s)))
}

// plainText is the subject and the body as they stand.
type plainText struct{}

func (plainText) write(w io.Writer, message []byte) {
	subject, body := mail.Plain(message)
	w.Write(subject)
	w.Write(body)
}
