// Package mail implements doppel mail, which finds copies of messages in mailboxes, and moves or
// removes them.
//
// See man/doppel-mail.1.
package mail

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/mail/mailbox"
	"doppel/pkg/mail/mailsum"
	"doppel/pkg/mail/same"
	"doppel/pkg/msg"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel mail: which messages are copies or similar, and what to do
// with them.
type Options struct {
	flags.Common
	block       int    // maximum number of words in the block by which copies may differ
	distance    int    // maximum number of different bits in the sums of similar messages
	attachments string // how to treat attachments: skip or hash
	keep        string // which copy to keep: first, last, newest, oldest or largest
	similar     bool   // remove or move similar messages, too
	remove      bool   // remove copies
	into        string // Maildir to move the copies to, or ""
	yes         bool   // remove or move the copies; otherwise only print what would be done
}

// Default returns options that list the copies and keep the first one.
func Default() Options {
	return Options{block: same.Default().Block, distance: 2, attachments: "hash", keep: "first"}
}

func (s *Options) Flags(fs *pflag.FlagSet) {
	fs.IntVarP(&s.distance, "distance", "d", s.distance, "let similar messages differ in `BITS` bits; the bits are those of their fuzzy sums")
	fs.StringVar(&s.attachments, "attachments", s.attachments, "treat attachments by `WHAT`: hash (default) or skip")
	fs.IntVar(&s.block, "block", s.block, "let copies differ in a block of `WORDS` words (default 120); it must be one block of whole lines, such as a footer, of at most WORDS words; 0 allows none")
	fs.StringVar(&s.keep, "keep", s.keep, "keep `WHICH`: first (default), last, newest, oldest, largest")
	fs.BoolVar(&s.similar, "similar", s.similar, "with --into or --remove: also act on similar messages")
	fs.StringVar(&s.into, "into", s.into, "move the copies to the Maildir `DIR` (needs --yes); without --yes, only show the changes")
	fs.BoolVar(&s.remove, "remove", s.remove, "remove the copies (needs --yes); without --yes, only show the changes")
	fs.BoolVar(&s.yes, "yes", s.yes, "really change mailboxes (default: only show changes); --into or --remove says how")
	s.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "distance", "attachments", "block")
	flagset.Assign(fs, flagset.Kept, "keep")
	flagset.Assign(fs, flagset.Actions, "similar", "into", "remove", "yes")
}

// Essential returns the flags that -h shows.
func (s *Options) Essential() []string {
	return []string{"attachments", "block", "keep", "similar", "into", "remove", "yes", "keep-going", "output", "json", "null"}
}

// blockMax is the maximum of --block.
const blockMax = 1 << 20

func (s *Options) Check() error {
	switch {
	case s.distance < 0 || s.distance > 128:
		return tool.UsageError("--distance %d: want 0 to 128", s.distance)
	case s.block < 0 || s.block > blockMax:
		return tool.UsageError("--block %d: want 0 to %d", s.block, blockMax)
	case preferences[s.keep] == nil:
		return tool.UsageError("--keep %q: want first, last, newest, oldest or largest", s.keep)
	case s.similar && !s.remove && s.into == "":
		return tool.UsageError("--similar needs --into or --remove")
	case s.attachments != "skip" && s.attachments != "hash":
		return tool.UsageError("--attachments %q: want skip or hash", s.attachments)
	case s.into == "-":
		return tool.UsageError("--into -: want a directory, such as ./-")
	case s.remove && s.into != "":
		return tool.UsageError("--remove and --into cannot be used together")
	case s.yes && !s.remove && s.into == "":
		return tool.UsageError("--yes needs --into or --remove")
	}
	return nil
}

// Run finds the groups of copies and similar messages and writes them. With --yes, it also removes or moves
// the copies.
func (s *Options) Run(e *tool.Env, names []string) error {
	if s.into != "" {
		if err := mailbox.CheckMaildir(s.into); err != nil {
			return err
		}
	}
	boxes, err := s.openBoxes(e, names)
	if err != nil {
		return err
	}
	found := &letters{options: s, read: same.Default()}
	found.read.Block = s.block
	sums := mailsum.Default()
	sums.SkipAttachments = s.attachments == "skip"
	if found.sums, err = mailsum.New(sums); err != nil {
		return err
	}
	for i, box := range boxes {
		err := box.Each(func(m mailbox.Message) error {
			found.add(i, m)
			e.Progress.Add(1, int64(len(m.Text)))
			return nil
		}, e.Skip)
		if err := e.Skip(err); err != nil {
			return err
		}
		if err := box.Doubt(); err != nil {
			e.Note("%v; the messages are listed, and the mbox is never changed", err)
		}
		if passed := box.Passed(); passed != "" {
			e.Note("%s", passed)
		}
	}
	groups := found.group()
	if err := found.write(e, groups); err != nil {
		return err
	}
	return s.act(e, boxes, found)
}

