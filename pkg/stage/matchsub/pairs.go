package matchsub

import (
	"sync/atomic"

	"doppel/pkg/line"
	"doppel/pkg/msg"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// A pair is a parsed line of the input.
type pair struct {
	line.Pair
	err error // set if the line is not a valid pair
}

// pairs reads pairs as they are needed, so that matches are written while the program that writes
// the pairs still runs. With --records, readRecords reads all pairs first.
type pairs struct {
	rd    *record.Reader
	queue []pair
}

// next returns the next pair, or io.EOF.
func (p *pairs) next() (pair, error) {
	for len(p.queue) == 0 {
		var b record.Batch // must not be reused, because the pairs point into it
		if err := p.rd.Next(&b); err != nil {
			return pair{}, err
		}
		p.queue = make([]pair, len(b.Records))
		for i, rec := range b.Records {
			err := p.queue[i].Parse(rec.Raw)
			if err == nil && rec.Ordinal == 0 {
				err = lineio.Refuse(rec.Raw, "pairs", "groups", "signatures", "decisions", "keys")
			}
			if err != nil {
				p.queue[i].err = rec.At(err)
			}
		}
	}
	first := p.queue[0]
	p.queue = p.queue[1:]
	return first, nil
}

// A result is the output for one pair, or an error.
type result struct {
	out  []byte // the first lines of the pair
	rest rest   // writes the other lines; nil if there are none
	left excess // matches omitted because of Most or maxHeld
	err  error
}

// A rest holds the lines of a pair that are not formatted until they are written, because they may
// take too much memory.
type rest interface {
	// write writes the lines, and returns the number of bytes written.
	write(e *tool.Env) (written int64, err error)
}

// process runs workers, made by newWork, on all pairs in parallel, and writes the results in order.
// total is the limit of the output in bytes, or 0 for no limit. When the output reaches the limit,
// process only counts the remaining pairs.
func (p *pairs) process(e *tool.Env, total int64, newWork func() func(pair) result) error {
	var left excess
	pairs, passed, written := 0, 0, int64(0)
	var full atomic.Bool // set when the output reaches the limit
	newBounded := func() func(pair) result {
		work := newWork()
		return func(one pair) result {
			if full.Load() && one.err == nil {
				return result{}
			}
			return work(one)
		}
	}
	err := par.Ordered(e.Jobs, p.next, newBounded, func(r result) error {
		if err := e.Skip(r.err); err != nil {
			return err
		}
		e.Progress.Add(1, int64(len(r.out)))
		if full.Load() {
			if r.err == nil {
				passed++
			}
			return nil
		}
		if _, err := e.Out.Write(r.out); err != nil {
			return err
		}
		if r.rest != nil {
			n, err := r.rest.write(e)
			written += n
			if err != nil {
				return err
			}
		}
		if r.left.matches > 0 {
			left = left.plus(r.left)
			pairs++
		}
		if written += int64(len(r.out)); total > 0 && written >= total {
			full.Store(true)
		}
		return nil
	})
	if err == nil && passed > 0 {
		e.Note("the matches of the last %s are left out, after %.1f MB; --total 0 writes all, --summary one line per pair",
			msg.Number(passed, "pair"), float64(written)/1e6)
	}
	if err == nil && pairs > 0 {
		e.Note("the smaller matches of %s are left out: %d, with %.1f MB of text; --most 0 writes up to %d of each pair",
			msg.Number(pairs, "pair"), left.matches, float64(left.text)/1e6, maxHeld)
	}
	return err
}
