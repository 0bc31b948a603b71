//go:build linux

package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Sizes of the inputs. The inputs are large enough for a run to be killed at many moments, and
// small enough to be truncated and mutated thousands of times.
const (
	manyRecords = 3000
	fewRecords  = 60
	manyFiles   = 120
)

// testdata contains configurations, a key, files written by other programs (arrow.py writes
// the Parquet files), and files that once crashed the tools.
//
//go:embed testdata
var testdata embed.FS

// makeInputs writes all inputs that cases read.
func (w *world) makeInputs() error {
	files, err := fs.Sub(testdata, "testdata")
	if err != nil {
		return err
	}
	if err := os.CopyFS(w.inputs, files); err != nil {
		return err
	}
	r := seeded(w.seed, "inputs")
	many, few := newCorpus(r, manyRecords), newCorpus(r, fewRecords)
	for name, data := range map[string][]byte{
		"many.jsonl": many.jsonl(),
		"few.jsonl":  few.jsonl(),
		"uniq.jsonl": few.jsonl(unique),
	} {
		err = errors.Join(err, os.WriteFile(filepath.Join(w.inputs, name), data, 0o666))
	}
	var last string
	// Every tenth file is a copy of the file before it, and every seventh file contains a passage
	// of the file before it.
	for i := range manyFiles {
		text := sentence(r, 200+r.IntN(800))
		switch {
		case i%10 == 9:
			text = last
		case i%7 == 6:
			text += strings.Join(strings.Fields(last)[50:150], " ")
		}
		last = text
		name := filepath.Join(w.inputs, "tree", fmt.Sprintf("d%d", i%4), fmt.Sprintf("f%03d", i))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666))
	}
	if err = errors.Join(err, makeMail(w.inputs, mails(r, 60))); err != nil {
		return err
	}
	s := w.newSandbox("inputs")
	defer s.close(false)
	return s.attempt(func(s *sandbox) error {
		for _, d := range scripts("derived") {
			o := s.sh("set -e; cd " + quoted(w.inputs) + "; " + d.text)
			if o.status != 0 || s.broken != nil {
				return fmt.Errorf("%s: status %d: %s", d.text, o.status, o.stderr)
			}
			s.must(os.WriteFile(filepath.Join(w.inputs, d.name), []byte(o.stdout), 0o666))
		}
		return nil
	})
}

// A script is an entry of testdata/NAME.txt. Entries are separated by blank lines. The first
// line of an entry is "name | subject | inputs", and the following lines are a bash script. If
// its result is checked, the last line is "= status output", with the output in quotes.
type script struct {
	name, subject, inputs, text string
	status                      int
	want                        string
}

func scripts(name string) (all []script) {
	data, err := testdata.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	// The first entry is the file's comment.
	for _, text := range strings.Split(strings.TrimSpace(string(data)), "\n\n")[1:] {
		head, text, _ := strings.Cut(text, "\n")
		f := strings.Split(head, "|")
		c := script{name: strings.TrimSpace(f[0]), subject: strings.TrimSpace(f[1]), inputs: f[2], text: text}
		if at := strings.LastIndex(text, "\n= "); at >= 0 {
			if _, err := fmt.Sscanf(text[at:], "\n= %d %q", &c.status, &c.want); err != nil {
				panic(fmt.Sprintf("testdata/%s.txt: %s: %v", name, head, err))
			}
			c.text = text[:at]
		}
		all = append(all, c)
	}
	return all
}

// A corpus is a list of records, some of which are copies or near copies of others.
type corpus []record

type record struct {
	line string // JSON of the record, with a line end
	text string
	role role
}

// A role is the relation of a record to earlier records.
type role int

const (
	unique role = iota
	copied      // same text as an earlier record
	near        // text of an earlier record with one word changed, so 55 of 58 shingles are shared
)

// newCorpus makes n records of 60 words. One in ten is a copy of an earlier unique record, and
// another one in ten is a near copy.
func newCorpus(r *rand.Rand, n int) (c corpus) {
	for i := range n {
		rec := record{text: sentence(r, 60)}
		switch i % 10 {
		case 5:
			rec.text, rec.role = c[i-4].text, copied
		case 8:
			words := strings.Fields(c[i-7-10*r.IntN(i/10+1)].text)
			words[20] = "changed" + letters(i)
			rec.text, rec.role = strings.Join(words, " "), near
		}
		line, _ := json.Marshal(struct {
			ID   string `json:"id"`
			Text string `json:"text"`
			Size int    `json:"size"`
		}{fmt.Sprintf("r%d", i), rec.text, len(rec.text)})
		rec.line = string(line) + "\n"
		c = append(c, rec)
	}
	return c
}

// jsonl returns the lines of the records that have one of the roles, or of all records if no
// role is given.
func (c corpus) jsonl(roles ...role) []byte {
	var b bytes.Buffer
	for _, r := range c {
		if len(roles) == 0 || slices.Contains(roles, r.role) {
			b.WriteString(r.line)
		}
	}
	return b.Bytes()
}

// sentence returns n words drawn from 26⁴ different ones, so few occur twice.
func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = letters(r.IntN(26*26*26*26) + 26*26*26)
	}
	return strings.Join(words, " ")
}

// letters returns a number written in base 26, with the digits a to z, the lowest digit first.
func letters(n int) string {
	var b []byte
	for ; n > 0 || len(b) == 0; n /= 26 {
		b = append(b, byte('a'+n%26))
	}
	return string(b)
}

// mails returns n messages. Every third message is a copy of the message before it. Its last line
// differs, since it has the boundary of the MIME parts.
func mails(r *rand.Rand, n int) (all []string) {
	text := ""
	for i := range n {
		if i%3 != 2 {
			text = sentence(r, 80)
		}
		all = append(all, fmt.Sprintf("From: a@example.org\nDate: Mon, 1 Jan 2024 1%[3]d:%02[4]d:01 +0000\nMessage-ID: <%[1]d@example.org>\nX-Unit: unit%03[1]d\nContent-Type: multipart/mixed; boundary=\"end of unit%03[1]d\"\n\n--end of unit%03[1]d\n\n%[2]s\n--end of unit%03[1]d--\n", i, text, i/60%10, i%60))
	}
	return all
}

// makeMail writes the messages as an mbox and as a Maildir.
func makeMail(dir string, all []string) (err error) {
	for _, sub := range []string{"cur", "new", "tmp"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(dir, "maildir", sub), 0o777))
	}
	box := ""
	for i, text := range all {
		box += "From a@example.org Mon Jan  1 00:00:00 2024\n" + text + "\n"
		name := filepath.Join(dir, "maildir", []string{"cur", "new"}[i%2], fmt.Sprintf("1700000000.%d.host", i))
		err = errors.Join(err, os.WriteFile(name, []byte(text), 0o666))
	}
	return errors.Join(err, os.WriteFile(filepath.Join(dir, "box"), []byte(box), 0o666))
}
