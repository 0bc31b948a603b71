package collection

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"
)

// A Key says that a record has a key: a new record in the arguments of Join, or a record of a
// segment, numbered from 0 in that segment.
type Key struct {
	Bucket uint64
	Rest   uint64 // the lower half of a hash of 128 bits, whose upper half is the bucket; otherwise 0
	Record uint32
}

// A file of keys consists of pages of 1 KiB, and a directory of the first bucket of each page. A
// page holds keys in ascending order, in the encoding of Elias and Fano: a bucket is the sum of the
// page's first bucket and a difference, whose lower bits are stored as they are. The upper bits are
// one number in unary notation per key: the difference from the previous key's upper bits. So a
// bucket is found by counting zeros, 64 at a time, without decoding the keys before it. Pages of
// text lines, as in a file of lshkeys, would take 34 bytes per key and the id, instead of 5.
//
//	8 bytes  XXH3-64 of the rest of the page; the seed is the salt of the file in the upper 32 bits,
//	         plus the number of the page
//	2 bytes  number of keys, n
//	2 bytes  number of words of the upper bits, w
//	1 byte   number of lower bits of a difference, low
//	3 bytes  zero
//	8 bytes  first bucket
//	w words  upper bits
//	n × low bits, n × recordBits bits, and n × 64 bits if keys have a rest
//
// Numbers are little-endian, and bits begin with the lowest bit of a byte.
const (
	pageSize   = 1024
	pageHeader = 24
	pageBits   = (pageSize - pageHeader) * 8
	mostLow    = 56   // a load of 8 bytes at any byte holds so many bits at any bit
	mostKeys   = 4096 // maximum number of keys per page
)

// A layout is the width of the fields of a segment's keys, in bits.
type layout struct {
	record uint // width of a record number
	rest   uint // 0 or 64
}

func layoutOf(s Scheme, records int64) layout {
	l := layout{record: uint(bits.Len64(uint64(records - 1)))}
	if s.Rest {
		l.rest = 64
	}
	return l
}

// lowBits returns the width of the lower bits of n differences, of which width is the largest. It
// is near the width that takes the least room.
func lowBits(width uint64, n int) uint {
	return uint(min(mostLow, max(0, bits.Len64(width)-bits.Len(uint(n)))))
}

// upperWords returns the number of words of the upper bits.
func upperWords(width uint64, n int, low uint) int {
	return int((uint64(n)+width>>low+1)+63) / 64
}

// fits reports whether a page has room for n keys whose buckets span the given width.
func (l layout) fits(width uint64, n int) bool {
	low := lowBits(width, n)
	return n <= mostKeys && upperWords(width, n, low)*64+n*int(low+l.record+l.rest) <= pageBits
}

// encodePage fills a page with keys, which must fit.
func (l layout) encodePage(page []byte, keys []Key) {
	clear(page)
	base, n := keys[0].Bucket, len(keys)
	width := keys[n-1].Bucket - base
	low := lowBits(width, n)
	words := upperWords(width, n, low)
	binary.LittleEndian.PutUint16(page[8:], uint16(n))
	binary.LittleEndian.PutUint16(page[10:], uint16(words))
	page[12] = byte(low)
	binary.LittleEndian.PutUint64(page[16:], base)
	lows := bitWriter{b: page[pageHeader+8*words:]}
	for i := range keys {
		d := keys[i].Bucket - base
		up := uint(d>>low) + uint(i)
		page[pageHeader+up/8] |= 1 << (up % 8)
		lows.put(d&(1<<low-1), low)
	}
	for i := range keys {
		lows.put(uint64(keys[i].Record), l.record)
	}
	if l.rest > 0 {
		for i := range keys {
			lows.put(keys[i].Rest&(1<<32-1), 32)
			lows.put(keys[i].Rest>>32, 32)
		}
	}
	lows.end()
}

