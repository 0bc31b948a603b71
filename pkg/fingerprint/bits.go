package fingerprint

import "math/bits"

// A bitWriter writes bits, high bit first, as digits of six bits.
type bitWriter struct {
	dst []byte
	acc uint64 // the low n bits are not yet written
	n   int    // number of unwritten bits; below 6 between calls
}

// write appends the low n bits of x. n must be at most 58, and the other bits of x must be zero.
func (w *bitWriter) write(x uint64, n int) {
	w.acc, w.n = w.acc<<n|x, w.n+n
	for w.n >= 6 {
		w.n -= 6
		w.dst = append(w.dst, digits[w.acc>>w.n&63])
	}
}

// writeOnes appends n set bits.
func (w *bitWriter) writeOnes(n uint64) {
	for ; n > 32; n -= 32 {
		w.write(1<<32-1, 32)
	}
	w.write(1<<n-1, int(n))
}

// A bitReader reads the output of a bitWriter.
type bitReader struct {
	src []byte
	acc uint64 // the high n bits are the next bits to read
	n   int
	bad bool // whether src had a character that is not a digit
}

// fill makes more than 58 bits available in acc, or all remaining bits.
func (r *bitReader) fill() {
	for r.n <= 58 && len(r.src) > 0 {
		d := digit[r.src[0]]
		if d > 63 {
			r.bad, r.src = true, nil
			return
		}
		r.acc |= uint64(d) << (58 - r.n)
		r.n += 6
		r.src = r.src[1:]
	}
}

func (r *bitReader) skip(n int) {
	r.acc <<= n
	r.n -= n
}

// readUnary reads bits up to and including the next zero, and returns the number of ones before it;
// ok is false if there is no zero.
func (r *bitReader) readUnary() (ones uint64, ok bool) {
	for r.fill(); r.n > 0; r.fill() {
		n := min(bits.LeadingZeros64(^r.acc), r.n)
		ones += uint64(n)
		if r.skip(n); r.n > 0 {
			r.skip(1)
			return ones, true
		}
	}
	return 0, false
}

// readNumber reads a Rice code with parameter k, and returns from+d, where d is the value of the
// code. ok is false if the code is incomplete or the sum exceeds 64 bits.
func (r *bitReader) readNumber(k int, from uint64) (x uint64, ok bool) {
	high, ok := r.readUnary()
	r.fill()
	if !ok || r.n < k || bits.Len64(high)+k > 64 {
		return 0, false
	}
	distance := high<<k | r.acc>>(64-k)
	r.skip(k)
	return from + distance, from+distance >= distance
}

// readWord reads 64 bits. Bits after the end of the input are zero.
func (r *bitReader) readWord() (x uint64) {
	for range 2 {
		r.fill()
		x = x<<32 | r.acc>>32
		r.skip(min(r.n, 32))
	}
	return x
}
