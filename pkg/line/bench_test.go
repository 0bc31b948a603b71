package line

import (
	"bytes"
	"testing"

	"doppel/pkg/line/cell"
)

var (
	benchBody   = bytes.Repeat([]byte("AbC+/019"), 44)
	benchScheme = []byte("minhash/h2/w3/128x16/s1/balanced")
	benchKey    = []byte("0300123456789abc.fedcba9876543210")
	benchA      = []byte("1234567")
	benchB      = []byte("1234999")
	benchName   = []byte("/srv/data/pages/2026/part-00017.jsonl")
)

func BenchmarkLines(b *testing.B) {
	run := func(name string, write func(dst []byte, f Format) []byte, parse func([]byte) error) {
		for _, json := range []bool{false, true} {
			f := Format{JSON: json}
			form := map[bool]string{true: "JSON", false: "TSV"}[json]
			var dst []byte
			b.Run(name+form, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					dst = write(dst[:0], f)
				}
				b.SetBytes(int64(len(dst)))
			})
			dst = write(dst[:0], f)
			b.Run("Parse"+name+form, func(b *testing.B) {
				b.ReportAllocs()
				l := dst[:len(dst)-1]
				b.SetBytes(int64(len(dst)))
				for b.Loop() {
					if err := parse(l); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	run("Pair", func(dst []byte, f Format) []byte { return Pair{benchA, benchB}.Append(dst, f) },
		func(l []byte) error { var p Pair; return p.Parse(l) })
	run("Key", func(dst []byte, f Format) []byte { return Key{benchKey, benchA}.Append(dst, f) },
		func(l []byte) error { var p Key; return p.Parse(l) })
	run("Signature", func(dst []byte, f Format) []byte {
		return Signature{ID: benchA, Scheme: benchScheme, Body: benchBody}.Append(dst, f)
	},
		func(l []byte) error { var p Signature; return p.Parse(l) })
	run("Score", func(dst []byte, f Format) []byte {
		return Score{Pair{benchA, benchB}, 0.8123, true, 0.9, 0.8876, 120, 133, false}.Append(dst, f)
	}, func(l []byte) error { var p Score; return p.Parse(l) })
	run("Named", func(dst []byte, f Format) []byte { return Pair{benchName, benchName}.Append(dst, f) },
		func(l []byte) error { var p Pair; return p.Parse(l) })
	run("Decision", func(dst []byte, f Format) []byte {
		return Decision{Drop, benchA, benchB, cell.Float(0.85), []byte("duplicate"), cell.Number{}, 0}.Append(dst, f)
	}, func(l []byte) error { var p Decision; return p.Parse(l) })
}
