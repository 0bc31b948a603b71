package fuzzysum

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestQuantile(t *testing.T) {
	for _, nu := range []float64{1, 2, 7.5, Buckets - 1} {
		plain := distuv.StudentsT{Sigma: 1, Nu: nu}
		for n := 1; n < 10_000; n++ {
			p := float64(n) / 10_000
			if got, want := quantile(p, nu), plain.Quantile(p); got != want {
				t.Fatalf("p %v, nu %v: %v, want %v", p, nu, got, want)
			}
		}
	}
}
