package wide

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// encode returns a text in UTF-16 with a byte order mark.
func encode(text string, order binary.AppendByteOrder) []byte {
	out := order.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

func TestParse(t *testing.T) {
	for content, want := range map[string]bool{
		"\xff\xfe":                         true,
		"\xfe\xff\x00a":                    true,
		"\xff\xfea\x00":                    true,
		"\xff\xfe\xfd\xff":                 true, // U+FFFD itself
		"\xff\xfe\x3d\xd8\x00\xde":         true, // a surrogate pair
		"\xff\xfe\x3d\xd8":                 false,
		"\xff\xfe\x00\xde\x3d\xd8":         false,
		"\xff\xfe\x00\x00a\x00\x00\x00":    false, // UTF-32
		"\xff\xfea":                        false,
		"\xff\xfea\x00\x00\x00":            false,
		"":                                 false,
		"ab":                               false,
		"\xef\xbb\xbfab":                   false,
		"\xff\xd8\xff\xe0\x00\x10JFIF\x00": false,
	} {
		if _, ok := Parse([]byte(content)); ok != want {
			t.Errorf("%q: %t", content, ok)
		}
	}
}

// FuzzToUTF8 converts each text to UTF-16 with the standard library, and back.
func FuzzToUTF8(f *testing.F) {
	f.Add("plain", false)
	f.Add("é 漢字 \U0001F600\r\n", true)
	f.Fuzz(func(t *testing.T, text string, big bool) {
		text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", " "), "?")
		order := binary.AppendByteOrder(binary.LittleEndian)
		if big {
			order = binary.BigEndian
		}
		content := encode(text, order)
		if got := string(ToUTF8(content)); got != text {
			t.Errorf("%q, want %q", got, text)
		}
		wide, _ := Parse(content)
		runes := []rune{}
		for at := MarkSize; at < len(content); {
			r, n := wide.Next(at)
			runes = append(runes, r)
			at += n
		}
		if string(runes) != text {
			t.Errorf("%q, want %q", string(runes), text)
		}
	})
}