// A salt is the random number of a file, which the manifest names. It is in the checksums of the
// file's pages, so that the pages of another file are errors, even if the file has the same size.
type salt uint32

// sumOf returns the checksum of the page or block with a number.
func (s salt) sumOf(page []byte, number int64) uint64 {
	return xxh3.HashSeed(page, uint64(s)<<32+uint64(number))
}

// seal sets the checksum of a page.
func (s salt) seal(page []byte, number int64) {
	binary.LittleEndian.PutUint64(page, s.sumOf(page[pageSum:pageSize], number))
}

// errSum is returned for a page or a frame that differs from what was written.
var errSum = errors.New("checksum mismatch")

// unseal checks the checksum of a page.
func (s salt) unseal(page []byte, number int64) error {
	if binary.LittleEndian.Uint64(page) != s.sumOf(page[pageSum:pageSize], number) {
		return errSum
	}
	return nil
}

// A bitWriter writes bits to b, which must have room for them.
type bitWriter struct {
	b    []byte
	word uint64 // bits that are not in b yet
	n    uint   // number of these bits, less than 64
}

// put appends the lowest bits of v, whose other bits must be 0. The width is at most mostLow.
func (w *bitWriter) put(v uint64, width uint) {
	w.word |= v << (w.n & 63)
	if w.n += width; w.n < 64 {
		return
	}
	binary.LittleEndian.PutUint64(w.b, w.word)
	w.b = w.b[8:]
	w.n -= 64
	w.word = v >> ((width - w.n) & 63)
	if w.n == 0 {
		w.word = 0
	}
}

// end writes the last bits.
func (w *bitWriter) end() {
	for ; w.n > 0; w.n -= min(8, w.n) {
		w.b[0] = byte(w.word)
		w.b, w.word = w.b[1:], w.word>>8
	}
}

// getBits returns bits of b, which must have 8 bytes more. The width is at most mostLow.
func getBits(b []byte, at, width uint) uint64 {
	return binary.LittleEndian.Uint64(b[at/8:]) >> (at % 8) & (1<<(width&63) - 1)
}

// slack is the number of bytes that follow a page in memory, so that getBits can read past its end.
const slack = 8

// A page is a page of keys, checked so that every field is in range.
type page struct {
	layout
	data         []byte // the page and slack bytes more
	n            int
	base         uint64
	low          uint
	upper        []byte // upper bits, in whole words
	lows         uint   // position of the lower bits, in bits
	records      uint   // position of the record numbers
	rests        uint
	word         int // find begins at this word of the upper bits
	zeros        int // number of zeros in the words before
	previousHigh uint64
}

// errPage is returned for a page that no writer makes.
var errPage = errors.New("invalid page")

// openPage sets p to the keys of a page, which is followed by slack bytes. The checksum of the page
// must have been checked, but a page with a right checksum can still be made up.
func (p *page) open(l layout, data []byte) error {
	n, words, low := int(binary.LittleEndian.Uint16(data[8:])), int(binary.LittleEndian.Uint16(data[10:])), uint(data[12])
	if n == 0 || n > mostKeys || low > mostLow || words*64+n*int(low+l.record+l.rest) > pageBits {
		return errPage
	}
	*p = page{layout: l, data: data, n: n, low: low, base: binary.LittleEndian.Uint64(data[16:])}
	p.upper = data[pageHeader:][:8*words]
	ones := 0
	for i := 0; i < len(p.upper); i += 8 {
		ones += bits.OnesCount64(binary.LittleEndian.Uint64(p.upper[i:]))
	}
	if ones != n {
		return errPage
	}
	p.lows = uint(pageHeader+8*words) * 8
	p.records = p.lows + uint(n)*low
	p.rests = p.records + uint(n)*l.record
	return nil
}

// record returns the record number of a key.
func (p *page) recordAt(i int) uint32 {
	return uint32(getBits(p.data, p.records+uint(i)*p.record, p.record))
}

