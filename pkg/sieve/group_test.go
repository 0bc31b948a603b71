package sieve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGroups checks that the decisions, the number of pairs and the records for which the table has no
// room are the same for all numbers of goroutines, sizes of batches and groups, and limits, and that
// at the end the table holds the same leaders in parts of the same sizes.
func TestGroups(t *testing.T) {
	alone, shared, waiting := 0, 0, 0
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 2))
		var texts []string
		for range 700 {
			switch r.IntN(2 + int(seed%4)*3) {
			case 0:
				texts = append(texts, drawTexts(r, 3)...)
			case 1:
				texts = append(texts, strings.Repeat("the same words ", 1+r.IntN(40)))
			default:
				texts = append(texts, fmt.Sprintf("%x %[1]d %[2]x %[2]d", r.Uint64(), r.Uint64()))
			}
		}
		texts = append(texts, texts[r.IntN(len(texts)):]...)
		o := options([]float64{.3, .8}[r.IntN(2)])
		o.Hot, o.Table = []int{2, 3, hot}[r.IntN(3)], []int64{1, 280 << 10, 1 << 20}[r.IntN(3)]
		want, err := sieveSome(texts, o, func() int { return 10 }, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, jobs := range []int{2, 3, 7, 16} {
			r := rand.New(rand.NewPCG(seed, uint64(jobs)))
			most := 1 + r.IntN(60)
			got, err := sieveSome(texts, o, func() int { return 1 + r.IntN(most) }, jobs)
			if d := cmp.Diff(want.all, got.all, cmp.AllowUnexported(verdict{})); d != "" || err != nil || got.pairs != want.pairs {
				t.Fatalf("seed %d, %d threads, batches of at most %d: %d pairs, want %d, error %v: %s", seed, jobs, most, got.pairs, want.pairs, err, d)
			}
			for i := range want.table.parts {
				p, q := want.table.parts[i].Load(), got.table.parts[i].Load()
				if a, b := slices.Sorted(slices.Values(p.slots)), slices.Sorted(slices.Values(q.slots)); !slices.Equal(a, b) || p.used != q.used {
					t.Fatalf("seed %d, %d threads: part %d differs", seed, jobs, i)
				}
			}
			if a, b := want.table.room.Load(), got.table.room.Load(); a != b {
				t.Errorf("seed %d, %d threads: room for %d slots, want %d", seed, jobs, b, a)
			}
			alone, shared = alone+got.alone, shared+len(got.all)-got.alone
		}
		for _, v := range want.all {
			if v.leader < 0 {
				waiting++
			}
		}
	}
	if alone < 1000 || shared < 1000 || waiting < 100 {
		t.Errorf("%d records alone, %d not, %d waiting: not enough is tested", alone, shared, waiting)
	}
}

// TestGroupOfPartlyFilledLots checks that Begin does not look up the keys of a group if it does not
// know those of one of its lots.
func TestGroupOfPartlyFilledLots(t *testing.T) {
	o := options(.8)
	o.Jobs = 2
	s := New(o)
	var lots [2]Lot
	for i := range lots {
		s.crowded.Store(i == 0)
		s.Fill(&lots[i], []Record{{Keys: []uint64{1, 2}, Score: -1}})
	}
	s.Begin([]*Lot{&lots[0], &lots[1]})
	if s.Insert(&lots[0].records[0]); lots[1].records[0].isAlone() {
		t.Error("the second record is alone, though it has the keys of the first")
	}
}
