package lsh

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestChance(t *testing.T) {
	for _, tc := range []struct {
		bands Bands
		j     float64
		want  float64
	}{
		{Bands{16, 8}, .5, .0607}, {Bands{16, 8}, .7, .6132}, {Bands{16, 8}, .8, .9470}, {Bands{16, 8}, .9, .99988},
		{Bands{14, 8}, .8, .9237}, {Bands{32, 4}, .5, .8732}, {Bands{20, 13}, .8, .6768}, {Bands{1, 1}, .3, .3},
	} {
		if got := tc.bands.Chance(tc.j); math.Abs(got-tc.want) > 1e-3 {
			t.Errorf("%v at %v: %.5f, want %.5f", tc.bands, tc.j, got, tc.want)
		}
	}
}

func TestChoose(t *testing.T) {
	for _, tc := range []struct {
		k                 int
		threshold, recall float64
		want              Bands
	}{
		{128, .8, .99, Bands{16, 6}}, {128, .7, .99, Bands{17, 4}}, {128, .9, .99, Bands{11, 10}}, {128, .5, .99, Bands{35, 3}}, {1, .5, .99, Bands{1, 1}},
	} {
		got := Choose(tc.k, tc.threshold, tc.recall)
		if got != tc.want || got.Check(tc.k) != nil || tc.k > 1 && got.Chance(tc.threshold) < tc.recall {
			t.Errorf("Choose(%d, %v, %v) = %v, chance %.4f, want %v", tc.k, tc.threshold, tc.recall, got, got.Chance(tc.threshold), tc.want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		bands Bands
		k     int
		ok    bool
	}{
		{Bands{1, 1}, 1, true}, {Bands{0, 1}, 1, false}, {Bands{1, 0}, 1, false}, {Bands{4, 32}, 128, true}, {Bands{4, 33}, 128, false},
		{Bands{MaxBands, 1}, 1 << 10, true}, {Bands{MaxBands + 1, 1}, 1 << 10, false},
	} {
		if err := tc.bands.Check(tc.k); (err == nil) != tc.ok {
			t.Errorf("%v of %d slots: %v", tc.bands, tc.k, err)
		}
	}
}

// TestChooseAll compares Choose with an exhaustive search, because Choose ends its search early.
func TestChooseAll(t *testing.T) {
	for _, k := range []int{1, 2, 7, 64, 128, 300, 512} {
		for percent := 1; percent <= 100; percent++ {
			for _, recall := range []float64{1e-9, 0.5, 0.9, 0.99, 1 - 1e-12} {
				j := float64(percent) / 100
				rows := 1
				for r := 2; r <= k; r++ {
					if (Bands{min(k/r, MaxBands), r}).Chance(j) >= recall {
						rows = r
					}
				}
				got := Choose(k, j, recall)
				if got.R != rows {
					t.Errorf("Choose(%d, %v, %v) = %v, want %d rows", k, j, recall, got, rows)
				}
				if got.B > 1 && (Bands{got.B - 1, got.R}).Chance(j) >= recall {
					t.Errorf("Choose(%d, %v, %v) = %v, and a band less would do", k, j, recall, got)
				}
			}
		}
	}
}

// TestAppend checks that two sketches share the key of a band if and only if they agree
// in all its slots.
func TestAppend(t *testing.T) {
	b := Bands{4, 3}
	one := []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	for i := range one {
		other := slices.Clone(one)
		other[i]++
		k1, k2 := b.Append(nil, one, 1), b.Append(nil, other, 2)
		for band := range k1 {
			if same := k1[band].Bucket == k2[band].Bucket; same != (i/3 != band) {
				t.Errorf("slot %d, band %d: same %v", i, band, same)
			}
			if k1[band].Digest == k2[band].Digest || int(k1[band].Bucket>>hashBits) != band {
				t.Errorf("slot %d, band %d: %x, %x", i, band, k1[band], k2[band])
			}
		}
	}
	if got := string(Key{0x1234, 0xabc}.AppendText(nil)); got != "0000000000001234.0000000000000abc" {
		t.Error(got)
	}
}

func TestSettle(t *testing.T) {
	for _, tc := range []struct {
		bands, want Bands
		ok          bool
	}{
		{Bands{32, 0}, Bands{32, 4}, true}, {Bands{0, 8}, Bands{16, 8}, true}, {Bands{16, 8}, Bands{16, 8}, true},
		{Bands{16, 9}, Bands{}, false}, {Bands{-1, 2}, Bands{}, false}, {Bands{129, 0}, Bands{}, false}, {Bands{257, 0}, Bands{}, false},
		{Bands{20, math.MaxInt}, Bands{}, false}, {Bands{4, 1 << 62}, Bands{}, false},
	} {
		got, err := Options{Bands: tc.bands}.Settle(128)
		if (err == nil) != tc.ok || tc.ok && got != tc.want {
			t.Errorf("%v: %v, %v", tc.bands, got, err)
		}
	}
}

func TestBucket(t *testing.T) {
	members := func(groups ...uint64) (m []Member) {
		for i := len(groups) - 1; i >= 0; i-- {
			m = append(m, Member{Rank: uint32(i), Group: groups[i]})
		}
		return m
	}
	for _, tc := range []struct {
		pairing Pairing
		groups  []uint64
		want    string
	}{
		{Pairing{Hot: 9}, []uint64{1}, ""},
		{Pairing{Hot: 9}, []uint64{1, 2, 3}, "01 02 12 "},
		{Pairing{Hot: 9}, []uint64{5, 2, 5, 5, 2}, "14 02 03 01 "},
		{Pairing{Hot: 9, All: true}, []uint64{5, 5, 5}, "01 02 12 "},
	} {
		got := ""
		tc.pairing.Bucket(0, members(tc.groups...), func(a, b uint32) { got += fmt.Sprint(a, b)[:1] + fmt.Sprint(b) + " " })
		if got != tc.want {
			t.Errorf("%v: %q, want %q", tc.groups, got, tc.want)
		}
	}
}

// TestHotBucket checks that the number of pairs of a hot bucket is linear in the number of members,
// that no pair is repeated, and that the skipped pairs are counted.
func TestHotBucket(t *testing.T) {
	for _, n := range []int{2, 8, 9, 16, 17, 100, 1000} {
		var m []Member
		for i := range n {
			m = append(m, Member{Rank: uint32(i), Group: uint64(i)})
		}
		p, seen := Pairing{Hot: 1}, map[[2]uint32]bool{}
		p.Bucket(7, m, func(a, b uint32) {
			if a >= b || seen[[2]uint32{a, b}] {
				t.Errorf("n %d: pair %d %d", n, a, b)
			}
			seen[[2]uint32{a, b}] = true
		})
		if total := n * (n - 1) / 2; int64(total) != int64(len(seen))+p.Skipped.Pairs || len(seen) > 16*n {
			t.Errorf("n %d: %d pairs, %d skipped, of %d", n, len(seen), p.Skipped.Pairs, total)
		}
		if s := p.Skipped; s.Pairs > 0 && seen[s.Example] || s.Largest != n || s.Key != 7 {
			t.Errorf("n %d: %+v", n, s)
		}
	}
}

// TestCommonBucket checks that a bucket with more groups than Pairing.Common is reported, and that
// only members of the same group are then paired, whether or not Pairing.All is set.
func TestCommonBucket(t *testing.T) {
	for _, tc := range []struct {
		pairing Pairing
		pairs   int
		common  []Common
	}{
		{Pairing{Hot: 9}, 4, nil},
		{Pairing{Hot: 9, Common: 3}, 4, nil},
		{Pairing{Hot: 9, Common: 2}, 1, []Common{{7, 3, 0}}},
		{Pairing{Hot: 9, Common: 3, All: true}, 6, nil},
		{Pairing{Hot: 9, Common: 2, All: true}, 1, []Common{{7, 3, 0}}},
	} {
		n := 0
		tc.pairing.Bucket(7, []Member{{3, 1, 0}, {1, 2, 0}, {0, 3, 0}, {2, 2, 0}}, func(a, b uint32) { n++ })
		if n != tc.pairs || !slices.Equal(tc.pairing.Skipped.Common, tc.common) {
			t.Errorf("%+v: %d pairs", tc.pairing, n)
		}
	}
}

func TestAcross(t *testing.T) {
	old := []Member{{1, 5, 0}, {0, 5, 0}, {2, 6, 0}}
	fresh := []Member{{3, 5, 0}, {4, 5, 0}}
	p, got := Pairing{Hot: 100}, ""
	p.Across(0, old, fresh, func(a, b uint32) { got += fmt.Sprint(a, " ", b, ";") })
	if want := "0 3;2 3;0 4;2 4;"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var many []Member
	for i := range uint32(100) {
		many = append(many, Member{Rank: i, Group: uint64(i)})
	}
	p, n := Pairing{Hot: 1}, 0
	p.Across(0, many, []Member{{100, 1, 0}}, func(a, b uint32) { n++ })
	if n != 16 || p.Skipped.Pairs != 84 {
		t.Errorf("%d pairs, %d skipped", n, p.Skipped.Pairs)
	}
	// A new record is paired with the old record that equals it, even if the bucket is hot or too
	// common: with the first one, or with all of them if Pairing.All is set, and each once.
	for _, tc := range []struct {
		pairing Pairing
		pairs   string
	}{
		{Pairing{Hot: 9, Common: 5}, "70 100"},
		{Pairing{Hot: 9, Common: 5, All: true}, "70 100;71 100"},
		{Pairing{Hot: 9, Common: 5, Apart: true}, "71 100"},
		{Pairing{Hot: 1}, "70 100"},
		{Pairing{Hot: 1, All: true}, "70 100;71 100"},
		{Pairing{Hot: 1, Apart: true}, "71 100"},
	} {
		var of []string
		old := slices.Clone(many)
		old[71].Group, old[71].Value = 70, 1
		tc.pairing.Across(0, old, []Member{{100, 70, 0}}, func(a, b uint32) {
			if a >= 70 && a <= 71 {
				of = append(of, fmt.Sprint(a, " ", b))
			}
		})
		if got := strings.Join(of, ";"); got != tc.pairs {
			t.Errorf("%+v: %q, want %q", tc.pairing, got, tc.pairs)
		}
	}
	// The new records of a bucket share a limit of Hot*Hot/2 pairs. So the fewer new records there
	// are, the more old records each of them is paired with.
	for _, fresh := range []int{1, 2, 10} {
		p, n = Pairing{Hot: 10}, 0
		p.Across(0, many, many[:fresh], func(a, b uint32) { n++ })
		if want := fresh * max(16, 50/fresh); n != want || p.Skipped.Pairs != int64(100*fresh-want) {
			t.Errorf("%d new: %d pairs, %d skipped, want %d", fresh, n, p.Skipped.Pairs, want)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	bands, slots := Choose(128, .8, .99), make([]uint32, 128)
	var dst []Key
	b.SetBytes(512)
	b.ReportAllocs()
	for b.Loop() {
		dst = bands.Append(dst[:0], slots, 1)
	}
}
