package option_test

import (
	"math/big"
	"strings"
	"testing"

	"doppel/pkg/stage/option"
)

// plainSteps is a simple parser of steps, which uses big numbers; ok is false if the list is
// invalid.
func plainSteps(list string) (sizes, times []int64, ok bool) {
	for one := range strings.SplitSeq(list, ",") {
		words := strings.Split(one, ":")
		if len(words) != 2 {
			return nil, nil, false
		}
		var numbers [2]int64
		for i, w := range words {
			digits := strings.TrimPrefix(w, "+")
			if len(w)-len(digits) == 0 {
				digits = strings.TrimPrefix(w, "-")
			}
			n, isNumber := new(big.Int).SetString(w, 10)
			if !isNumber || digits == "" || strings.Trim(digits, "0123456789") != "" || n.Sign() <= 0 || !n.IsInt64() || i == 1 && n.Int64() > 1_000_000 {
				return nil, nil, false
			}
			numbers[i] = n.Int64()
		}
		if len(sizes) > 0 && numbers[0] <= sizes[len(sizes)-1] {
			return nil, nil, false
		}
		sizes, times = append(sizes, numbers[0]), append(times, numbers[1])
	}
	return sizes, times, true
}

// Set accepts the same lists as plainSteps. Parsing the result of String yields the same steps.
// Times applies the last step whose size does not exceed the given size.
func FuzzSteps(f *testing.F) {
	for _, list := range []string{"1:1,2:2,3:3,5:5,100:8,1000:1", "2:3", "", ",", "1:1,", "1:1,1:2", "3:1,2:1", "0:1", "1:0", "1:1000001", "+2:+03", "9223372036854775808:1", "1 :1", "1:1:1"} {
		f.Add(list, int64(7))
	}
	f.Fuzz(func(t *testing.T, list string, size int64) {
		var s option.Steps
		err := s.Set(list)
		sizes, times, ok := plainSteps(list)
		if ok != (err == nil) {
			t.Fatalf("%q: %v, want %v", list, err, ok)
		}
		if !ok {
			if s != nil || !strings.Contains(err.Error(), "want ") {
				t.Fatalf("%q: %v, %v", list, s, err)
			}
			return
		}
		for _, size := range append([]int64{size, 1}, sizes...) {
			want := int64(1)
			for i := range sizes {
				if sizes[i] <= size {
					want = times[i]
				}
			}
			if got := s.Times(size); got != want {
				t.Fatalf("%q: %d of %d, want %d", list, got, size, want)
			}
		}
		var again option.Steps
		if err := again.Set(s.String()); err != nil || again.String() != s.String() {
			t.Fatalf("%q: %q: %v", list, s.String(), err)
		}
	})
}

// --cluster-size rejects an empty field name and paths.
func TestClusterSizeName(t *testing.T) {
	fs := set(t, new(option.Sizes).Flags, "--cluster-size n")
	for _, name := range []string{"", "meta.n", "n[]"} {
		if err := fs.Set("cluster-size", name); err == nil || !strings.Contains(err.Error(), "want the name of a field") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
