// Package fuzzysum computes the fuzzy checksum of messages.
//
// See man/fuzzysum.1.
package fuzzysum

import (
	"io"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/line"
	"doppel/pkg/mail"
	"doppel/pkg/mail/mailsum"
	"doppel/pkg/msg"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which messages are summed, and how. The confidence of the sums is an operand, not an
// option.
type Options struct {
	flags.Common
	OneSided    bool   // the confidence is the probability of a value below a bound t, not between -t and t
	Words       int    // number of words in a window of sparse phrases, 1 to fuzzysum.MaxWords
	MinWords    int    // minimum number of words for a fuzzy sum; shorter texts get an ordinary digest
	MIME        bool   // sum what the author of a message says, with package mailsum
	Attachments string // with MIME: treatment of attachments, skip or hash
	Mbox        bool   // read the inputs as mboxes, and sum each message
	Files       bool   // read the names of the files to sum from standard input
}

// The values of Options.Attachments.
const (
	skip = "skip" // ignore attachments
	hash = "hash" // include attachments in the sum
)

// Default returns the options that apply if no flags are given.
func Default() Options {
	sum := fuzzysum.Default()
	return Options{Words: sum.Words, MinWords: sum.MinWords, Attachments: hash}
}

// epilog describes the operands, which no flag does.
const epilog = `CONFIDENCE, 0 to 100 percent (default 60), sets how clearly words must prevail
to set a bit: with less, smaller changes of a message change its sum.
Each FILE is one message or, with --mbox, a mailbox. Without FILE, standard
input is read; the output for one message from it is only the sum.
A sum is 32 hexadecimal digits; fuzzyseen looks up sums.
`

// Command returns a new description of this program, with default options.
func Command() *tool.Command {
	c := tool.New("fuzzysum", "compute the fuzzy checksum of a message", "[CONFIDENCE] [FILE...]", Default)()
	c.Epilog = epilog
	return c
}

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.OneSided, "one-sided", o.OneSided, "use the one-sided normal quantile for the confidence, not the two-sided one")
	fs.IntVar(&o.Words, "words", o.Words, "hash sparse phrases in windows of `N` words")
	fs.IntVar(&o.MinWords, "min-words", o.MinWords, "use an ordinary digest below `N` words")
	fs.BoolVar(&o.MIME, "mime", o.MIME, "sum what the author says: the decoded text without quotes")
	fs.StringVar(&o.Attachments, "attachments", o.Attachments, "with --mime: `WHAT` to do with attachments: skip or hash")
	fs.BoolVar(&o.Mbox, "mbox", o.Mbox, "read the inputs as mboxes, and sum each message")
	fs.BoolVar(&o.Files, "files", o.Files, "read the names of the files to sum from standard input")
	o.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.Jobs|flags.KeepGoing|flags.Output)
	flagset.Assign(fs, flagset.Hashes, "one-sided", "words", "min-words", "mime", "attachments")
	flagset.Assign(fs, flagset.Input, "mbox", "files")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"words", "min-words", "mime", "mbox", "files", "keep-going", "output", "json", "header", "null", "jobs"}
}

// Check rejects values that are invalid or cannot be used together.
func (o *Options) Check() error {
	sum := o.sumOptions()
	switch err := sum.Check(); {
	case err != nil:
		return tool.UsageError("%w", err)
	case o.Attachments != skip && o.Attachments != hash:
		return tool.UsageError("--attachments %q: want skip or hash", o.Attachments)
	case o.Files && o.Mbox:
		return errFiles()
	}
	return nil
}

func errFiles() error {
	return msg.WithHint(tool.UsageError("--files reads names from standard input, so it cannot be used with --mbox or operands"),
		"operands are files to sum, without --files")
}

// sumOptions returns the options of a sum, with the default confidence.
func (o *Options) sumOptions() fuzzysum.Options {
	sum := fuzzysum.Default()
	sum.Words, sum.MinWords = o.Words, o.MinWords
	if o.OneSided {
		sum.Reading = fuzzysum.OneSided
	}
	return sum
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(!o.MIME, "without --mime", "attachments")
	return i
}

// Run writes the sums of the messages in the operands. If the first operand is a number, it is the
// confidence.
func (o *Options) Run(e *tool.Env, operands []string) error {
	sum := o.sumOptions()
	if len(operands) > 0 {
		if p, err := strconv.ParseFloat(operands[0], 64); err == nil {
			sum.Confidence, operands = p, operands[1:]
		}
	}
	if err := sum.Check(); err != nil {
		return tool.UsageError("%w", err)
	}
	s := &summer{env: e, written: e.Written(), options: mailsum.Options{Options: sum, SkipAttachments: o.Attachments == skip}, mime: o.MIME, format: lineio.Format(e)}
	if o.MIME {
		s.scheme = s.options.Scheme() + ":"
	} else if o.Mbox {
		s.extract = extractPlain
	}
	switch {
	case o.Files && len(operands) > 0:
		return errFiles()
	case !o.Files && !o.Mbox && (len(operands) == 0 || len(operands) == 1 && operands[0] == "-"):
		return s.sumStdin()
	}
	if err := s.written.CheckNames(operands); err != nil {
		return err
	}
	next, err := o.newSource(e, operands)
	if err != nil {
		return err
	}
	if err := lineio.Header(e, line.Sum{}); err != nil {
		return err
	}
	return s.sumEach(next)
}

// extractPlain writes to w the subject and the undecoded body of a message.
func extractPlain(w io.Writer, message []byte) {
	subject, body := mail.Plain(message)
	w.Write(subject)
	w.Write(body)
}
