package main

import (
	"math"
	"math/bits"
)

// random is a small generator (wyrand), one a record: math/rand/v2 costs an
// interface call a number, which is as much as all the rest.
type random uint64

const (
	step  = 0xa0761d6478bd642f
	twist = 0xe7037ed1a0b428db
)

// newRandom returns the generator of one use of one record.
func newRandom(seed, record, use uint64) random {
	r := random(seed*step + use)
	r = random(r.next() ^ record*twist)
	return random(r.next())
}

func (r *random) next() uint64 {
	*r += step
	hi, lo := bits.Mul64(uint64(*r), uint64(*r)^twist)
	return hi ^ lo
}

// below returns a number in [0, n).
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// float returns a number in [0, 1).
func (r *random) float() float64 { return float64(r.next()>>11) / (1 << 53) }

// normal returns a standard normal number (Box and Muller).
func (r *random) normal() float64 {
	return math.Sqrt(-2*math.Log(1-r.float())) * math.Cos(2*math.Pi*r.float())
}