// openBoxes returns the mailboxes with the given names, or standard input without names. A mailbox
// is returned once, whatever its names.
func (s *Options) openBoxes(e *tool.Env, names []string) ([]mailbox.Messages, error) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	o := opener{options: s, dirs: map[string]bool{}}
	for i, name := range names {
		found, err := o.openName(e, names[i:])
		for _, box := range found {
			places, statErr := box.Status()
			if err = cmp.Or(err, statErr); err != nil {
				break
			}
			if err := o.add(e, name, box, places); err != nil {
				return nil, err
			}
		}
		if err := e.Skip(err); err != nil {
			return nil, err
		}
	}
	return o.boxes, o.checkFiles()
}

// An opener opens the mailboxes of a run.
type opener struct {
	options *Options
	boxes   []mailbox.Messages
	opened  []os.FileInfo   // files and directories of all boxes
	dirs    map[string]bool // names of the directories of messages that are operands
	singles []os.FileInfo   // these directories
	files   []string        // names of mboxes
}

// openName returns the boxes of the first of some names. If it is the name of a message, the other
// messages of its directory are in the same box.
func (o *opener) openName(e *tool.Env, names []string) ([]mailbox.Messages, error) {
	name := names[0]
	if !isMessage(e, name) {
		return o.options.openName(e, name)
	}
	dir := filepath.Dir(name)
	if o.dirs[dir] {
		return nil, nil
	}
	o.dirs[dir] = true
	var all []string
	for _, other := range names {
		if filepath.Dir(other) == dir && isMessage(e, other) {
			all = append(all, filepath.Base(other))
		}
	}
	return []mailbox.Messages{mailbox.OpenFiles(dir, all)}, nil
}

// add adds a box, unless it has been added before.
func (o *opener) add(e *tool.Env, name string, box mailbox.Messages, places []os.FileInfo) error {
	if err := checkOutput(e, places); err != nil {
		return err
	}
	isSingle := isMessage(e, name)
	switch {
	case o.options.into != "" && haveSame(places, placesOf(o.options.into)):
		return fmt.Errorf("%s: --into names a mailbox that is read", name)
	case haveSame(places, o.singles), isSingle && haveSame(places, o.opened):
		return fmt.Errorf("%s: %w", name, errOverlap)
	case haveSame(places, o.opened):
		e.Note("%s: this mailbox is named twice; it is read once", name)
		return nil
	}
	if isSingle {
		o.singles = append(o.singles, places...)
	}
	if places[0] != nil && !places[0].IsDir() && name != "-" {
		o.files = append(o.files, name)
	}
	o.boxes, o.opened = append(o.boxes, box), append(o.opened, places...)
	return nil
}

var errOverlap = errors.New("the operands name a directory and a file in it; name only one of them")

// checkFiles returns an error if an mbox is in a directory that is read, since its messages could
// be read twice.
func (o *opener) checkFiles() error {
	for _, name := range o.files {
		place, err := filepath.EvalSymlinks(name)
		if err != nil {
			return err
		}
		dir, err := os.Stat(filepath.Dir(place))
		if err != nil {
			return err
		}
		if haveSame([]os.FileInfo{dir}, o.opened) {
			return fmt.Errorf("%s: %w", name, errOverlap)
		}
	}
	return nil
}

// isMessage reports whether a file is a single message, not an mbox.
func isMessage(e *tool.Env, name string) bool {
	if !strings.EqualFold(filepath.Ext(name), ".eml") {
		return false
	}
	in, err := e.Open(name)
	if err != nil {
		return false
	}
	defer in.Close()
	start := make([]byte, 5)
	n, _ := io.ReadFull(in, start)
	return string(start[:n]) != "From "
}

// checkOutput returns an error if the output of the run is one of the files, or in one of the
// directories, of a mailbox.
func checkOutput(e *tool.Env, places []os.FileInfo) error {
	written := e.Written()
	folder, err := os.Stat(filepath.Dir(e.OutputName))
	for _, place := range places {
		if place == nil { // standard input that is not a file
			continue
		}
		st := place.Sys().(*syscall.Stat_t)
		if err := written.Check(uint64(st.Dev), st.Ino); err != nil {
			return err
		}
		if err == nil && e.OutputName != "" && os.SameFile(folder, place) {
			return fmt.Errorf("%s: the output is in a mailbox that is read", e.OutputName)
		}
	}
	return nil
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
func (s *Options) openName(e *tool.Env, name string) (boxes []mailbox.Messages, err error) {
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
func (s *Options) act(e *tool.Env, boxes []mailbox.Messages, all *letters) error {
	found := fmt.Sprintf("%s, %s, %s", msg.Number(all.groups, "group"), msg.Number(all.copies, "copy"), msg.Number(all.similar, "similar message"))
	if !s.yes {
		if s.remove || s.into != "" {
			found += "; nothing was changed; to change mailboxes, add --yes"
		}
		e.Note("%s", found)
		return nil
	}
	if err := e.FinishOutputs(); err != nil { // the list says what was removed
		return err
	}
	var into *mailbox.Maildir
	if s.into != "" {
		var err error
		if into, err = mailbox.Make(s.into); err != nil {
			return err
		}
	}
	taken := 0
	check := func(m *letter) error { return boxes[m.box].(mailbox.Box).Check(m.number) }
	for i, out := range all.chosen(len(boxes), check, e.Warn) {
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
