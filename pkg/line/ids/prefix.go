package ids

import (
	"slices"
	"strings"
)

// prefixes gives each prefix of an id a number, from 0. A prefix is the part of an id before its
// ordinal: a file name with a colon, or the empty string. After mostPrefixes prefixes, a new prefix
// never gets a number, so each id always has the same encoding.
type prefixes struct {
	all     []string
	numbers map[string]int
	last    int // the prefix number returned last
}

// mostPrefixes is the maximum number of prefixes. It limits the memory for ids that only look like
// file:ordinal, such as hosts with ports.
const mostPrefixes = 1 << (63 - ordinalBits)

// number returns the number of a prefix. The second argument decides whether a new prefix gets a
// number; if not, the call is safe for concurrent use.
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

// ranks returns the rank of each prefix in byte order.
func (p *prefixes) ranks() []uint32 {
	order := Numbers(len(p.all))
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(p.all[a], p.all[b]) })
	return Ranks(order)
}
