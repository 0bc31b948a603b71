package fingerprint

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// A Unit is the unit in which the length of a window is measured.
type Unit byte

const (
	Bytes Unit = 'b' // bytes of the text
	Chars Unit = 'c' // code points of the text
	Words Unit = 'w' // words, each given by the caller as a value
)

// A Criterion keeps the fingerprints h with h & Mask == Value.
type Criterion struct{ Value, Mask uint64 }

// LowBits returns the criterion that the n low bits are zero. This criterion keeps one fingerprint
// in 2^n. n must be from 0 to 63.
func LowBits(n int) Criterion { return Criterion{Mask: 1<<n - 1} }

// parseCriterion parses a number of low bits ("8") or VALUE/MASK ("0x5/0xff").
func parseCriterion(s string) (Criterion, error) {
	value, mask, two := strings.Cut(s, "/")
	if !two {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > 63 {
			return Criterion{}, fmt.Errorf("invalid criterion %q: want 0 to 63 bits, or VALUE/MASK", s)
		}
		return LowBits(n), nil
	}
	v, err := strconv.ParseUint(value, 0, 64)
	m, merr := strconv.ParseUint(mask, 0, 64)
	if err = errors.Join(err, merr); err != nil {
		return Criterion{}, fmt.Errorf("invalid criterion %q: want numbers of at most 64 bits for VALUE and MASK", s)
	}
	return Criterion{v, m}, nil
}

// SetCriteria sets Criterion and Further from a comma-separated list of criteria. Each is a number
// of low bits ("8") or VALUE/MASK ("0x5/0xff").
func (p *Params) SetCriteria(text string) error {
	p.Further = nil
	for i, one := range strings.Split(text, ",") {
		c, err := parseCriterion(one)
		if err != nil {
			return err
		}
		if i == 0 {
			p.Criterion = c
		} else {
			p.Further = append(p.Further, c)
		}
	}
	return nil
}

// ParseWindow parses a unit and a number of units, such as "c50" or "w8"; "b" for bytes may be
// omitted. ParseWindow does not check whether the unit and the number are valid; Params.Check does.
func ParseWindow(s string) (Unit, int, error) {
	unit, number := Bytes, s
	if s != "" && s[0] > '9' {
		unit, number = Unit(s[0]), s[1:]
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0, 0, fmt.Errorf("invalid window %q: want a number of bytes, cN or wN", s)
	}
	return unit, n, nil
}

// Params are the parameters of a [Sampler]. They determine the fingerprints of every text.
type Params struct {
	Unit      Unit
	Window    int    // s, the number of units in a window, 1 to maxWindow
	Prime     uint64 // p, the base of the polynomial; must be prime
	Modulus   uint64 // m, the modulus of the hashes; 0 means 2^64
	Criterion Criterion
	Further   []Criterion // further criteria; a fingerprint is kept if it satisfies Criterion or any of these
	Winnow    int         // if not 0, keep the smallest of every Winnow consecutive hashes, and ignore the criteria
	Raw       bool        // use the bare polynomial: do not mix hashes, and keep padding
}

// Default uses windows of 50 bytes and keeps one fingerprint in 256. Its prime is congruent to 5
// modulo 8, so the powers of the prime have the longest possible period modulo 2^64.
var Default = Params{Unit: Bytes, Window: 50, Prime: 982451653, Criterion: LowBits(8)}

// The maximum values of Params.Window and Params.Winnow.
const (
	maxWindow = 1 << 20
	maxWinnow = 1 << 16
)

// Check returns an error if p is invalid.
func (p Params) Check() error {
	switch {
	case p.Unit != Bytes && p.Unit != Chars && p.Unit != Words:
		return fmt.Errorf("invalid unit %q: want b, c or w", p.Unit)
	case p.Window < 1 || p.Window > maxWindow:
		return fmt.Errorf("window %d: want 1 to %d", p.Window, maxWindow)
	case p.Winnow < 0 || p.Winnow > maxWinnow:
		return fmt.Errorf("winnow %d: want 0 to %d", p.Winnow, maxWinnow)
	case !new(big.Int).SetUint64(p.Prime).ProbablyPrime(0): // ProbablyPrime is exact below 2^64
		return fmt.Errorf("prime %d: not a prime number", p.Prime)
	case p.Prime == 2 && !p.Raw:
		return errors.New("prime 2: want another prime, because only the last 64 units of a window would count")
	}
	for _, c := range p.criteria() {
		if p.Winnow == 0 && (c.Value&^c.Mask != 0 || p.Modulus != 0 && c.Value >= p.Modulus) {
			return fmt.Errorf("criterion %#x/%#x: no fingerprint can match", c.Value, c.Mask)
		}
	}
	return nil
}

