package record

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"doppel/pkg/line/kind"
	"doppel/pkg/line/seal"
	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
)

// This file checks the first bytes of a stream of lines, so that the reader does not read a file of
// another format as lines. If whole lines are compared, no later check detects the other format.

var (
	utf8Mark = []byte("\xef\xbb\xbf")
	lineEnd  = []byte{'\n'}
)

// foreignFormats lists the first bytes of unsupported file formats, with a hint for each.
var foreignFormats = []struct{ magic, name, hint string }{
	{"ARROW1", "Arrow (Feather)", `convert the input: python -c 'import sys, pyarrow.feather as f, pyarrow.parquet as p; p.write_table(f.read_table(sys.argv[1]), "out.parquet")'%s`},
	{"FEA1", "Feather", `convert the input: python -c 'import sys, pyarrow.feather as f, pyarrow.parquet as p; p.write_table(f.read_table(sys.argv[1]), "out.parquet")'%s`},
	{"\xff\xff\xff\xff", "an Arrow stream", `convert the input: python -c 'import sys, pyarrow as a, pyarrow.parquet as p; p.write_table(a.ipc.open_stream(sys.argv[1]).read_all(), "out.parquet")'%s`},
	{"ORC", "ORC", `convert the input: python -c 'import sys, pyarrow.orc as o, pyarrow.parquet as p; p.write_table(o.read_table(sys.argv[1]), "out.parquet")'%s`},
	{"PARE", "encrypted Parquet", "decrypt the input with a program that has its key, such as pyarrow"},
	{"Obj\x01", "Avro", "convert the input to JSON lines or Parquet"},
	{"PK\x03\x04", "a zip archive", "extract the input: unzip -p%s"},
	{"\x04\x22\x4d\x18", "lz4 compression", "decompress the input: lz4 -dc%s"},
	{"\x02\x21\x4c\x18", "lz4 compression", "decompress the input: lz4 -dc%s"},
	{"\xff\x06\x00\x00sNaPpY", "snappy compression", "decompress the input: snzip -dc%s"},
	{"\x5d\x00\x00", "lzma compression", "decompress the input: xz -dc --format=lzma%s"},
	{"\x1f\x9d", "compress(1) output", "decompress the input: gzip -dc%s"},
	{"\xff\xfe\x00\x00", "UTF-32", "--encoding utf-32 reads it"},
	{"\xff\xfe", "UTF-16", "--encoding utf-16 reads it"},
	{"\xfe\xff", "UTF-16", "--encoding utf-16 reads it"},
}

// notText returns an error if a stream does not begin like text. packed is the format that the
// stream was decompressed from, or "".
func notText(name, packed string, data []byte) error {
	for _, f := range foreignFormats {
		// A line of text may begin with a word such as ARROW1, but it does not contain
		// control characters.
		if bytes.HasPrefix(data, []byte(f.magic)) && (f.magic[0] >= 0x80 || binaryBytes(data[:min(len(data), 64)])) {
			return msg.WithHint(fmt.Errorf("%s: %s is not supported as input", name, f.name), "%s", strings.ReplaceAll(f.hint, "%s", shellName(name)))
		}
	}
	if len(data) > 262 && string(data[257:262]) == "ustar" {
		return msg.WithHint(fmt.Errorf("%s: a tar archive is not supported as input", name), "extract the input: tar -xOf%s", shellName(name))
	}
	first, _, _ := bytes.Cut(data, lineEnd)
	if bytes.HasPrefix(first, []byte("version https://git-lfs.github.com/spec/")) {
		return msg.WithHint(fmt.Errorf("%s: the file is a pointer of Git LFS, not the data", name), "fetch the data: git lfs pull")
	}
	if seal.Is(data) {
		what := "lines of doppel with a seal"
		if rest := bytes.SplitN(data, lineEnd, 3); len(rest) > 1 && kind.Of(rest[1]) != "" {
			what = kind.Of(rest[1])
		}
		return fmt.Errorf("%s: the file holds %s, not records", name, what)
	}
	if kind := dataform.KindOf(name); kind.Name != "" && isPage(first) {
		return msg.WithHint(fmt.Errorf("%s: the file is an HTML or XML page, not %s", name, kind.Title), "was a message of a server saved in place of the file?")
	}
	// Detect ASCII characters in UTF-16.
	if b := first; len(b) > 3 && (b[0] == 0) != (b[1] == 0) && (b[0] == 0) == (b[2] == 0) && (b[1] == 0) == (b[3] == 0) {
		return msg.WithHint(fmt.Errorf("%s: UTF-16 is not supported as input", name), "--encoding utf-16le or utf-16be reads it")
	}
	what := dataform.PackingOf(name)
	if kind := dataform.KindOf(name); kind.Columns {
		what = kind.Title
	}
	if packed != "" {
		what = "" // the suffix does not name the format of the content
	}
	if bytes.IndexByte(first, 0) >= 0 || what != "" && binaryBytes(first) {
		subject := "the file"
		if packed != "" {
			subject = "the content of the " + packed + " file"
		}
		if what == "" {
			what = "neither text lines nor a known format"
		} else {
			what = "not " + what
		}
		return msg.WithHint(fmt.Errorf("%s: %s is %s", name, subject, what), "the file may be damaged; --lines accepts lines of any bytes")
	}
	return nil
}

// isPage reports whether a first line is that of an HTML or XML page.
func isPage(line []byte) bool {
	line = bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(line, utf8Mark)))
	return slices.ContainsFunc([]string{"<!doctype html", "<html", "<?xml"}, func(begin string) bool {
		return bytes.HasPrefix(line, []byte(begin))
	})
}

// notParquet returns an error if the name of a stream of lines is that of a Parquet file. The
// arguments are those of notText.
func notParquet(name, packed string, data []byte) error {
	if packed != "" || !dataform.KindOf(name).Columns {
		return nil
	}
	if len(data) == 0 {
		return fmt.Errorf("%s: the file is empty, not Parquet", name)
	}
	return msg.WithHint(fmt.Errorf("%s: the file is not Parquet", name), "the file may be damaged; lines need another name")
}

// wideLines reports whether the beginning of a stream of lines is in UTF-16: it has a byte order
// mark, and a NUL, as in the code of a line feed.
func wideLines(data []byte) bool {
	return (bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))) && bytes.IndexByte(data, 0) >= 0
}

// binaryBytes reports whether b contains bytes that do not occur in text.
func binaryBytes(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 && (len(b) >= utf8.UTFMax || utf8.FullRune(b)) {
			return true
		}
		if r < ' ' && r != '\t' && r != '\n' && r != '\f' && r != '\r' && r != 0x1b {
			return true
		}
		b = b[n:]
	}
	return false
}

// errLoneCR returns the error for a file whose lines end in CR, without any LF.
func errLoneCR(name string) error {
	return msg.WithHint(fmt.Errorf("%s: lines end in CR alone", name), "convert the input: tr '\\r' '\\n'%s", shellInput(name))
}

// shellInput is like shellName, for a program that reads only standard input.
func shellInput(name string) string {
	if name = shellName(name); name == "" {
		return ""
	}
	return " <" + name
}

// shellName returns a space and the file name as an operand of a shell command, in quotes if it needs
// them. For standard input it returns "".
func shellName(name string) string {
	if name == "<stdin>" {
		return ""
	}
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return " " + msg.Quote(name)
}
