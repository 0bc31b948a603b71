package mail

import (
	"bytes"
	"strings"
	"testing"
)

// plainQuotedPrintable is a simple version of decodeQuotedPrintable: it examines the whole line for
// each "=".
func plainQuotedPrintable(text []byte) (out []byte) {
	for len(text) > 0 {
		c := text[0]
		text = text[1:]
		line := text[:lineLen(text)]
		switch {
		case c != '=':
			out = append(out, c)
		case len(text) == 0 || bytes.HasSuffix(line, []byte("\n")) && len(bytes.TrimSpace(line)) == 0:
			text = text[len(line):]
		case len(text) >= 2 && hexValue(text[0]) >= 0 && hexValue(text[1]) >= 0:
			out = append(out, byte(hexValue(text[0])<<4|hexValue(text[1])))
			text = text[2:]
		default:
			out = append(out, c)
		}
	}
	return out
}

func hexValue(b byte) int {
	return strings.IndexByte("0123456789ABCDEF", bytes.ToUpper([]byte{b})[0])
}

func FuzzQuotedPrintable(f *testing.F) {
	for _, text := range []string{"a=3D=\r\nb=  \n c=E4=e4", "= = =", "=\u00a0\u2003\n=\xa0\n", "=4=", "==\n==\r", "=\v\f\nx"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, want := decodeQuotedPrintable(text), plainQuotedPrintable(text)
		if !bytes.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}

// TestHostileLines checks that decoding a line takes time linear in its length. If each "=" caused
// a scan of the rest of the line, these lines, which are several megabytes long, would take hours.
func TestHostileLines(t *testing.T) {
	for unit, want := range map[string]string{"=": "=", "=4": "=4", "= ": "= ", "=\t\t\t=": "=\t\t\t="} {
		text := strings.Repeat(unit, 16<<20/len(unit)) + "."
		got := string(decodeQuotedPrintable([]byte(text)))
		if got != strings.Repeat(want, 16<<20/len(unit))+"." {
			t.Errorf("%q is decoded to %d bytes of %d", unit, len(got), len(text))
		}
	}
	for _, unit := range []string{"=?x?q?_ ", "=?x?q?", "=?", "=?utf-8?b?=", "=?utf-8?q?=_"} {
		decodeWords([]byte(strings.Repeat(unit, 4<<20/len(unit)) + "?="))
	}
}
