package method

import (
	"slices"
	"strings"
	"testing"

	"doppel/pkg/line"
	"doppel/pkg/lsh"
)

// TestPassageKeys checks that the lines for passages contain the scheme and a position in the
// record, and that equal texts have equal keys.
func TestPassageKeys(t *testing.T) {
	for _, scheme := range []string{"passage/200/k50/none", "passage/w50/k12/balanced/field=a.b"} {
		s, err := Parse(scheme)
		if err != nil {
			t.Fatal(err)
		}
		keyer := NewAnyKeyer(lsh.Options{})
		var keys [][]string
		for _, body := range signAll(s)[:2] {
			var these []string
			err := keyer.Each(line.Signature{ID: []byte("7"), Scheme: []byte(scheme), Body: body}, func(k line.Key) {
				these = append(these, string(k.Text)+" "+string(k.ID))
			})
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, these)
		}
		if len(keys[0]) < 10 || !slices.Equal(keys[0], keys[1]) {
			t.Errorf("%s: %d keys, and %d", scheme, len(keys[0]), len(keys[1]))
		}
		for _, k := range keys[0] {
			if !strings.Contains(k, "."+strings.TrimPrefix(scheme, "passage/")+" 7#") {
				t.Errorf("%s: key %q", scheme, k)
			}
		}
	}
}

// TestPassageRefusals checks that Append returns an error for passages, and that Each returns an
// error for invalid signatures.
func TestPassageRefusals(t *testing.T) {
	s := line.Signature{Scheme: []byte("passage/200/k50/none"), Body: []byte("-")}
	if _, err := NewAnyKeyer(lsh.Options{}).Append(nil, s); err == nil || !strings.Contains(err.Error(), "makes no pairs of records") {
		t.Error(err)
	}
	for _, bad := range []line.Signature{{Scheme: s.Scheme, Body: []byte("odd")}, {Scheme: []byte("odd")}, {Scheme: []byte("exact/xxh3-128/text/none"), Body: []byte("odd")}} {
		if err := NewAnyKeyer(lsh.Options{}).Each(bad, func(line.Key) { t.Error("a key") }); err == nil {
			t.Errorf("%s: no error", bad.Scheme)
		}
	}
}
