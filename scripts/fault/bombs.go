//go:build linux

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// The makers of bombs take a size in what their data has many of.

func run1(n int) []byte { return bytes.Repeat([]byte("a"), n) }

// runs are n records of one letter, of 100 kB each.
func runs(n int) []byte {
	return lines(n, func(b *bytes.Buffer, i int) { b.Write(run1(100_000 + i)) })
}

func repeated(piece string) func(int) []byte { return after("", piece) }

func after(start, piece string) func(int) []byte {
	return func(n int) []byte { return []byte(start + strings.Repeat(piece, n)) }
}

func deep(open, end string) func(int) []byte {
	return func(n int) []byte {
		return []byte(`{"text":"a b c","x":` + strings.Repeat(open, n) + "1" + strings.Repeat(end, n) + "}\n")
	}
}

// halfShared are records of which any two share half their shingles: they meet
// in bands, and none is a copy.
func halfShared(n int) []byte {
	common := sentence(seeded(1, "common"), 80)
	r := seeded(1, "own")
	return lines(n, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, `{"text":"%s %s"}`, common, sentence(r, 30)) })
}

func star(n int) []byte {
	return lines(n, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, "0\t%d\t0.9", i+1) })
}

func path(n int) []byte {
	return lines(n, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, "%d\t%d\t0.9", i, i+1) })
}

// clique are n pairs of the fewest ids.
func clique(n int) []byte {
	a, z := 0, 0
	return lines(n, func(b *bytes.Buffer, _ int) {
		if a++; a > z {
			a, z = 1, z+1
		}
		fmt.Fprintf(b, "%d\t%d\t0.9", a-1, z)
	})
}

func hotKey(n int) []byte {
	return lines(n, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, "0123456789abcdef\t%d", i) })
}

func equals(n int) []byte {
	return bytes.Repeat([]byte(`{"text":"the same twelve words stand in each of these very many records"}`+"\n"), n)
}

func manyFields(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"text":"a b c"`)
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	b.WriteString("}\n")
	return b.Bytes()
}

func escapes(n int) []byte {
	return []byte(`{"text":"` + strings.Repeat(`\u0061`, n/6) + "\"}\n")
}

// packedBomb makes one record of so many bytes, compressed a thousand times.
func packedBomb[W io.WriteCloser](pack func(io.Writer) (W, error)) func(int) []byte {
	return func(n int) []byte {
		return compress(pack, func(z io.Writer) {
			io.WriteString(z, `{"text":"`)
			piece := run1(1 << 20)
			for ; n > 0; n -= len(piece) {
				z.Write(piece[:min(n, len(piece))])
			}
			io.WriteString(z, "\"}\n")
		})
	}
}

// compress returns what write writes, compressed.
func compress[W io.WriteCloser](pack func(io.Writer) (W, error), write func(io.Writer)) []byte {
	var b bytes.Buffer
	z, _ := pack(&b) // fails only with options, and a buffer never
	write(z)
	z.Close()
	return b.Bytes()
}

func asGzip(w io.Writer) (*gzip.Writer, error) { return gzip.NewWriterLevel(w, gzip.BestSpeed) }

func asZstd(w io.Writer) (*zstd.Encoder, error) { return zstd.NewWriter(w) }

// manyColumns is a header of so many names, and a row.
func manyColumns(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "c%d,", i)
	}
	return append(b.Bytes(), "x\n"+strings.Repeat("1,", n)+"1\n"...)
}

func quotedPrintable(piece string) func(int) []byte {
	return after("Content-Transfer-Encoding: quoted-printable\r\n\r\n", piece)
}

func nestedParts(n int) []byte {
	var b bytes.Buffer
	b.WriteString("MIME-Version: 1.0\r\n")
	for i := range n {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
	}
	return b.Bytes()
}

func manyParts(n int) []byte {
	return []byte("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
		strings.Repeat("--b\r\nContent-Type: text/plain\r\n\r\nx\r\n", n))
}

func folded(n int) []byte {
	return []byte("Subject: a\r\n" + strings.Repeat(" a\r\n", n) + "\r\ntext\r\n")
}

func encodedWords(n int) []byte {
	return []byte("Subject: " + strings.Repeat("=?utf-8?Q?=41?= ", n) + "\r\n\r\ntext\r\n")
}

const htmlHead = "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"

func openTags(n int) []byte { return []byte(htmlHead + strings.Repeat("<", n)) }

func entities(n int) []byte { return []byte(htmlHead + strings.Repeat("&amp", n/4)) }

// aliases is a file of YAML whose value is ten to the n.
func aliases(n int) []byte {
	var b bytes.Buffer
	b.WriteString("filters:\n  quality:\n    rules:\n      - &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := range n {
		fmt.Fprintf(&b, "      - &a%d [%s]\n", i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	return b.Bytes()
}
