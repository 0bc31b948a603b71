package mail

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io"
	"mime"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// decode returns the body of a part without its transfer encoding, and whether the whole body is
// encoded as the standard requires. What is not is decoded as far as possible, as mail readers do.
func (p *part) decode() (text []byte, ok bool) {
	if !p.isDecoded {
		p.isDecoded, p.decoded, p.isWhole = true, p.body, true
		switch p.encoding {
		case "base64":
			p.decoded, p.isWhole = decodeBase64(p.body), isWholeBase64(p.body)
		case "quoted-printable":
			p.decoded, p.isWhole = decodeQuotedPrintable(p.body), !strayEquals().Match(p.body)
		}
	}
	return p.decoded, p.isWhole
}

// strayEquals matches an equals sign that quoted-printable does not allow.
var strayEquals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`=(?:$|[^0-9A-Fa-f\s]|[0-9A-Fa-f](?:$|[^0-9A-Fa-f])|[ \t]+[^ \t\r\n])`)
})

// isWholeBase64 reports whether a body has only base64 and white space: the groups of four
// characters are complete, and nothing follows the padding.
func isWholeBase64(body []byte) bool {
	characters, padded := 0, false
	for _, b := range body {
		switch {
		case b == '=' || !padded && isBase64(b):
			characters, padded = characters+1, b == '='
		case b != ' ' && b != '\t' && b != '\r' && b != '\n':
			return false
		}
	}
	return characters%4 == 0
}

// decodeBase64 decodes the base64 characters in text and ignores all others, as mail readers do.
// Four characters encode three bytes. If a single character is left over at the end, it is ignored.
func decodeBase64(text []byte) []byte {
	letters := make([]byte, 0, len(text))
	for _, b := range text {
		if isBase64(b) {
			letters = append(letters, b)
		}
	}
	if len(letters)%4 == 1 {
		letters = letters[:len(letters)-1]
	}
	n, _ := base64.RawStdEncoding.Decode(letters, letters)
	return letters[:n]
}

// decodeQuotedPrintable decodes "=XX" and joins lines at a trailing "=". Any other "=" is kept.
// Each byte is examined only a few times, so the time is linear even for a line with megabytes of
// "=".
func decodeQuotedPrintable(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for {
		n := bytes.IndexByte(text, '=')
		if n < 0 {
			return append(out, text...)
		}
		out, text = append(out, text[:n]...), text[n+1:]
		if len(text) == 0 {
			return out
		}
		rest := bytes.TrimLeftFunc(text, func(r rune) bool { return r != '\n' && unicode.IsSpace(r) })
		if len(rest) > 0 && rest[0] == '\n' {
			text = rest[1:]
			continue
		}
		var b [1]byte
		if n, err := hex.Decode(b[:], text[:min(2, len(text))]); n == 0 || err != nil {
			out = append(out, '=')
			continue
		}
		out, text = append(out, b[0]), text[2:]
	}
}

// decodeWords decodes the encoded words of a header field (RFC 2047).
func decodeWords(value []byte) []byte {
	if !bytes.Contains(value, []byte("=?")) {
		return value
	}
	words := mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
		text, err := io.ReadAll(in)
		return bytes.NewReader(decodeCharset(text, charset)), err
	}}
	// Different invalid bytes must not become the same U+FFFD.
	if text, err := words.DecodeHeader(string(value)); err == nil && !strings.ContainsRune(text, utf8.RuneError) {
		return []byte(text)
	}
	return value
}
