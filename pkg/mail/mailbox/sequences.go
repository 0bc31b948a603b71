package mailbox

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"doppel/pkg/filegroup"
	"doppel/pkg/files/durable"
)

// sequencesFile is the name of the file of an MH folder that lists, for each sequence, the numbers
// of its messages, such as "unseen: 3 5-7".
const sequencesFile = ".mh_sequences"

// sequences is the content of the file of the sequences.
type sequences struct {
	dir  string
	text []byte
	err  error
}

func readSequences(dir string) sequences {
	text, err := os.ReadFile(filepath.Join(dir, sequencesFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return sequences{dir, text, err}
}

// maxSequence is the maximum number of messages of a range that is read.
const maxSequence = 1 << 20

// numbers returns the messages of a list such as "3 5-7", or false if it is malformed.
func numbers(list string) (all []int, ok bool) {
	for word := range strings.FieldsSeq(list) {
		from, to, isRange := strings.Cut(word, "-")
		first, err := strconv.Atoi(from)
		last := first
		if isRange {
			var err2 error
			last, err2 = strconv.Atoi(to)
			err = cmp.Or(err, err2)
		}
		if err != nil || last < first || last-first >= maxSequence {
			return nil, false
		}
		for n := first; n <= last; n++ {
			all = append(all, n)
		}
	}
	return all, true
}

// flags returns the flags that the sequences of nmh and mutt mean, by the file name of the message.
func (s sequences) flags() map[string]Flags {
	all := map[string]Flags{}
	for line := range strings.Lines(string(s.text)) {
		name, list, _ := strings.Cut(line, ":")
		flag := map[string]Flags{"flagged": Flagged, "replied": Answered, "answered": Answered}[name]
		if messages, ok := numbers(list); ok && flag != 0 {
			for _, n := range messages {
				all[strconv.Itoa(n)] |= flag
			}
		}
	}
	return all
}

// remove removes messages from all sequences, so that a new message with one of their numbers
// belongs to none. A line that it does not change stays as it is.
func (s sequences) remove(gone map[string]bool) error {
	if s.err != nil || len(s.text) == 0 || len(gone) == 0 {
		return s.err
	}
	var out []byte
	for line := range strings.Lines(string(s.text)) {
		name, list, _ := strings.Cut(line, ":")
		messages, ok := numbers(list)
		if !ok {
			return fmt.Errorf("%s: the sequence %q is malformed; the removed messages stay in the file", filepath.Join(s.dir, sequencesFile), name)
		}
		var left []int
		for _, n := range messages {
			if !gone[strconv.Itoa(n)] {
				left = append(left, n)
			}
		}
		switch {
		case len(left) == len(messages):
			out = append(out, line...)
		case len(left) > 0:
			out = append(append(append(out, name...), ':'), formatNumbers(left)...)
		}
	}
	if bytes.Equal(out, s.text) {
		return nil
	}
	return s.replace(out)
}

// formatNumbers returns a list such as " 3 5-7\n".
func formatNumbers(all []int) (text []byte) {
	for i := 0; i < len(all); i++ {
		text = strconv.AppendInt(append(text, ' '), int64(all[i]), 10)
		first := i
		for i+1 < len(all) && all[i+1] == all[i]+1 {
			i++
		}
		if i > first {
			text = strconv.AppendInt(append(text, '-'), int64(all[i]), 10)
		}
	}
	return append(text, '\n')
}

// replace replaces the file, unless it has changed since it was read.
func (s sequences) replace(text []byte) error {
	name := filepath.Join(s.dir, sequencesFile)
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	f, err := durable.Replace(filepath.Join(s.dir, filegroup.Aside), name, func(f *os.File) error {
		_, err := f.Write(text)
		return cmp.Or(err, f.Chmod(info.Mode().Perm()))
	}, func(string) error {
		if !bytes.Equal(readSequences(s.dir).text, s.text) {
			return fmt.Errorf("%s: changed since it was read", name)
		}
		return nil
	})
	return cmp.Or(err, f.Close())
}