// rest returns the rest of a key.
func (p *page) restAt(i int) uint64 {
	if p.rest == 0 {
		return 0
	}
	at := p.rests + uint(i)*64
	return getBits(p.data, at, 32) | getBits(p.data, at+32, 32)<<32
}

// appendKeys appends all keys of the page to dst.
func (p *page) appendKeys(dst []Key) []Key {
	keys := slices.Grow(dst, p.n)[:len(dst)+p.n]
	i, low, lows, mask := len(dst), p.low&63, p.lows, uint64(1)<<(p.low&63)-1
	data, base, first := p.data, p.base, len(dst)
	for w := 0; w+8 <= len(p.upper); w += 8 {
		for word := binary.LittleEndian.Uint64(p.upper[w:]); word != 0; word &= word - 1 {
			high := uint64(w*8 + bits.TrailingZeros64(word) - (i - first))
			keys[i].Bucket = base + (high<<low | binary.LittleEndian.Uint64(data[lows/8:])>>(lows%8)&mask)
			lows += low
			i++
		}
	}
	at, width := p.records, p.record
	mask = 1<<width - 1
	for i := range keys[first:] {
		k := &keys[first+i]
		k.Record = uint32(binary.LittleEndian.Uint64(data[at/8:]) >> (at % 8) & mask)
		k.Rest = p.restAt(i)
		at += width
	}
	return keys
}

// find returns the range of the keys with a given bucket. If buckets are ascending from one call to
// the next, find goes on from the last one.
func (p *page) find(bucket uint64) (from, to int) {
	if bucket < p.base {
		return 0, 0
	}
	d := bucket - p.base
	high, low := d>>p.low, d&(1<<p.low-1)
	if high < p.previousHigh {
		p.word, p.zeros = 0, 0
	}
	p.previousHigh = high
	at, ok := p.skipZeros(high)
	if !ok {
		return 0, 0
	}
	from = at - int(high)
	for ; p.isOne(at) && p.lowAt(from) < low; at++ {
		from++
	}
	to = from
	for ; p.isOne(at) && p.lowAt(to) == low; at++ {
		to++
	}
	return from, to
}

// skipZeros returns the position that follows the given number of zeros in the upper bits.
func (p *page) skipZeros(zeros uint64) (at int, ok bool) {
	if zeros == 0 {
		return 0, true
	}
	for ; p.word < len(p.upper)/8; p.word++ {
		word := ^binary.LittleEndian.Uint64(p.upper[8*p.word:])
		n := bits.OnesCount64(word)
		if uint64(p.zeros+n) < zeros {
			p.zeros += n
			continue
		}
		return p.word*64 + selectOne(word, uint(zeros)-uint(p.zeros)-1) + 1, true
	}
	return 0, false
}

// selectOne returns the position of a one in x: the one with the given number, counted from 0 at the
// lowest bit, of which there must be more (Vigna, Broadword Implementation of Rank/Select Queries).
func selectOne(x uint64, number uint) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	s := x - x>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	s = (s + s>>4) & 0x0f0f0f0f0f0f0f0f * ones // byte i is the number of ones in the bytes up to i
	place := uint(bits.OnesCount64((uint64(number)*ones|tops-s)&tops)) * 8
	inByte := number - uint(s<<8>>(place&63)&0xff)
	return int(place) + int(selectInByte[x>>(place&63)&0xff][inByte&7])
}

// selectInByte holds the positions of the ones in each byte.
var selectInByte = func() (all [256][8]uint8) {
	for b := range all {
		n := 0
		for i := range 8 {
			if b>>i&1 == 1 {
				all[b][n] = uint8(i)
				n++
			}
		}
	}
	return all
}()

func (p *page) isOne(at int) bool {
	return at < len(p.upper)*8 && p.upper[at/8]>>(at%8)&1 == 1
}

func (p *page) lowAt(i int) uint64 { return getBits(p.data, p.lows+uint(i)*p.low, p.low) }
