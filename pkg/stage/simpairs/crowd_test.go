package simpairs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/simhash"
)

func TestThinCrowds(t *testing.T) {
	h := func(all ...uint64) (hashes []simhash.Hash) {
		for _, x := range all {
			hashes = append(hashes, simhash.Hash{Lo: x})
		}
		return hashes
	}
	type result struct {
		Rest   []simhash.Hash
		Kept   []uint32
		First  []uint32
		Lately [][]uint32
	}
	for _, c := range []struct {
		hashes []simhash.Hash
		hot    int
		want   result
	}{
		{h(1, 2, 1), 3, result{Rest: h(1, 2, 1)}},
		{h(1, 2, 1), 2, result{Rest: h(1, 2, 1)}},
		{h(1, 2, 1), 1, result{h(1, 2), []uint32{0, 1}, []uint32{0}, [][]uint32{{2}}}},
		{h(3, 5, 7, 5, 7, 5, 7, 8), 2, result{h(3, 5, 7, 8), []uint32{0, 1, 2, 7}, []uint32{1, 2}, [][]uint32{{3, 5}, {4, 6}}}},
	} {
		var got result
		var crowds []crowd
		got.Rest, got.Kept, crowds = thinCrowds(c.hashes, c.hot)
		for _, one := range crowds {
			got.First, got.Lately = append(got.First, one.first), append(got.Lately, one.later)
		}
		if d := cmp.Diff(c.want, got); d != "" && len(crowds)+len(c.want.First) > 0 {
			t.Errorf("%v, %d: %s", c.hashes, c.hot, d)
		}
	}
}
