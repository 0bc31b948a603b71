package ids

import (
	"slices"
	"strings"
)

// Prefixes are what stands before the ordinals of ids, numbered from 0: names of
// files, each with its colon, or nothing. Past mostPrefixes of them further ones
// get no number, then or later, so that an id has one form for good.
type prefixes struct {
	all     []string
	numbers map[string]int
	last    int // the number that was given last
}

// mostPrefixes bounds what is spent on ids that are no file:ordinal and look like
// it, such as hosts with their ports.
const mostPrefixes = 1 << (63 - ordinalBits)

// number returns the number of a prefix. A new one gets a number only where it
// may; then there must be no other goroutine.
func (p *prefixes) number(prefix []byte, may bool) (number int, ok bool) {
	if may && p.last < len(p.all) && p.all[p.last] == string(prefix) {
		return p.last, true
	}
	number, ok = p.numbers[string(prefix)]
	if !may {
		return number, ok
	}
	if !ok && len(p.all) < mostPrefixes {
		if p.numbers == nil {
			p.numbers = map[string]int{}
		}
		number, ok = len(p.all), true
		p.all, p.numbers[string(prefix)] = append(p.all, string(prefix)), number
	}
	p.last = number
	return number, ok
}

// ranks returns the places of the prefixes in the order of their bytes.
func (p *prefixes) ranks() []uint32 {
	order := Numbers(len(p.all))
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(p.all[a], p.all[b]) })
	return Ranks(order)
}
