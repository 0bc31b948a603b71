package seal

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// A Broken error says why lines do not match their seal.
type Broken struct{ why string }

func (b *Broken) Error() string { return b.why }

// A Reader reads lines, leaves out their seals, and checks the lines against the seals.
//
// In a regular file, each seal precedes the lines that it covers. In a pipe, another program may
// have sorted or joined sealed lines. So for a pipe, the Reader removes seals wherever they are. At
// the end of the pipe, the lines must be exactly those that the seals cover, in any order.
type Reader struct {
	r          *bufio.Reader
	pipe       bool              // the input is not a regular file
	note       func(note string) // called at each seal, and if the lines of a pipe do not match the seals
	withinLine bool              // the next byte is not the first of a line
	err        error

	covered bool // in a file: the next byte is covered by the last seal
	want    content
	form    form

	any   bool // in a pipe: the Reader has read a seal
	total content

	sums lineSums // sums of the lines covered by the last seal, or of the whole pipe
}

// NewReader returns a Reader for a regular file or for a pipe. If null is true, lines end in NUL.
// The Reader calls the function note with a message for each seal, and with another one if the lines
// of a pipe do not match the seals.
func NewReader(r *bufio.Reader, null, pipe bool, note func(string)) *Reader {
	return &Reader{r: r, pipe: pipe, note: note, sums: newLineSums(form{Null: null})}
}

// begins reports whether a stream starts with a seal, which may be damaged.
func begins(r *bufio.Reader) bool {
	text, _ := r.Peek(len(object))
	return bytes.HasPrefix(text, []byte(mark)) || bytes.HasPrefix(text, []byte(object))
}

func (r *Reader) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.err == nil && n == 0 {
		n, r.err = r.readSome(p)
	}
	if n > 0 {
		return n, nil
	}
	return 0, r.err
}

// readSome reads part of the lines into p, or skips a seal and returns 0.
func (r *Reader) readSome(p []byte) (int, error) {
	if r.covered { // a covered line is never a seal
		n, err := r.r.Read(p[:min(int64(len(p)), r.want.bytes-r.sums.done.bytes)])
		if n > 0 {
			return n, r.coverBytes(p[:n])
		}
		return 0, r.endError(err)
	}
	if !r.withinLine && begins(r.r) {
		return 0, r.openSeal()
	}
	if _, err := r.r.Peek(1); err != nil {
		return 0, r.endError(err)
	}
	text, _ := r.r.Peek(r.r.Buffered())
	n := copy(p, text[:beforeSeal(text)])
	r.r.Discard(n)
	r.withinLine = !endsLine(p[n-1])
	if r.pipe {
		r.sums.addBytes(p[:n])
	}
	return n, nil
}

func (r *Reader) openSeal() error {
	text, _ := r.r.Peek(form{JSON: true}.sealBytes())
	c, f, ok := parseSeal(text)
	if !ok {
		return &Broken{"the seal in the first line is damaged"}
	}
	r.r.Discard(f.sealBytes())
	r.note(sealedBefore)
	if !r.pipe {
		r.covered, r.want, r.form, r.sums = true, c, f, newLineSums(f)
		return r.coverBytes(nil)
	}
	r.any = true
	r.total.lines += c.lines
	r.total.bytes += c.bytes
	r.total.sum += c.sum
	return nil
}

// coverBytes adds bytes to the sums, and after the last covered byte compares the sums with the
// seal.
func (r *Reader) coverBytes(p []byte) error {
	if r.sums.addBytes(p); r.sums.done.bytes < r.want.bytes {
		return nil
	}
	r.covered = false
	r.withinLine = len(p) > 0 && !endsLine(p[len(p)-1])
	if r.sums.content(r.form) != r.want {
		return errChanged
	}
	return nil
}

// sealedBefore is the note about an input with a seal.
const sealedBefore = "sealed by an earlier version: the lines are checked, and the seal is left out"

// errChanged means that the lines do not match their seal.
var errChanged = &Broken{"the lines do not match the seal: they were damaged or changed"}

// endError returns the error for the end of the stream. It returns any err other than io.EOF
// unchanged.
func (r *Reader) endError(err error) error {
	switch {
	case err != io.EOF:
		return err
	case r.covered:
		return &Broken{fmt.Sprintf("the tail is missing: %d of %d sealed bytes", r.want.bytes-r.sums.done.bytes, r.want.bytes)}
	case r.any: // the pipe must contain exactly the sealed lines, in any order
		if c := r.sums.content(r.form); c.lines != r.total.lines || c.bytes != r.total.bytes || c.sum != r.total.sum {
			r.note(errChanged.why)
		}
	}
	return io.EOF
}

// beforeSeal returns how many bytes of text come before a line that may be a seal.
func beforeSeal(text []byte) int {
	name := []byte("#doppel")
	for at := 0; ; {
		i := bytes.Index(text[at:], name)
		if i < 0 {
			break
		}
		at += i
		start := at
		if bytes.HasSuffix(text[:at], []byte(`{"`)) {
			start -= 2
		}
		if start > 0 && endsLine(text[start-1]) {
			return start
		}
		at++
	}
	tail := max(0, len(text)-len(object))
	if line := max(bytes.LastIndexByte(text[tail:], '\n'), bytes.LastIndexByte(text[tail:], 0)); line >= 0 {
		return tail + line + 1 // text ends too early to show whether the next line is a seal
	}
	return len(text)
}

func endsLine(b byte) bool { return b == '\n' || b == 0 }
