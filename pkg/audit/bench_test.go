package audit

import (
	"bytes"
	"hash/maphash"
	"testing"

	"doppel/pkg/text"
)

func BenchmarkShingles(b *testing.B) {
	body := bytes.Repeat([]byte("It was the best of times, it was the worst of times; it was the age of wisdom and foolishness. "), 1)
	var doc []byte
	for i := range 120 {
		doc = append(doc, body...)
		doc = append(doc, byte('a'+i%26), byte('a'+i/26), ' ')
	}
	p := NewPrinter(text.Default, maphash.MakeSeed())
	b.SetBytes(int64(len(doc)))
	var set []uint64
	for b.Loop() {
		set = p.Shingles(set[:0], doc)
	}
}

func BenchmarkCompare(b *testing.B) {
	p := NewPrinter(text.Options{Shingle: text.Default.Shingle}, maphash.MakeSeed())
	var doc []byte
	for i := range 2000 {
		doc = append(doc, byte('a'+i%26), byte('a'+i/26%26), byte('a'+i/676), ' ')
	}
	set := p.Shingles(nil, doc)
	var t table
	for b.Loop() {
		t.compare(set, set)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(set)), "ns/elem")
}
