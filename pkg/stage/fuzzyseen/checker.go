package fuzzyseen

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/line"
	"doppel/pkg/msg"
	"doppel/pkg/seen"
	"doppel/pkg/tool"
)

// A checker looks sums up in a cache.
type checker struct {
	env     *tool.Env
	options *Options
	path    string      // name of the cache, or ""
	cache   *seen.Cache // nil until a sum has been read, because the cache is for the scheme of the sums
	scheme  string
	read    int64 // number of lines read
}

// withCache locks the cache and calls fn with its content. Unless --look is given, fn may change
// the content.
func (c *checker) withCache(fn func(*seen.Ring) error) error {
	use := c.cache.Update
	if c.options.Look {
		use = c.cache.View
	}
	err := use(fn)
	if errors.As(err, new(*seen.SchemeError)) {
		err = msg.WithHint(err, "use a new cache, and fill it from a mailbox, for example with '{fuzzysum} --mime --mbox inbox | {fuzzyseen} -f NEW'")
	}
	return err
}

// check reports whether a sum was seen before. If not, it adds the sum, unless --look is given.
func (c *checker) check(r *seen.Ring, sum fuzzysum.Sum) bool {
	was := r.Seen(sum, c.options.Distance)
	if !was && !c.options.Look {
		r.Add(sum)
	}
	return was
}

// parseSum returns the sum on a line, which has tab-separated columns or is a JSON object. The scheme
// of the sum must be that of the lines before.
func (c *checker) parseSum(text []byte) (fuzzysum.Sum, error) {
	var l line.Sum
	if err := l.Parse(bytes.TrimRight(text, " \r\n\x00")); err != nil {
		return fuzzysum.Sum{}, err
	}
	scheme, digits := "", l.Sum
	if at := bytes.LastIndexByte(l.Sum, ':'); at >= 0 {
		scheme, digits = string(l.Sum[:at]), l.Sum[at+1:]
	}
	sum, err := fuzzysum.Parse(digits)
	switch {
	case err != nil:
		return sum, err
	case len(scheme) > seen.MaxScheme:
		return sum, fmt.Errorf("the scheme of the sum has %d bytes: want at most %d", len(scheme), seen.MaxScheme)
	case c.cache == nil:
		c.scheme, c.cache = scheme, seen.New(c.path, scheme, int64(c.options.Max))
	case c.scheme != scheme:
		return sum, fmt.Errorf("the scheme of the sum is %q, but that of the sums before is %q", scheme, c.scheme)
	}
	return sum, nil
}

// singleMax is the maximum number of bytes that checkOne reads, enough for a sum and a long name.
const singleMax = 1 << 16

// checkOne reads one sum and looks it up. If the sum is new, it returns an error that sets the exit
// status to 1.
func (c *checker) checkOne(in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, singleMax))
	if err != nil {
		return err
	}
	if n := bytes.IndexByte(text, c.env.Terminator()); n >= 0 && n+1 < len(text) {
		return msg.WithHint(errors.New("standard input has more than one line"), "use --filter")
	}
	sum, err := c.parseSum(text)
	if err != nil {
		return fmt.Errorf("<stdin>: %w", err)
	}
	was := false
	err = c.withCache(func(r *seen.Ring) error {
		was = c.check(r, sum)
		return nil
	})
	if err == nil && !was {
		err = tool.Exit(tool.ExitNothing)
	}
	return err
}

// filterLines writes the lines whose sums are new or, with --invert, were seen before. Without -k,
// it stops at the first line without a valid sum. It locks the cache for each batch of lines that
// can be read without waiting. It writes the lines of a batch before it stores their sums, so that
// no line is lost if the process is killed; some lines may then be written again by the next run.
func (c *checker) filterLines(in *bufio.Reader) error {
	for {
		lines, rerr := c.readLines(in)
		var sums []fuzzysum.Sum
		var bad error
		for i, text := range lines {
			c.read++
			sum, err := c.parseSum(text)
			if err != nil {
				lines[i] = nil
				if bad = c.env.Skip(fmt.Errorf("<stdin>:%d: %w", c.read, err)); bad != nil {
					lines = lines[:i]
					break
				}
			}
			sums = append(sums, sum)
		}
		var err error
		if c.cache != nil {
			err = c.withCache(func(r *seen.Ring) error {
				for i, text := range lines {
					if text != nil && c.check(r, sums[i]) == c.options.Invert {
						c.env.Out.Write(text)
					}
				}
				return c.env.Out.Flush()
			})
		}
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

// readLines waits for the next line. It returns this line and all further lines that are completely
// buffered, each with its terminator. The lines are valid until the next call.
func (c *checker) readLines(in *bufio.Reader) (all [][]byte, err error) {
	end := c.env.Terminator()
	for whole := true; whole && err == nil; {
		var text, rest []byte
		if text, err = in.ReadSlice(end); err == bufio.ErrBufferFull {
			text = bytes.Clone(text)
			rest, err = in.ReadBytes(end)
			text = append(text, rest...)
		}
		if len(text) > 0 {
			all = append(all, text)
		}
		buffered, _ := in.Peek(in.Buffered())
		whole = bytes.IndexByte(buffered, end) >= 0
	}
	return all, err
}