func (p Params) criteria() []Criterion { return append([]Criterion{p.Criterion}, p.Further...) }

// String returns p as one word, such as "sample/b50/p982451653/m2^64/c0:ff". With winnowing, the
// last part is the value of Winnow, such as "w64". If Raw is set, "/raw" is appended. Several
// criteria are separated by commas, as in "c0:ff,1:ff".
func (p Params) String() string {
	keep := ""
	for i, c := range p.criteria() {
		keep += fmt.Sprintf("%c%x:%x", "c,"[min(i, 1)], c.Value, c.Mask)
	}
	if p.Winnow > 0 {
		keep = fmt.Sprintf("w%d", p.Winnow)
	}
	modulus := strconv.FormatUint(p.Modulus, 10)
	if p.Modulus&(p.Modulus-1) == 0 { // 0 means 2^64, and TrailingZeros64(0) is 64
		modulus = fmt.Sprintf("2^%d", bits.TrailingZeros64(p.Modulus))
	}
	s := fmt.Sprintf("sample/%c%d/p%d/m%s/%s", p.Unit, p.Window, p.Prime, modulus, keep)
	if p.Raw {
		s += "/raw"
	}
	return s
}

// ParseParams parses the output of [Params.String]; rest is the part of s after the parameters and
// a slash.
func ParseParams(s string) (p Params, rest string, err error) {
	word := strings.SplitN(s, "/", 6)
	if len(word) < 5 || word[1] == "" || word[4] == "" {
		return p, "", notScheme(s)
	}
	// Parse errors need no check here, because they make the comparison with the output of String
	// below fail.
	p.Unit = Unit(word[1][0])
	p.Window, _ = strconv.Atoi(word[1][1:])
	p.Prime, _ = strconv.ParseUint(strings.TrimPrefix(word[2], "p"), 10, 64)
	p.Modulus, _ = ParseModulus(strings.TrimPrefix(word[3], "m"))
	if word[4][0] == 'w' {
		p.Winnow, _ = strconv.Atoi(word[4][1:])
	} else {
		for text := range strings.SplitSeq(word[4][1:], ",") {
			value, mask, _ := strings.Cut(text, ":")
			var c Criterion
			c.Value, _ = strconv.ParseUint(value, 16, 64)
			c.Mask, _ = strconv.ParseUint(mask, 16, 64)
			p.Further = append(p.Further, c)
		}
		if p.Criterion, p.Further = p.Further[0], p.Further[1:]; len(p.Further) == 0 {
			p.Further = nil
		}
	}
	if len(word) == 6 {
		first, _, _ := strings.Cut(word[5], "/")
		p.Raw = first == "raw"
	}
	rest, ok := strings.CutPrefix(s, p.String())
	if !ok || rest != "" && rest[0] != '/' {
		return p, "", notScheme(s)
	}
	return p, strings.TrimPrefix(rest, "/"), p.Check()
}

func notScheme(s string) error {
	return fmt.Errorf("invalid sample scheme %q", s)
}

// ParseModulus parses a number above 1, or a power of two written as 2^k, with k from 1 to 64.
func ParseModulus(s string) (uint64, error) {
	if exponent, ok := strings.CutPrefix(s, "2^"); ok {
		k, err := strconv.Atoi(exponent)
		if err != nil || k < 1 || k > 64 {
			return 0, fmt.Errorf("invalid modulus %q: want 2^1 to 2^64", s)
		}
		return 1 << k, nil // 1 << 64 is 0, which means 2^64
	}
	m, err := strconv.ParseUint(s, 10, 64)
	if err != nil || m < 2 {
		return 0, fmt.Errorf("invalid modulus %q: want a number above 1", s)
	}
	return m, nil
}
