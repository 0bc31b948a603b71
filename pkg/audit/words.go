package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"doppel/pkg/text"
)

// A Printer converts texts to prints: sets of hashed shingles, or digests. Prints can be
// compared if they are made with the same seed. Each goroutine needs its own printer.
type Printer struct {
	opt    text.Options
	seed   maphash.Seed
	ascii  [256]byte // normalised form of each ASCII character; 0 for separators and for all other bytes
	joined []byte    // words of the text, separated by spaces
	starts []int     // start offset of each word or character in joined
	ends   []int
	table  table
}

// NewPrinter returns a printer that finds shingles and normalises texts according to o.
func NewPrinter(o text.Options, seed maphash.Seed) *Printer {
	p := &Printer{opt: o, seed: seed}
	for b := range utf8.RuneSelf {
		if to, _, ok := p.classify(rune(b)); ok {
			p.ascii[b] = byte(to)
		}
	}
	return p
}

// spaceless contains the scripts in which each letter counts as a word.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// classify returns the normalised form of a character. It also reports whether the character is a
// word of its own (alone), and whether it is part of a word (ok).
func (p *Printer) classify(r rune) (to rune, alone, ok bool) {
	how := p.opt.Normalize
	if r == 0 || unicode.IsSpace(r) || how >= text.Balanced && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc) {
		return 0, false, false
	}
	alone = r > unicode.MaxLatin1 && unicode.In(r, spaceless...)
	if to = r; how != text.None {
		to = unicode.ToLower(r)
	}
	return to, alone, true
}

// split finds the words of a text and stores them in p.joined, p.starts and p.ends.
func (p *Printer) split(body []byte) {
	if p.opt.Normalize == text.Aggressive {
		body = norm.NFKD.Append(nil, body...)
	}
	p.joined, p.starts, p.ends = p.joined[:0], p.starts[:0], p.ends[:0]
	joined, open := slices.Grow(p.joined, 2*len(body)), false // open is true inside a word
	for i := 0; i < len(body); {
		if b := body[i]; b < utf8.RuneSelf {
			if p.ascii[b] == 0 {
				if open {
					p.ends, open = append(p.ends, len(joined)), false
				}
				i++
				continue
			}
			if !open {
				joined, open = p.begin(joined), true
			}
			for ; i < len(body); i++ {
				to := p.ascii[body[i]]
				if to == 0 {
					break
				}
				joined = append(joined, to)
			}
			continue
		}
		r, size := utf8.DecodeRune(body[i:])
		raw := r == utf8.RuneError && size == 1
		// An invalid UTF-8 byte is part of a word, unless the normalization is Balanced or
		// stronger.
		to, alone, ok := r, false, p.opt.Normalize < text.Balanced
		if !raw {
			to, alone, ok = p.classify(r)
		}
		if open && (!ok || alone) {
			p.ends, open = append(p.ends, len(joined)), false
		}
		if ok && !open {
			joined, open = p.begin(joined), true
		}
		switch {
		case ok && raw:
			joined = append(joined, body[i])
		case ok:
			joined = utf8.AppendRune(joined, to)
		}
		if alone {
			p.ends, open = append(p.ends, len(joined)), false
		}
		i += size
	}
	if open {
		p.ends = append(p.ends, len(joined))
	}
	p.joined = joined
}

// begin starts a word. It appends a space first, unless the word is the first one.
func (p *Printer) begin(joined []byte) []byte {
	if len(joined) > 0 {
		joined = append(joined, ' ')
	}
	p.starts = append(p.starts, len(joined))
	return joined
}

// Separate combines the hashes of a record with the record's value, so that records with
// different values have different hashes. Two of these hashes collide with the same probability as
// two hashes of shingles.
func (p *Printer) Separate(hashes []uint64, value []byte) {
	salt := p.Value(value)
	for i, hash := range hashes {
		hashes[i] = max(1, (hash^salt)*0x9e3779b97f4a7c15)
	}
}

// Value returns the hash of a value, which is never 0.
func (p *Printer) Value(value []byte) uint64 { return max(1, maphash.Bytes(p.seed, value)) }

// Shingles appends to dst the hashes of the text's distinct shingles, in text order. A text with
// fewer units than a shingle forms one shingle, and so does a text without units, unless it is empty;
// that shingle is the text itself. No hash is 0. The probability that any two of n
// shingles have the same hash is about n²/2^65.
func (p *Printer) Shingles(dst []uint64, body []byte) []uint64 {
	chars := p.opt.Shingle.Unit == text.Chars
	if chars && p.opt.Normalize == text.None {
		p.joined = append(p.joined[:0], body...)
	} else {
		p.split(body)
	}
	if chars {
		p.starts, p.ends = p.starts[:0], p.ends[:0]
		for i := 0; i < len(p.joined); {
			_, size := utf8.DecodeRune(p.joined[i:])
			p.starts, p.ends = append(p.starts, i), append(p.ends, i+size)
			i += size
		}
	}
	switch {
	case len(body) == 0:
		return dst
	case len(p.ends) == 0: // a byte that no shingle contains precedes the text
		return append(dst, max(1, maphash.Bytes(p.seed, append([]byte{0}, body...))))
	}
	n := min(p.opt.Shingle.N, len(p.ends))
	dst = slices.Grow(dst, len(p.ends))
	p.table.clear(len(p.ends))
	for i := n - 1; i < len(p.ends); i++ {
		if h := max(1, maphash.Bytes(p.seed, p.joined[p.starts[i-n+1]:p.ends[i]])); p.table.add(h) {
			dst = append(dst, h)
		}
	}
	return dst
}

// Normalized returns the normalised words of a text, separated by spaces. Without normalization, it
// returns the text itself. The result is valid until the next call.
func (p *Printer) Normalized(body []byte) []byte {
	if p.opt.Normalize == text.None {
		return body
	}
	p.split(body)
	return p.joined
}

// Digest appends the SHA-256 of a normalised text to dst. For a text with several fields, the last
// argument contains the end offset of each field; the fields are normalised separately. A text
// without words is not normalised.
func (p *Printer) Digest(dst []uint64, body []byte, ends []int) []uint64 {
	if len(ends) == 0 {
		if words := p.Normalized(body); len(words) > 0 {
			body = words
		}
		return p.DigestRaw(dst, body)
	}
	var all []byte
	start, words := 0, 0
	for _, end := range ends {
		field := p.Normalized(body[start:end])
		words += len(field)
		all = append(binary.LittleEndian.AppendUint64(all, uint64(len(field))), field...)
		start = end + 1 // fields are joined by LF
	}
	if words == 0 {
		return p.DigestRaw(dst, fmt.Append(body, ends))
	}
	return p.DigestRaw(dst, all)
}

// DigestRaw appends the SHA-256 of a text to dst, without normalising the text.
func (p *Printer) DigestRaw(dst []uint64, body []byte) []uint64 {
	sum := sha256.Sum256(body)
	for i := 0; i < len(sum); i += 8 {
		dst = append(dst, binary.LittleEndian.Uint64(sum[i:]))
	}
	return dst
}
