//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// wholeCache reads a cache of fuzzyseen as its page describes it: slots of 16
// bytes, a first one with a magic word and their number, and sums that stand in
// one piece of the ring.
func wholeCache(data string) error {
	if data == "" || strings.HasPrefix(data, absent) {
		return nil // made, and nothing written yet; or not there
	}
	if len(data) < 16 || data[:8] != "fzseen1\n" {
		return fmt.Errorf("cache: begins with %q", data[:min(16, len(data))])
	}
	slots := binary.LittleEndian.Uint64([]byte(data[8:16]))
	if body := uint64(len(data)) - 16; body%16 != 0 || body/16 > slots {
		return fmt.Errorf("cache: %d bytes for %d slots", body, slots)
	}
	if n := pieces(data[16:], slots); n > 1 {
		return fmt.Errorf("cache: the sums stand in %d pieces of the ring", n)
	}
	return nil
}

// pieces counts the runs of sums on the ring; what lies beyond the end of the
// file is zeros.
func pieces(body string, slots uint64) (n int) {
	const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	before := uint64(len(body))/16 == slots && slots > 0 && body[len(body)-16:] != zeros
	for at := 0; at+16 <= len(body); at += 16 {
		sum := body[at:at+16] != zeros
		if sum && !before {
			n++
		}
		before = sum
	}
	return n
}

// cacheTrials let the disk of a cache be full, and its system calls fail.
func cacheTrials() (trials []trial) {
	for i := range diskSteps {
		trials = append(trials, trial{fmt.Sprintf("disk/full-o/fuzzyseen/%02d", i), func(r *room) error {
			if err := r.full("o", 4096*(1+i), 16); err != nil {
				return err
			}
			return cacheFails(r, asIs)
		}})
	}
	return append(trials, callTrials("fuzzyseen", failures, []int{1, 2, 3, 4, 5, 6, 7, 8}, func(r *room, f failure, n int) error { return cacheFails(r, f.at(n)) })...)
}

// tellSums is a run that tells sums to a cache.
func tellSums(r *room, cache string) command {
	return command{args: strings.Fields("fuzzyseen -D 64K -f " + cache), stdin: slow(r.input("manysums"))}
}

// cacheFails harms a run that may fail, and lets one on what it left of the
// cache do its work: the cache is whole, and no line with a new sum is
// missing from both outputs.
func cacheFails(r *room, h harm) error {
	o, err := h(r, tellSums(r, "o/cache"), 0)
	if err != nil {
		return err
	}
	if o.status != 0 && o.status != 2 {
		return fmt.Errorf("status %d", o.status)
	}
	left := r.read("o/cache")
	if err := wholeCache(left); err != nil {
		return err
	}
	if !strings.HasPrefix(left, absent) {
		r.breaks(r.write("i/cache", []byte(left)))
	}
	again := r.run(tellSums(r, "i/cache"))
	return within("lost", linesOf(r.input("manysums")), linesOf([]byte(o.stdout+again.stdout)))
}
