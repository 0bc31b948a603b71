package convert

import (
	"testing"

	pq "github.com/parquet-go/parquet-go"
)

func TestDecimal(t *testing.T) {
	for _, tc := range []struct {
		v     pq.Value
		scale int
		want  string
	}{
		{pq.Int64Value(12345), 2, "123.45"}, {pq.Int32Value(-5), 2, "-0.05"}, {pq.Int32Value(7), 0, "7"},
		{pq.ByteArrayValue([]byte{0xff, 0x85}), 1, "-12.3"}, {pq.ByteArrayValue([]byte{1, 0}), 3, "0.256"},
	} {
		if got := decimal(tc.v, tc.scale); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.v, got, tc.want)
		}
	}
}
