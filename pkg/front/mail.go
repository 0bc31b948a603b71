package front

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/line"
	"doppel/pkg/mail"
	"doppel/pkg/mail/mailbox"
	"doppel/pkg/msg"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// mailOptions holds the options of doppel mail: which messages are similar, and what to do with
// the copies.
type mailOptions struct {
	flags.Common
	distance    int    // maximum number of different bits in the sums of similar messages
	attachments string // how to treat attachments: skip or hash
	remove      bool   // remove copies
	into        string // Maildir to move the copies to, or ""
	yes         bool   // remove or move the copies; otherwise only print what would be done
}

func defaultMail() mailOptions { return mailOptions{distance: 2, attachments: "hash"} }

func (s *mailOptions) Flags(fs *pflag.FlagSet) {
	fs.IntVarP(&s.distance, "distance", "d", s.distance, "treat messages as similar if their sums differ in at most `BITS` bits")
	fs.StringVar(&s.attachments, "attachments", s.attachments, "`WHAT` to do with attachments: skip or hash")
	fs.StringVar(&s.into, "into", s.into, "move the copies to the Maildir `DIR`")
	fs.BoolVar(&s.remove, "remove", s.remove, "remove the copies")
	fs.BoolVar(&s.yes, "yes", s.yes, "with --into or --remove: change mailboxes; without it, only show the changes")
	s.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.KeepGoing|flags.Output|flags.Watch)
}

func (s *mailOptions) Check() error {
	switch {
	case s.distance < 0 || s.distance > 128:
		return tool.UsageError("--distance %d: want 0 to 128", s.distance)
	case s.attachments != "skip" && s.attachments != "hash":
		return tool.UsageError("--attachments %q: want skip or hash", s.attachments)
	case s.remove && s.into != "":
		return tool.UsageError("--remove and --into cannot be used together")
	case s.yes && !s.remove && s.into == "":
		return tool.UsageError("--yes needs --into or --remove")
	}
	return nil
}

// Run finds the groups of similar messages and writes them. With --yes, it also removes or moves
// the copies.
func (s *mailOptions) Run(e *tool.Env, names []string) error {
	if len(names) == 0 {
		names = []string{"-"}
	}
	var boxes []mailbox.Messages
	for _, name := range names {
		box, err := openBox(e, name)
		if err == nil {
			if stream, ok := box.(*mailbox.Stream); ok && (s.remove || s.into != "") {
				return msg.WithHint(fmt.Errorf("%s: --into and --remove can change only uncompressed mbox files and Maildirs, not pipes", stream.Name),
					"to list the copies, omit --into and --remove")
			}
			boxes = append(boxes, box)
		} else if err := e.Skip(err); err != nil {
			return err
		}
	}
	near := &mailGroups{most: s.distance, how: mail.Hash}
	if s.attachments == "skip" {
		near.how = mail.Skip
	}
	var err error
	if near.hash, err = fuzzysum.NewHasher(fuzzysum.Default()); err != nil {
		return err
	}
	for i, box := range boxes {
		err := box.Each(func(m mailbox.Message) error { near.add(i, m); e.Progress.Add(1, int64(len(m.Text))); return nil })
		if err := e.Skip(err); err != nil {
			return err
		}
	}
	if err := near.write(e); err != nil {
		return err
	}
	return s.act(e, boxes, near)
}

// openBox returns a Maildir or an mbox. An mbox that is compressed or not a regular file is
// read-only.
func openBox(e *tool.Env, name string) (mailbox.Messages, error) {
	stream := &mailbox.Stream{Name: name, Open: func() (io.ReadCloser, error) { return e.Open(name) }}
	if name == "-" {
		stream.Name = "<stdin>"
		return stream, nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return mailbox.Open(name)
	case !info.Mode().IsRegular():
		return stream, nil
	}
	in, err := e.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if in.Packed() != "" {
		return stream, nil
	}
	return mailbox.Open(name)
}

// act removes or moves the copies if --yes is given, and prints the totals.
func (s *mailOptions) act(e *tool.Env, boxes []mailbox.Messages, near *mailGroups) error {
	found := fmt.Sprintf("%s of similar messages, %s", msg.Number(near.groups, "group"), copies(near.copies))
	if !s.yes {
		if s.remove || s.into != "" {
			found += "; nothing was changed; to change mailboxes, add --yes"
		}
		e.Note("%s", found)
		return nil
	}
	var into *mailbox.Maildir
	if s.into != "" {
		var err error
		if into, err = mailbox.Make(s.into); err != nil {
			return err
		}
	}
	taken := 0
	for i, out := range near.out {
		if len(out) == 0 {
			continue
		}
		var n int
		var errs []error
		// Delay interruptions, which would leave the mailbox locked.
		e.Whole(func() { n, errs = boxes[i].(mailbox.Box).Take(out, into) })
		for _, err := range errs {
			e.Warn(err)
		}
		taken += n
	}
	done := "removed"
	if into != nil {
		done = "moved"
	}
	e.Note("%s: %s %s", found, msg.Number(taken, "message"), done)
	return nil
}

// mailGroups collects groups of similar messages. A message joins the group whose first message is
// nearest to it, or begins a new group if none is near enough. The method add compares each message
// with the first messages of all groups, which takes 2 ns per pair.
type mailGroups struct {
	most   int
	hash   *fuzzysum.Hasher
	how    mail.Attachments
	first  []fuzzysum.Sum // fuzzy sum of the first message of each group
	groups int64          // number of groups of two or more messages
	copies int64
	all    [][]line.Message // messages of each group
	out    []map[int]bool   // for each box, the set of the numbers of its messages that are copies
	number []int            // number of messages in each box
}

// add adds the next message of a box to the nearest group, or begins a new group. A sum that is an
// exact digest matches only an equal sum, and the sum of an empty text matches no sum.
func (n *mailGroups) add(box int, m mailbox.Message) {
	for len(n.out) <= box {
		n.out, n.number = append(n.out, map[int]bool{}), append(n.number, 0)
	}
	n.hash.Reset()
	n.hash.Write(mail.Text(m.Text, n.how))
	sum := n.hash.Result().Sum
	group, distance := len(n.first), n.most+1
	for i, first := range n.first {
		d := fuzzysum.Distance(first, sum)
		if sum != fuzzysum.Empty && d < distance && (d == 0 || !sum.Exact() && !first.Exact()) {
			group, distance = i, d
		}
	}
	if group == len(n.first) {
		n.first, n.all = append(n.first, sum), append(n.all, nil)
		distance = 0
	} else {
		n.out[box][n.number[box]] = true
		n.copies++
	}
	n.number[box]++
	header, _ := mail.Split(m.Text)
	n.all[group] = append(n.all[group], line.Message{
		Distance: int64(distance), Name: m.Name,
		ID: bytes.Clone(header.Get("Message-ID")), Subject: bytes.Clone(header.Subject()),
	})
}

// write writes the groups of two or more messages.
func (n *mailGroups) write(e *tool.Env) error {
	if err := lineio.Header(e, line.Message{}); err != nil {
		return err
	}
	for _, group := range n.all {
		if len(group) < 2 {
			continue
		}
		n.groups++
		for _, m := range group {
			m.Group = n.groups
			if _, err := e.Out.Write(m.Append(e.Out.AvailableBuffer(), line.Format{JSON: e.JSON, Null: e.Null})); err != nil {
				return err
			}
		}
	}
	return nil
}
