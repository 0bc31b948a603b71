package front

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

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
	boxes, err := s.openBoxes(e, names)
	if err != nil {
		return err
	}
	near := &mailGroups{most: s.distance, how: mail.Hash}
	if s.attachments == "skip" {
		near.how = mail.Skip
	}
	if near.hash, err = fuzzysum.NewHasher(fuzzysum.Default()); err != nil {
		return err
	}
	for i, box := range boxes {
		err := box.Each(func(m mailbox.Message) error {
			near.add(i, m)
			e.Progress.Add(1, int64(len(m.Text)))
			return nil
		}, e.Skip)
		if err := e.Skip(err); err != nil {
			return err
		}
		if err := box.Doubt(); err != nil {
			e.Note("%v; the messages are listed, and the mbox is never changed", err)
		}
	}
	if err := near.write(e); err != nil {
		return err
	}
	return s.act(e, boxes, near)
}

// openBoxes returns the mailboxes with the given names, or standard input without names. A mailbox
// is returned once, whatever its names.
func (s *mailOptions) openBoxes(e *tool.Env, names []string) (boxes []mailbox.Messages, err error) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	var opened []os.FileInfo
	for _, name := range names {
		found, err := s.openName(e, name)
		for _, box := range found {
			places, statErr := box.Status()
			if err = cmp.Or(err, statErr); err != nil {
				break
			}
			switch {
			case s.into != "" && haveSame(places, placesOf(s.into)):
				return nil, fmt.Errorf("%s: --into names a mailbox that is read", name)
			case haveSame(places, opened):
				e.Note("%s: this mailbox is named twice; it is read once", name)
				continue
			}
			boxes, opened = append(boxes, box), append(opened, places...)
		}
		if err := e.Skip(err); err != nil {
			return nil, err
		}
	}
	return boxes, nil
}

// placesOf returns the directory of a Maildir and those of its subdirectories that exist.
func placesOf(maildir string) (all []os.FileInfo) {
	for _, sub := range []string{"", "cur", "new"} {
		if info, err := os.Stat(filepath.Join(maildir, sub)); err == nil {
			all = append(all, info)
		}
	}
	return all
}

// haveSame reports whether two lists have a file or directory in common.
func haveSame(a, b []os.FileInfo) bool {
	return slices.ContainsFunc(a, func(x os.FileInfo) bool {
		return slices.ContainsFunc(b, func(y os.FileInfo) bool { return os.SameFile(x, y) })
	})
}

// openName returns an mbox, or the folders of a directory. An mbox that is compressed or not a
// regular file is read-only, and an error with --into or --remove.
func (s *mailOptions) openName(e *tool.Env, name string) (boxes []mailbox.Messages, err error) {
	stream := &mailbox.Stream{
		Name: name,
		Open: func() (io.ReadCloser, error) { return e.Open(name) },
		Stat: func() (os.FileInfo, error) { return os.Stat(name) },
	}
	readOnly := true
	if name == "-" {
		stream.Name = "<stdin>"
		stream.Stat = func() (os.FileInfo, error) {
			if f, ok := e.Stdin.(*os.File); ok {
				return f.Stat()
			}
			return nil, nil
		}
	} else if readOnly, err = isReadOnly(e, name); err != nil {
		return nil, err
	}
	switch {
	case readOnly && (s.remove || s.into != ""):
		return nil, msg.WithHint(fmt.Errorf("%s: --into and --remove can change only uncompressed mbox files and folders, not pipes", stream.Name),
			"to list the copies, omit --into and --remove")
	case readOnly:
		return []mailbox.Messages{stream}, nil
	}
	found, err := mailbox.Open(name, s.into)
	for _, box := range found {
		boxes = append(boxes, box)
	}
	return boxes, err
}

// isReadOnly reports whether the named mailbox is compressed, or neither a regular file nor a
// directory.
func isReadOnly(e *tool.Env, name string) (bool, error) {
	info, err := os.Stat(name)
	if err != nil || info.IsDir() {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return true, nil
	}
	in, err := e.Open(name)
	if err != nil {
		return false, err
	}
	defer in.Close()
	return in.Packed() != "", nil
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
