package jsonstr

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzSkipNumber checks that SkipNumber skips an entire input if and only if encoding/json accepts
// the input as a number, and that what it skips is always a number.
func FuzzSkipNumber(f *testing.F) {
	for _, s := range []string{"", "-", "0", "-0", "01", "12.", "1.5", "1.5.6", ".5", "1e", "1E+", "1e-07", "2e5x", "+1", "9-", "1/2", "1:"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		end, ok := SkipNumber(data, 0)
		if want := json.Valid(data) && len(bytes.Trim(data, "-+.eE0123456789")) == 0; (ok && end == len(data)) != want {
			t.Errorf("%q: %d, %v", data, end, ok)
		}
		if ok && !json.Valid(data[:end]) {
			t.Errorf("%q: %d", data, end)
		}
	})
}
