package fuzzyseen

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/seen"
	"doppel/pkg/tool"
)

// A checker looks sums up in a cache.
type checker struct {
	env     *tool.Env
	options *options
	cache   *seen.Cache
	line    int64 // lines read
}

// use calls fn with the cache, to change it unless --look is given.
func (c *checker) use(fn func(*seen.Ring) error) error {
	if c.options.look {
		return c.cache.View(fn)
	}
	return c.cache.Update(fn)
}

// check reports whether a sum was seen, and adds it if not.
func (c *checker) check(r *seen.Ring, sum fuzzysum.Sum) bool {
	was := r.Seen(sum, c.options.distance)
	if !was && !c.options.look {
		r.Add(sum)
	}
	return was
}

// parse returns the sum that begins a line: its first column.
func parse(line []byte) (fuzzysum.Sum, error) {
	first, _, _ := bytes.Cut(bytes.TrimRight(line, "\r\n\x00"), []byte("\t"))
	return fuzzysum.Parse(first)
}

// singleMax is more than a line with one sum and a name has.
const singleMax = 1 << 16

// single reads one sum. It ends with status 1 if that is new.
func (c *checker) single(in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, singleMax))
	if err != nil {
		return err
	}
	if n := bytes.IndexByte(text, c.env.Terminator()); n >= 0 && n+1 < len(text) {
		return tool.WithHint(errors.New("more than one line on standard input"), "use --filter")
	}
	sum, err := parse(text)
	if err != nil {
		return fmt.Errorf("<stdin>: %w", err)
	}
	was := false
	err = c.use(func(r *seen.Ring) error {
		was = c.check(r, sum)
		return nil
	})
	if err == nil && !was {
		err = tool.Exit(tool.ExitNothing)
	}
	return err
}

// filter passes lines on. The cache is locked for as many lines as are there
// without waiting. They are passed on before their sums are stored: what is cut
// off by a kill comes again, and is never lost.
func (c *checker) filter(in *bufio.Reader) error {
	for {
		lines, rerr := c.lines(in)
		var bad error
		err := c.use(func(r *seen.Ring) error {
			bad = c.pass(r, lines)
			return c.env.Out.Flush()
		})
		switch {
		case err != nil:
			return err
		case bad != nil:
			return bad
		case rerr == io.EOF:
			return nil
		case rerr != nil:
			return rerr
		}
	}
}

// lines returns the next line, which is waited for, and those that have been
// read with it. They are good until the next call.
func (c *checker) lines(in *bufio.Reader) (lines [][]byte, err error) {
	line, err := in.ReadSlice(c.env.Terminator())
	if err == bufio.ErrBufferFull {
		line = bytes.Clone(line)
		var rest []byte
		rest, err = in.ReadBytes(c.env.Terminator())
		line = append(line, rest...)
	}
	if len(line) > 0 {
		lines = append(lines, line)
	}
	for err == nil {
		ready, _ := in.Peek(in.Buffered())
		if bytes.IndexByte(ready, c.env.Terminator()) < 0 {
			break
		}
		line, err = in.ReadSlice(c.env.Terminator())
		lines = append(lines, line)
	}
	return lines, err
}

// pass writes those of the lines that are to be passed on. Without -k it ends
// at the first that has no sum.
func (c *checker) pass(r *seen.Ring, lines [][]byte) error {
	for _, line := range lines {
		c.line++
		sum, err := parse(line)
		if err != nil {
			if err := c.env.Skip(fmt.Errorf("<stdin>:%d: %w", c.line, err)); err != nil {
				return err
			}
			continue
		}
		if c.check(r, sum) == c.options.invert {
			c.env.Out.Write(line)
		}
	}
	return nil
}
