//go:build linux

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// A mutation harms data. The same random numbers harm it in the same way.
type mutation struct {
	name  string
	apply func(r *rand.Rand, data []byte) []byte
}

// flips are the mutations besides the cuts.
var flips = []mutation{
	{"bit", func(r *rand.Rand, d []byte) []byte { d[r.IntN(len(d))] ^= 1 << r.IntN(8); return d }},
	{"byte", func(r *rand.Rand, d []byte) []byte { d[r.IntN(len(d))] = byte(r.IntN(256)); return d }},
	{"edge", func(r *rand.Rand, d []byte) []byte {
		d[r.IntN(len(d))] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
		return d
	}},
	{"head", func(r *rand.Rand, d []byte) []byte { d[r.IntN(min(64, len(d)))] = byte(r.IntN(256)); return d }},
	{"tail", func(r *rand.Rand, d []byte) []byte {
		d[len(d)-1-r.IntN(min(2000, len(d)))] = byte(r.IntN(256))
		return d
	}},
	{"footer", footer},
	{"several", several},
	{"zeros", func(r *rand.Rand, d []byte) []byte { clear(span(r, d)); return d }},
	{"remove", func(r *rand.Rand, d []byte) []byte { return bytes.Join(around(r, d), nil) }},
	{"repeat", repeat},
	{"syntax", syntax},
}

// footer harms the footer of a Parquet file, whose length stands before the
// last four bytes, with what is an extreme of the numbers there.
func footer(r *rand.Rand, d []byte) []byte {
	size := 400
	if len(d) > 12 && string(d[len(d)-4:]) == "PAR1" {
		size = int(binary.LittleEndian.Uint32(d[len(d)-8:]))
	}
	end := max(1, len(d)-8)
	at := max(0, end-1-r.IntN(min(end, size)))
	d[at] = []byte{0, 1, 2, 0x15, 0x19, 0x1c, 0x7f, 0x80, 0xfe, 0xff}[r.IntN(10)]
	return d
}

func several(r *rand.Rand, d []byte) []byte {
	for range 2 + r.IntN(8) {
		d[r.IntN(len(d))] = byte(r.IntN(256))
	}
	return d
}

// span returns a piece of data of up to 64 bytes.
func span(r *rand.Rand, d []byte) []byte {
	at := r.IntN(len(d))
	return d[at:min(len(d), at+1+r.IntN(64))]
}

// around returns what is before and behind such a piece.
func around(r *rand.Rand, d []byte) [][]byte {
	at := r.IntN(len(d))
	return [][]byte{d[:at], d[min(len(d), at+1+r.IntN(64)):]}
}

func repeat(r *rand.Rand, d []byte) []byte {
	parts := around(r, d)
	piece := span(r, d)
	return bytes.Join([][]byte{parts[0], piece, piece, parts[1]}, nil)
}

// syntax puts in what means something to a parser.
func syntax(r *rand.Rand, d []byte) []byte {
	words := []string{"\t", "\n", "\r\n", "\x00", "\"", "\\", "{", "}", "[", ",", "-", "1e999", "NaN", "\xff", "\\ud800", "null", "99999999999999999999"}
	at := r.IntN(len(d) + 1)
	return bytes.Join([][]byte{d[:at], []byte(words[r.IntN(len(words))]), d[at:]}, nil)
}

// cut returns the mutation that leaves the i-th of n parts of data; the last
// ones leave all but a few bytes.
func cut(i, n int) mutation {
	return mutation{fmt.Sprintf("cut%03d", i), func(_ *rand.Rand, d []byte) []byte {
		if near := n - i; near <= 8 {
			return d[:max(0, len(d)-near)]
		}
		return d[:len(d)*i/n]
	}}
}
