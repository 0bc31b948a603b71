package seal

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// A Broken error says why lines are not those that a seal was made of.
type Broken struct{ why string }

func (b *Broken) Error() string { return b.why }

// A Reader passes on lines without seals, and holds them against the seals.
//
// A regular file has each seal before the lines that it covers. A pipe may carry what another
// program has made of sealed lines: there seals are left out wherever they are, and at the end
// all lines must be those of all seals, in any order.
type Reader struct {
	r       *bufio.Reader
	changed func(*Broken) // of a pipe: reports that lines are other ones; nil for a file
	within  bool          // a line has begun
	err     error

	covered bool // in a file: by the last seal
	want    content
	form    Form

	any   bool // in a pipe: there was a seal
	total content

	sums lineSums // of what the last seal covers, or of the whole pipe
}

// NewReader returns a reader of the lines of a file, or of a pipe, for which changed is set.
// Null says that NUL ends them.
func NewReader(r *bufio.Reader, null bool, changed func(*Broken)) *Reader {
	return &Reader{r: r, changed: changed, sums: newLineSums(Form{Null: null})}
}

// Begins reports whether a stream begins with a seal, broken or not.
func Begins(r *bufio.Reader) bool {
	text, _ := r.Peek(len(object))
	return bytes.HasPrefix(text, []byte(mark)) || bytes.HasPrefix(text, []byte(object))
}

func (r *Reader) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.err == nil && n == 0 {
		n, r.err = r.next(p)
	}
	if n > 0 {
		return n, nil
	}
	return 0, r.err
}

// next reads some bytes of lines, or a seal.
func (r *Reader) next(p []byte) (int, error) {
	if r.covered { // so that no line of it is a seal
		n, err := r.r.Read(p[:min(int64(len(p)), r.want.bytes-r.sums.done.bytes)])
		if n > 0 {
			return n, r.cover(p[:n])
		}
		return 0, r.end(err)
	}
	if !r.within && Begins(r.r) {
		return 0, r.open()
	}
	if _, err := r.r.Peek(1); err != nil {
		return 0, r.end(err)
	}
	text, _ := r.r.Peek(r.r.Buffered())
	n := copy(p, text[:beforeSeal(text)])
	r.r.Discard(n)
	r.within = !endsLine(p[n-1])
	if r.changed != nil {
		r.sums.add(p[:n])
	}
	return n, nil
}

// open reads a seal.
func (r *Reader) open() error {
	text, _ := r.r.Peek(len(Form{JSON: true}.Draft()))
	c, form, ok := parse(text)
	if !ok {
		return &Broken{"the seal in the first line is damaged"}
	}
	r.r.Discard(len(form.Draft()))
	if r.changed == nil {
		r.covered, r.want, r.form, r.sums = true, c, form, newLineSums(form)
		return r.cover(nil)
	}
	r.any = true
	r.total.lines += c.lines
	r.total.bytes += c.bytes
	r.total.sum += c.sum
	return nil
}

// cover holds bytes that are passed on against the seal, when they are the last.
func (r *Reader) cover(p []byte) error {
	if r.sums.add(p); r.sums.done.bytes < r.want.bytes {
		return nil
	}
	r.covered = false
	r.within = len(p) > 0 && !endsLine(p[len(p)-1])
	if r.sums.content(r.form) != r.want {
		return errChanged
	}
	return nil
}

// errChanged is the error of lines that do not match their seal.
var errChanged = &Broken{"the lines are not those that were sealed: they are damaged, or were changed"}

// end returns the error of the end of the stream.
func (r *Reader) end(err error) error {
	switch {
	case err != io.EOF:
		return err
	case r.covered:
		return &Broken{fmt.Sprintf("the tail is missing: %d of %d sealed bytes", r.want.bytes-r.sums.done.bytes, r.want.bytes)}
	case r.any: // the same lines, in any order
		if c := r.sums.content(r.form); c.lines != r.total.lines || c.bytes != r.total.bytes || c.sum != r.total.sum {
			r.changed(errChanged)
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
	line := max(bytes.LastIndexByte(text, '\n'), bytes.LastIndexByte(text, 0)) + 1
	if line > 0 && len(text)-line < len(object) {
		return line // the start of the next line is still to come
	}
	return len(text)
}

// endsLine reports whether a byte ends a line.
func endsLine(b byte) bool { return b == '\n' || b == 0 }
