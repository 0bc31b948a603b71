package fuzzysum

import (
	"io"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/mail"
	"doppel/pkg/tool"
)

// options are the values of all flags.
type options struct {
	sum         fuzzysum.Options
	oneSided    bool
	mime        bool
	attachments string
	mbox        bool
	files       bool
}

func (o *options) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.oneSided, "one-sided", false, "take the confidence as the mass below the threshold, not around the mean")
	fs.IntVar(&o.sum.Words, "words", o.sum.Words, "hash sparse phrases in windows of `N` words")
	fs.IntVar(&o.sum.MinWords, "min-words", o.sum.MinWords, "make a digest of texts of fewer than `N` words")
	fs.BoolVar(&o.mime, "mime", false, "sum the text that a mail reader shows")
	fs.StringVar(&o.attachments, "attachments", "skip", "with --mime, skip or hash: `WHAT` becomes of attachments")
	fs.BoolVar(&o.mbox, "mbox", false, "the inputs are mboxes; sum each message")
	fs.BoolVar(&o.files, "files", false, "standard input names the files to sum")
}

// settle takes the confidence from the operands, checks all options, and
// returns the other operands.
func (o *options) settle(args []string) ([]string, error) {
	if len(args) > 0 {
		if p, err := strconv.ParseFloat(args[0], 64); err == nil {
			o.sum.Confidence, args = p, args[1:]
		}
	}
	if o.oneSided {
		o.sum.Reading = fuzzysum.OneSided
	}
	if err := o.sum.Check(); err != nil {
		return nil, tool.UsageError("%w", err)
	}
	switch {
	case o.attachments != "skip" && o.attachments != "hash":
		return nil, tool.UsageError("--attachments %q: want skip or hash", o.attachments)
	case o.files && (o.mbox || len(args) > 0):
		return nil, tool.UsageError("with --files, standard input names the messages: no --mbox, no operands")
	}
	return args, nil
}

// A reading writes what is to be summed of a message.
type reading func(w io.Writer, message []byte)

// reading returns the reading that the options ask for, or nil if a message is
// summed as it stands.
func (o *options) reading() reading {
	what := mail.Skip
	if o.attachments == "hash" {
		what = mail.Hash
	}
	switch {
	case o.mime:
		return func(w io.Writer, message []byte) { w.Write(mail.Text(message, what)) }
	case o.mbox:
		return func(w io.Writer, message []byte) {
			subject, body := mail.Plain(message)
			w.Write(subject)
			w.Write(body)
		}
	}
	return nil
}
