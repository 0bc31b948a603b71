package mail

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// otherCharsets has the charsets of mail that the WHATWG Encoding Standard does not list.
var otherCharsets = map[string]encoding.Encoding{
	"437": charmap.CodePage437, "cp437": charmap.CodePage437, "ibm437": charmap.CodePage437,
	"850": charmap.CodePage850, "cp850": charmap.CodePage850, "ibm850": charmap.CodePage850,
	"852": charmap.CodePage852, "cp852": charmap.CodePage852, "ibm852": charmap.CodePage852,
	"858": charmap.CodePage858, "cp858": charmap.CodePage858,
	"cp932": japanese.ShiftJIS, "ms932": japanese.ShiftJIS, "x-ms-cp932": japanese.ShiftJIS,
	"cp936": simplifiedchinese.GBK, "ms936": simplifiedchinese.GBK,
	"cp949": korean.EUCKR, "ms949": korean.EUCKR, "uhc": korean.EUCKR, "x-windows-949": korean.EUCKR,
	"latin-1": charmap.Windows1252, "iso-latin-1": charmap.Windows1252, "8859-1": charmap.Windows1252, "iso8859_1": charmap.Windows1252,
	"latin-9": charmap.ISO8859_15, "latin9": charmap.ISO8859_15,
	"utf-32": utf32.UTF32(utf32.BigEndian, utf32.UseBOM), "utf-32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-16":   unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
}

// decodeCharset converts a text to UTF-8, and removes byte order marks. Text in an unknown charset
// is left unchanged.
func decodeCharset(text []byte, charset string) []byte {
	charset = strings.ToLower(strings.Trim(charset, " \t\"'"))
	switch charset {
	case "utf-7", "unicode-1-1-utf-7", "utf7":
		text = decodeUTF7(text)
	case "iso-2022-kr":
		text = decodeISO2022KR(text)
	default:
		if d := decoder(charset); d != nil {
			if decoded, err := d.Bytes(text); err == nil {
				text = decoded
			}
		}
	}
	return trimBOM(text)
}

// isCertain reports whether a text can be decoded without loss from a charset that all mail programs
// decode in the same way.
func isCertain(text []byte, charset string) bool {
	charset = strings.ToLower(strings.Trim(charset, " \t\"'"))
	switch charset {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return true
	}
	d := decoder(charset)
	if d == nil {
		return false
	}
	decoded, err := d.Bytes(text)
	if enc, _ := htmlindex.Get(charset); enc == charmap.ISO8859_8 && len(decoded) != len(text) {
		return false // some programs store its letters in the order in which they are shown
	}
	return err == nil && !bytes.ContainsRune(decoded, utf8.RuneError)
}

// decoder returns the decoder of a charset, or nil for UTF-8, ASCII and unknown charsets.
func decoder(charset string) *encoding.Decoder {
	if enc := otherCharsets[charset]; enc != nil {
		return enc.NewDecoder()
	}
	enc, err := htmlindex.Get(charset)
	if err != nil || enc == encoding.Replacement {
		return nil
	}
	if name, err := htmlindex.Name(enc); err != nil || name == "utf-8" {
		return nil
	}
	return enc.NewDecoder()
}

// decodeUTF7 decodes UTF-7 (RFC 2152): "+", the base64 of UTF-16, and an optional "-".
func decodeUTF7(text []byte) []byte {
	out := make([]byte, 0, len(text))
	utf16 := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()
	for {
		n := bytes.IndexByte(text, '+')
		if n < 0 {
			return append(out, text...)
		}
		out, text = append(out, text[:n]...), text[n+1:]
		end := 0
		for end < len(text) && isBase64(text[end]) {
			end++
		}
		if end == 0 {
			out = append(out, '+')
		}
		units := make([]byte, base64.RawStdEncoding.DecodedLen(end))
		n, _ = base64.RawStdEncoding.Decode(units, text[:end])
		decoded, _ := utf16.Bytes(units[:n&^1])
		out, text = append(out, decoded...), bytes.TrimPrefix(text[end:], []byte("-"))
	}
}

func isBase64(b byte) bool {
	return 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '+' || b == '/'
}

// decodeISO2022KR decodes ISO-2022-KR (RFC 1557): between SO and SI, or the end of the line, the
// bytes are those of EUC-KR without their highest bit.
func decodeISO2022KR(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\x1b$)C"), nil)
	euc := make([]byte, 0, len(text))
	shifted := false
	for _, b := range text {
		switch {
		case b == 0x0e || b == 0x0f:
			shifted = b == 0x0e
			continue
		case b == '\n':
			shifted = false
		case shifted && b > ' ' && b < 0x7f:
			b |= 0x80
		}
		euc = append(euc, b)
	}
	out, _ := korean.EUCKR.NewDecoder().Bytes(euc)
	return out
}
