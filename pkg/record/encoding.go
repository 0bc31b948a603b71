package record

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// An Encoding is the name of a character encoding. *Encoding is a pflag.Value.
type Encoding string

// Set returns an error if the encoding is unknown.
func (e *Encoding) Set(name string) error {
	if encodingOf(name) == nil {
		return fmt.Errorf("unknown encoding %q: want a name such as latin1, windows-1252, utf-16, shift_jis or gb18030", name)
	}
	*e = Encoding(name)
	return nil
}

func (e *Encoding) String() string { return string(*e) }

func (e *Encoding) Type() string { return "NAME" }

// ownNames are the encodings that the WHATWG Encoding Standard lacks, or for which its names mean
// something else: it reads latin1 as windows-1252. UTF-16 and UTF-32 without a byte order mark are
// little-endian, as nearly all systems write them.
var ownNames = map[string]encoding.Encoding{
	"latin1": charmap.ISO8859_1, "latin-1": charmap.ISO8859_1, "iso-8859-1": charmap.ISO8859_1, "iso8859-1": charmap.ISO8859_1,
	"cp437": charmap.CodePage437, "cp850": charmap.CodePage850, "utf-8-sig": unicode.UTF8,
	"utf-16":   unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"utf-32":   utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
}

// otherNames maps names that Python and Windows use to those of the WHATWG Encoding Standard.
var otherNames = map[string]string{
	"utf16": "utf-16", "utf32": "utf-32", "cp932": "shift_jis", "cp936": "gbk", "cp949": "euc-kr", "cp950": "big5",
}

// encodingOf returns the encoding with the given name, in upper or lower case, or nil if it is
// unknown.
func encodingOf(name string) encoding.Encoding {
	name = strings.ToLower(name)
	for _, known := range []string{name, strings.ReplaceAll(name, "_", "-")} {
		known = cmp.Or(otherNames[known], known)
		if own := ownNames[known]; own != nil {
			return own
		}
		if e, err := htmlindex.Get(known); err == nil && e != encoding.Replacement {
			return e
		}
	}
	return nil
}

// marked returns the encoding of a stream of UTF-16 or UTF-32 that begins with the given bytes. If
// they are a byte order mark, it determines the byte order.
func marked(e encoding.Encoding, begin []byte) encoding.Encoding {
	switch {
	case e == ownNames["utf-16"] && bytes.HasPrefix(begin, []byte("\xfe\xff")):
		return ownNames["utf-16be"]
	case e == ownNames["utf-32"] && bytes.HasPrefix(begin, []byte("\x00\x00\xfe\xff")):
		return ownNames["utf-32be"]
	}
	return e
}

// beginsUTF8 reports whether the first 64 KiB of the stream are UTF-8. JSON lines usually are, also if
// they are read beside a table in another encoding.
func (s *Stream) beginsUTF8() bool {
	br := bufio.NewReaderSize(s.r, 1<<16)
	s.r = br
	begin, _ := br.Peek(1 << 16) // a later Read returns the error
	for cut := 0; cut < utf8.UTFMax-1 && len(begin) > 0 && !utf8.Valid(begin); cut++ {
		begin = begin[:len(begin)-1] // the last character may be incomplete
	}
	return utf8.Valid(begin) && bytes.IndexByte(begin, 0) < 0
}

// decodeText makes Read convert the stream from the named encoding to UTF-8. If bytes are not valid
// in that encoding, Read returns an error.
func (s *Stream) decodeText(name Encoding) {
	magic := make([]byte, 4)
	n, _ := io.ReadFull(s.r, magic) // a later Read returns the error
	e := marked(encodingOf(string(name)), magic[:n])
	s.r = transform.NewReader(io.MultiReader(bytes.NewReader(magic[:n]), s.r), &strictDecoder{Transformer: e.NewDecoder(), encoding: e, name: name, line: 1})
	s.file, s.ranges, s.recoded = nil, nil, true
}

// A strictDecoder is a decoder that returns an error for bytes that are not valid in its encoding.
// The decoders of golang.org/x/text replace these bytes with U+FFFD. Since a text may contain that
// character itself, a strictDecoder encodes such output again and compares it with the input.
type strictDecoder struct {
	transform.Transformer
	encoding encoding.Encoding
	name     Encoding
	line     int
}

var replacement = []byte(string(utf8.RuneError))

func (d *strictDecoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	nDst, nSrc, err = d.Transformer.Transform(dst, src, atEOF)
	text := dst[:nDst]
	if at := bytes.Index(text, replacement); at >= 0 {
		back, wrong := d.encoding.NewEncoder().Bytes(text)
		if wrong != nil || !bytes.Equal(back, src[:nSrc]) {
			line := d.line + bytes.Count(text[:at], lineEnd)
			return 0, 0, fmt.Errorf("line %d: the text is not %s", line, d.name)
		}
	}
	d.line += bytes.Count(text, lineEnd)
	return nDst, nSrc, err
}
