//go:build linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// checkCache reads a cache of fuzzyseen as its page describes it: slots of 16 bytes, a
// first one with a magic word and their number, and sums in one run of the ring.
func checkCache(data string) error {
	if data == "" || strings.HasPrefix(data, absent) {
		return nil // made, and nothing written yet; or missing
	}
	if len(data) < 16 || data[:8] != "fzseen1\n" {
		return fmt.Errorf("cache: begins with %q", data[:min(16, len(data))])
	}
	slots, body := binary.LittleEndian.Uint64([]byte(data[8:16])), data[16:]
	if len(body)%16 != 0 || uint64(len(body)/16) > slots {
		return fmt.Errorf("cache: %d bytes for %d slots", len(body), slots)
	}
	// Beyond the end of the file the ring has zeros.
	zeros := strings.Repeat("\x00", 16)
	runs, before := 0, uint64(len(body)/16) == slots && slots > 0 && body[len(body)-16:] != zeros
	for ; body != ""; body = body[16:] {
		sum := body[:16] != zeros
		if sum && !before {
			runs++
		}
		before = sum
	}
	if runs > 1 {
		return fmt.Errorf("cache: the sums are in %d runs of the ring", runs)
	}
	return nil
}

// cacheUsable returns an error unless fuzzyseen left a cache that is complete and knows
// what it was given, whatever cache it was given.
func cacheUsable(s *sandbox, _ []byte) error {
	again := s.run(command{args: strings.Fields("fuzzyseen -f i/x"), stdin: s.input("manysums")})
	return errors.Join(checkCache(s.read("i/x")), again.wants(0, ""))
}

func newCacheComplete(s *sandbox, _ []byte) error { return checkCache(s.read("o/cache")) }

func noCache(s *sandbox) { os.Remove(s.path("o/cache")) }

// cacheKept is the rule of a run that was disturbed: its cache is complete, and after
// another run no line with a new sum is missing from both outputs.
func (j job) cacheKept(s *sandbox, _ *reference, o outcome, outright bool) error {
	left := s.read("o/cache")
	s.must(errors.Join(checkCache(left), s.leftovers("o", j.files, outright)))
	if !strings.HasPrefix(left, absent) {
		s.write("i/cache", []byte(left)) // on a disk that is not full
	}
	again := s.run(command{args: strings.Fields("fuzzyseen -D 64K -f i/cache"), stdin: s.input("manysums")})
	return contained("lost", linesOf(s.input("manysums")), linesOf([]byte(o.stdout+again.stdout)))
}

// shareCache lets eight processes add the same sums to one cache, some of which are
// killed. Every stored sum was passed on by one of them; without kills every sum is, by
// exactly one.
func shareCache(s *sandbox, kills int) error {
	var all []*run
	for range 8 {
		all = append(all, s.start(command{args: strings.Fields("fuzzyseen -d 0 -D 64K -f o/cache"), stdin: s.input("manysums")}))
	}
	for _, p := range all[:kills] {
		time.Sleep(time.Duration(s.rand.IntN(15)) * time.Millisecond)
		syscall.Kill(p.cmd.Process.Pid, syscall.SIGKILL)
	}
	var err error
	var passed []string
	for i, p := range all {
		o := p.wait()
		passed = append(passed, linesOf([]byte(o.stdout))...)
		if i >= kills {
			err = errors.Join(err, o.wants(0, o.stdout))
		}
	}
	err = errors.Join(err, checkCache(s.read("o/cache")), s.leftovers("o", []string{"cache"}, kills > 0))
	stored := linesOf(s.input("manysums"))
	if kills == 0 {
		return errors.Join(err, contained("passed on twice", passed, stored), contained("lost", stored, passed))
	}
	stored = linesOf([]byte(s.run(command{args: strings.Fields("fuzzyseen -d 0 -n -v -f o/cache"), stdin: s.input("manysums")}).stdout))
	return errors.Join(err, contained("stored, and passed on by nobody", stored, passed))
}

// resizeCache lets writers with two sizes replace the cache again and again.
func resizeCache(s *sandbox) (err error) {
	var all []*run
	for i := range 6 {
		size := []string{"64K", "96K"}[i%2]
		all = append(all, s.start(command{args: strings.Fields("fuzzyseen -d 0 -f o/cache -D " + size), stdin: s.input("sums")}))
	}
	for _, p := range all {
		err = errors.Join(err, p.wait().succeeded())
	}
	return errors.Join(err, checkCache(s.read("o/cache")), s.leftovers("o", []string{"cache"}, false))
}
