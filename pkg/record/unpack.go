package record

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
)

// The libraries decode the streams. The code here accepts what the usual programs accept, such as
// zeros after the last member, and finds truncations that a library does not find.

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	skipMagic = []byte{0x50, 0x2a, 0x4d, 0x18} // of a skippable frame of zstd, apart from the low half of the first byte
	bz2Magic  = []byte("BZh")
	xzMagic   = []byte{0xfd, '7', 'z', 'X', 'Z', 0}
)

// magicBytes is the number of bytes that packingOf needs.
const magicBytes = 6

// packingOf returns the compression format of a stream that begins with these bytes, or "".
func packingOf(magic []byte) string {
	switch {
	case bytes.HasPrefix(magic, gzipMagic):
		return "gzip"
	case bytes.HasPrefix(magic, bz2Magic) && len(magic) > 4 && '1' <= magic[3] && magic[3] <= '9' && (magic[4] == 0x31 || magic[4] == 0x17):
		return "bzip2"
	case bytes.Equal(magic, xzMagic):
		return "xz"
	case bytes.HasPrefix(magic, zstdMagic), len(magic) >= 4 && magic[0]&0xf0 == skipMagic[0] && bytes.Equal(magic[1:4], skipMagic[1:]):
		return "zstd"
	}
	return ""
}

// checkPacked returns an error if the name of a stream says that it is compressed, and its first
// bytes are neither those of a compressed stream nor text. The stream would otherwise be read as
// lines, and --lines accepts any line.
func checkPacked(name string, first []byte) error {
	what := dataform.PackingOf(name)
	magics := map[string][][]byte{"gzip": {gzipMagic}, "zstd": {zstdMagic, skipMagic}, "bzip2": {bz2Magic}, "xz": {xzMagic}}[what]
	begins := func(magic []byte) bool { return bytes.HasPrefix(magic, first) || bytes.HasPrefix(first, magic) }
	switch {
	case magics == nil || len(first) == 0:
		return nil
	case len(first) < magicBytes && slices.ContainsFunc(magics, begins):
		return readError(io.ErrUnexpectedEOF, name)
	case binaryBytes(first):
		return msg.WithHint(fmt.Errorf("the file is not %s", what), "the file may be damaged; if it is not compressed, rename it")
	}
	return nil
}

// readError returns the error of a decoder of the named file in plainer words.
func readError(err error, name string) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("truncated compressed file: %w", err)
	case errors.Is(err, zstd.ErrUnknownDictionary):
		return msg.WithHint(fmt.Errorf("the file was compressed with a dictionary: %w", err), "decompress it with the same dictionary: zstd -dc -D DICTIONARY%s |", shellName(name))
	}
	return err
}

// newUnpacker returns a reader that decodes a stream in the given format, with all members or frames
// that follow one another. It decodes several frames of zstd or members of gzip concurrently, as many
// as jobs.
func newUnpacker(packing string, r *bufio.Reader, jobs int) (u io.ReadCloser, err error) {
	switch packing {
	case "gzip":
		u = newMemberReader(r, jobs)
	case "bzip2":
		u = newBzip2Reader(r)
	case "xz":
		u, err = newXzReader(r)
	default:
		u, err = newFrameReader(r, jobs)
	}
	if err != nil {
		return nil, err
	}
	return &steady{ReadCloser: u}, nil
}

// A steady reader returns its first error again and again. The readers around it look ahead with
// bufio.Reader.Peek, which forgets the error that it meets, and the decoders then end with io.EOF.
type steady struct {
	io.ReadCloser
	err error
}

func (s *steady) Read(p []byte) (n int, err error) {
	if s.err != nil {
		return 0, s.err
	}
	n, s.err = s.ReadCloser.Read(p)
	return n, s.err
}

// packedBytes are the bytes of a compressed stream. Package gzip reads no further than to the end of
// a member.
type packedBytes interface {
	io.Reader
	io.ByteScanner
}

// A gzipReader reads the members of a gzip stream, one after the other. As gzip(1), it ignores zeros
// after a member, with which tapes fill their last block.
type gzipReader struct {
	z     gzip.Reader
	r     packedBytes
	state memberState
}

// A memberState says what comes next in a gzip stream.
type memberState byte

const (
	firstMember memberState = iota // the header of the first member
	inMember
	nextMember // zeros, the header of a further member, or the end
)

// restart makes g read another stream.
func (g *gzipReader) restart(r packedBytes) { g.r, g.state = r, firstMember }

