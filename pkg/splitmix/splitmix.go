// Package splitmix spreads the bits of a number.
package splitmix

// Mix is the end of splitmix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom
// Number Generators, 2014): a bijection, each bit of whose result depends on all of x.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
