//go:build linux

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// checks maps names in testdata/input.txt to functions that check a run on damaged input that ended
// with status 0.
var checks = map[string]func(s *sandbox, damaged []byte) error{
	"addsUp":  addsUp,
	"counted": counted,
	// The damaged input is keepdrop's list, not its records.
	"countedFew": func(s *sandbox, _ []byte) error { return counted(s, s.input("few.jsonl")) },
	// An audit must detect any damage to the output that it checks.
	"isClean": func(s *sandbox, damaged []byte) error {
		if !bytes.Equal(damaged, s.input("clean")) {
			return errors.New("the audit accepts a damaged output")
		}
		return nil
	},
	// Every record must occur in the input, byte for byte, at least as often as in the output.
	"subset": func(s *sandbox, damaged []byte) error {
		if s.has("i/few.jsonl") {
			damaged = s.input("few.jsonl")
		}
		return contained(invented, s.lines("o/out"), linesOf(damaged))
	},
}

// anyChecks maps names in testdata/input.txt to functions that check a run on damaged input,
// whatever its exit status.
var anyChecks = map[string]func(s *sandbox, o outcome, damaged []byte) error{
	"countedWithBad": countedWithBad,
	"sameOrRefused":  sameOrRefused,
}

// addInputs adds cases in which each command in testdata/input.txt reads truncated and mutated
// copies of each of its inputs.
func addInputs(p *plan) {
	const cuts, seeds = 40, 15
	for _, reader := range scripts("input") {
		for input := range strings.FieldsSeq(reader.inputs) {
			for i := range cuts {
				p.add(func(s *sandbox) error { return reader.read(s, input, cut(i, cuts)) }, "input/%s/%s/cut/%02d", reader.name, input, i)
			}
			for _, m := range mutations {
				for i := range seeds {
					p.add(func(s *sandbox) error { return reader.read(s, input, m.apply) }, "input/%s/%s/%s/%02d", reader.name, input, m.name, i)
				}
			}
		}
	}
}

// namedTwice matches a message that names its file twice.
var namedTwice = regexp.MustCompile(`(?m)^[^:]*: i/x[.a-z]*:.*\bi/x\b.*$`)

var inputName = regexp.MustCompile(`i/[a-z0-9.]+`)

// read runs a command on a damaged input and checks the rules for all such commands: no
// unexpected files are left, and a failed run has not replaced its output.
func (reader script) read(s *sandbox, input string, damage mutation) error {
	damaged := damage(s.rand, s.input(input))
	for _, name := range inputName.FindAllString(reader.text, -1) {
		if strings.HasPrefix(name, "i/x") {
			s.write(name, damaged)
		} else {
			s.copyInputs(name[2:])
		}
	}
	s.write("o/out", []byte(old))
	c := command{args: []string{"bash", "-c", "exec " + reader.text}, most: 2 << 10}
	o := s.run(c)
	err := s.leftovers("o", []string{"out", "stats", "cache", "report", "journal"}, false)
	if line := namedTwice.FindString(o.stderr); line != "" {
		err = errors.Join(err, fmt.Errorf("a message names the file twice: %s", line))
	}
	if o.status == 2 && o.stderr == "" {
		err = errors.Join(err, errors.New("status 2 without a message"))
	}
	if o.status != 0 && !strings.Contains(reader.text, " -k ") && s.read("o/out") != old {
		err = errors.Join(err, fmt.Errorf("status %d, but the output was replaced: %s", o.status, firstLines(o.stderr, 1)))
	}
	if check := checks[reader.subject]; check != nil && o.status == 0 {
		err = errors.Join(err, check(s, damaged))
	}
	if check := anyChecks[reader.subject]; check != nil {
		err = errors.Join(err, check(s, o, damaged))
	}
	return err
}

// A mutation returns damaged data. It may change data in place. The damage depends only on data
// and on the random numbers from r.
type mutation func(r *rand.Rand, data []byte) []byte

var mutations = []struct {
	name  string
	apply mutation
}{
	{"bit", func(r *rand.Rand, d []byte) []byte { d[r.IntN(len(d))] ^= 1 << r.IntN(8); return d }},
	{"byte", func(r *rand.Rand, d []byte) []byte { d[r.IntN(len(d))] = byte(r.IntN(256)); return d }},
	{"edge", func(r *rand.Rand, d []byte) []byte { d[r.IntN(len(d))] = "\x00\x01\x7f\x80\xff"[r.IntN(5)]; return d }},
	{"head", func(r *rand.Rand, d []byte) []byte { d[r.IntN(min(64, len(d)))] = byte(r.IntN(256)); return d }},
	{"tail", func(r *rand.Rand, d []byte) []byte {
		d[len(d)-1-r.IntN(min(2000, len(d)))] = byte(r.IntN(256))
		return d
	}},
	{"footer", footer},
	{"zeros", func(r *rand.Rand, d []byte) []byte { clear(piece(r, d)); return d }},
	{"remove", func(r *rand.Rand, d []byte) []byte { return splice(r, d, nil) }},
	{"repeat", func(r *rand.Rand, d []byte) []byte { return splice(r, d, bytes.Repeat(piece(r, d), 2)) }},
	{"syntax", func(r *rand.Rand, d []byte) []byte {
		words := strings.Split("\t|\n|\r\n|\x00|\"|\\|{|}|[|,|-|1e999|NaN|\xff|\\ud800|null|99999999999999999999", "|")
		at := r.IntN(len(d) + 1)
		return bytes.Join([][]byte{d[:at], []byte(words[r.IntN(len(words))]), d[at:]}, nil)
	}},
}

// footer overwrites a byte in the footer of a Parquet file with an extreme value. The length of the
// footer is stored in the four bytes before the final "PAR1".
func footer(r *rand.Rand, d []byte) []byte {
	size := 400
	if len(d) > 12 && string(d[len(d)-4:]) == "PAR1" {
		size = int(binary.LittleEndian.Uint32(d[len(d)-8:]))
	}
	end := max(1, len(d)-8)
	d[max(0, end-1-r.IntN(min(end, size)))] = "\x00\x01\x02\x15\x19\x1c\x7f\x80\xfe\xff"[r.IntN(10)]
	return d
}

// piece returns a random piece of d, at most 64 bytes long.
func piece(r *rand.Rand, d []byte) []byte {
	at := r.IntN(len(d))
	return d[at:min(len(d), at+1+r.IntN(64))]
}

// splice replaces a random piece of d, at most 64 bytes long, with the given bytes.
func splice(r *rand.Rand, d, by []byte) []byte {
	at := r.IntN(len(d))
	return bytes.Join([][]byte{d[:at], by, d[min(len(d), at+1+r.IntN(64)):]}, nil)
}

// cut returns a mutation that truncates data to the i-th of n increasing lengths. The last eight
// lengths are 8, 7, …, 1 bytes less than the length of data.
func cut(i, n int) mutation {
	return func(_ *rand.Rand, d []byte) []byte {
		if near := n - i; near <= 8 {
			return d[:max(0, len(d)-near)]
		}
		return d[:len(d)*i/n]
	}
}
