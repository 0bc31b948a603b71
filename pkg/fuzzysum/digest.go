package fuzzysum

import (
	"crypto/sha256"
	"hash"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// digest returns the exact sum of a text: the digits e8ac7, then the first 27 digits of its
// SHA-256.
func digest(text []byte) Sum {
	full := sha256.Sum256(text)
	return markDigest(full[:])
}

// markDigest shifts a SHA-256 by five digits to make room for the mark.
func markDigest(full []byte) Sum {
	s := Sum{0xe8, 0xac, 0x70 | full[0]>>4}
	for i := 3; i < len(s); i++ {
		s[i] = full[i-3]<<4 | full[i-2]>>4
	}
	return s
}

// A normalizer digests a text with each character folded and each run of white space replaced
// by one space, and removed at the ends. Punctuation is kept: messages of a single line may
// differ only in it.
//
// Most texts have enough words and need no digest, so the start of a text is only stored at
// first. Digesting it at once took a third of the time for an mbox of short messages.
type normalizer struct {
	held    []byte // text not yet digested
	runes   *runeCache
	sha     hash.Hash
	begun   bool // there was text
	pending bool // followed by white space
	buf     []byte
}

// heldSize is the number of bytes held before they are digested.
const heldSize = 4096

func (n *normalizer) reset() {
	n.held = n.held[:0]
	n.sha.Reset()
	n.begun, n.pending = false, false
}

// addText adds p, which must end with a complete character and be no longer than piece.
func (n *normalizer) addText(p []byte) {
	if len(n.held)+len(p) > heldSize {
		n.flush()
	}
	n.held = append(n.held, p...)
}

func (n *normalizer) flush() {
	n.buf = n.buf[:0]
	for p := n.held; len(p) > 0; {
		r, size := utf.Decode(p)
		switch {
		case r == utf8.RuneError: // the character itself, or a byte that is not UTF-8
			n.writeSpace()
			n.buf = append(n.buf, p[:size]...)
		case r == ' ' || '\t' <= r && r <= '\r':
			n.pending = n.begun
		case r < utf8.RuneSelf:
			n.writeSpace()
			if folded := ascii[r]; folded < separator {
				r = rune(folded)
			}
			n.buf = append(n.buf, byte(r))
		default:
			known := n.runes.lookup(r)
			if known.space {
				n.pending = n.begun
				break
			}
			n.writeSpace()
			for text := known.folded; text != 0; text >>= 8 {
				n.buf = append(n.buf, byte(text))
			}
		}
		p = p[size:]
	}
	n.sha.Write(n.buf)
	n.held = n.held[:0]
}

func (n *normalizer) writeSpace() {
	if n.pending {
		n.buf = append(n.buf, ' ')
	}
	n.begun, n.pending = true, false
}

// digest returns the exact sum of the text so far.
func (n *normalizer) digest() Sum {
	n.flush()
	var full [sha256.Size]byte
	return markDigest(n.sha.Sum(full[:0]))
}
