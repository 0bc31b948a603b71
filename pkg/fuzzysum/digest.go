package fuzzysum

import (
	"crypto/sha256"
	"hash"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// Digest returns the exact sum of a text without normalizing it.
func Digest(text []byte) Sum { return digest(text) }

// digest returns the exact sum of a text: the hexadecimal digits e8ac7, followed by the first 27
// hexadecimal digits of the SHA-256 of the text.
func digest(text []byte) Sum {
	full := sha256.Sum256(text)
	return markDigest(full[:])
}

// markDigest converts a SHA-256 hash to an exact sum.
func markDigest(full []byte) Sum {
	s := Sum{0xe8, 0xac, 0x70 | full[0]>>4}
	for i := 3; i < len(s); i++ {
		s[i] = full[i-3]<<4 | full[i-2]>>4
	}
	return s
}

// A normalizer computes the digest of a normalized text: each character is folded, each run of
// white space is replaced by one space, and white space at both ends is removed. Punctuation is
// kept, because messages of a single line may differ only in punctuation.
//
// Most texts have enough words and need no digest. So the start of a text is stored first, and
// hashed only if it turns out that a digest is needed. Hashing it immediately took a third of the
// total time for an mbox of short messages.
type normalizer struct {
	held    []byte // text not yet normalized and hashed
	runes   *runeCache
	sha     hash.Hash
	begun   bool // whether anything but white space has been seen
	pending bool // whether white space has been seen since the last other character
	buf     []byte
}

// heldSize is the maximum number of bytes that a normalizer stores before it hashes them.
const heldSize = 4096

func (n *normalizer) reset() {
	n.held = n.held[:0]
	n.sha.Reset()
	n.begun, n.pending = false, false
}

// addText adds p to the text. The argument p must end with a complete character and have at most
// [piece] bytes.
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
		case r == utf8.RuneError: // U+FFFD itself, or a byte that is not UTF-8
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

// digest returns the exact sum of the text added so far.
func (n *normalizer) digest() Sum {
	n.flush()
	var full [sha256.Size]byte
	return markDigest(n.sha.Sum(full[:0]))
}