func (g *gzipReader) Read(p []byte) (int, error) {
	for {
		if g.state != inMember {
			if err := g.begin(); err != nil {
				return 0, err
			}
		}
		n, err := g.z.Read(p)
		if err == io.EOF {
			g.state, err = nextMember, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

func (g *gzipReader) Close() error { return nil }

// begin reads the header of the next member.
func (g *gzipReader) begin() error {
	if g.state == nextMember {
		if err := skipZeros(g.r); err != nil {
			return err
		}
	}
	err := g.z.Reset(g.r)
	if err == io.EOF { // the stream ends after the fixed part of the header
		err = io.ErrUnexpectedEOF
	} else if err != nil && g.state == nextMember {
		err = afterEnd(err, gzip.ErrHeader)
	}
	g.z.Multistream(false)
	g.state = inMember
	return err
}

// skipZeros reads zeros up to another byte, or returns io.EOF at the end.
func skipZeros(r io.ByteScanner) error {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return r.UnreadByte()
		}
	}
}

// afterEnd returns the error for bytes after the end of a member, if err is the error for a member
// without a header.
func afterEnd(err, header error) error {
	if errors.Is(err, header) {
		return errors.New("after the end of the compressed data, the file has other bytes")
	}
	return err
}

// A bzip2Reader reads bzip2 streams. As bzip2(1), it ignores zeros after the last one.
type bzip2Reader struct {
	io.Reader
	zeros *zeroTail
}

func newBzip2Reader(r *bufio.Reader) *bzip2Reader {
	zeros := &zeroTail{Reader: r}
	return &bzip2Reader{bzip2.NewReader(zeros), zeros}
}

func (b *bzip2Reader) Close() error { return nil }

func (b *bzip2Reader) Read(p []byte) (int, error) {
	for {
		n, err := b.Reader.Read(p)
		if n > 0 || err != errContinuation {
			return n, err
		}
		if !bytes.Equal(b.zeros.last[:], []byte{0, 0}) {
			return 0, afterEnd(err, err)
		}
		if err := skipZeros(b.zeros.Reader); err != nil {
			return 0, err
		}
		*b = *newBzip2Reader(b.zeros.Reader)
	}
}

// errContinuation is the error of package bzip2 if a stream is followed by two bytes that do not
// begin another one.
const errContinuation = bzip2.StructuralError("bad magic value in continuation file")

// A zeroTail appends two zeros to a stream that ends in a zero. Package bzip2 reads two bytes after a
// bzip2 stream, and reports a truncated file if there is only one.
type zeroTail struct {
	*bufio.Reader
	last  [2]byte // the bytes read last
	added int
}

func (z *zeroTail) ReadByte() (byte, error) {
	b, err := z.Reader.ReadByte()
	switch {
	case err == nil:
		z.last = [2]byte{z.last[1], b}
	case err == io.EOF && z.last[1] == 0 && z.added < 2:
		z.added++
		z.last[0], err = 0, nil
	}
	return b, err
}

// An xzReader reads xz streams. The library takes the end of the file after a block, or within the
// header of a block, for the end of the stream, so the xzReader checks that a footer was read.
type xzReader struct {
	*xz.Reader
	tail xzTail
}

func newXzReader(r io.Reader) (x *xzReader, err error) {
	x = &xzReader{tail: xzTail{r: r}}
	x.Reader, err = xz.NewReader(&x.tail)
	return x, err
}

func (x *xzReader) Close() error { return nil }

func (x *xzReader) Read(p []byte) (int, error) {
	n, err := x.Reader.Read(p)
	if err == io.EOF && !x.tail.isFooter() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// An xzTail keeps the last bytes of a stream, apart from the zeros at its end.
type xzTail struct {
	r     io.Reader
	last  [12]byte
	zeros int
	short bool // the library asked for more bytes than there were
}

func (t *xzTail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	text := bytes.TrimRight(p[:n], "\x00")
	if len(text) > 0 {
		t.push(make([]byte, min(t.zeros, len(t.last))))
		t.push(text)
		t.zeros, t.short = 0, n < len(p)
	}
	t.zeros += n - len(text)
	return n, err
}

func (t *xzTail) push(b []byte) {
	b = b[max(0, len(b)-len(t.last)):]
	copy(t.last[:], t.last[len(b):])
	copy(t.last[len(t.last)-len(b):], b)
}

// isFooter reports whether the last bytes are the footer of an xz stream: a checksum, six bytes and
// the letters YZ. They are no footer if the library read them as part of something longer.
func (t *xzTail) isFooter() bool {
	return !t.short && string(t.last[10:]) == "YZ" && binary.LittleEndian.Uint32(t.last[:]) == crc32.ChecksumIEEE(t.last[4:10])
}
