package keyline

import (
	"testing"

	"doppel/pkg/passage"
)

const scheme = "passage/200/k50/none/field=a.b"

func TestKey(t *testing.T) {
	for _, r := range []passage.Run{{Hash: 1 << 9}, {Hash: ^uint64(511)}, {Hash: 0}, {Hash: 0x123456789abcde00}} {
		key := AppendKey(nil, r, scheme)
		if hash, of, err := ParseKey(key); err != nil || hash != r.Hash || of != scheme || len(key) != 14+1+len("200/k50/none/field=a.b") {
			t.Errorf("%x: key %s is %x, %v", r.Hash, key, hash, err)
		}
	}
	for _, bad := range []string{"", "1", ".", "1.x", "80000000000000.x", "0123456789abcg.x", "0123456789abcde.x", "+123456789abcd.x", "0123456789abcd", "0123456789abcd."} {
		if hash, _, err := ParseKey([]byte(bad)); err == nil {
			t.Errorf("%q is %x", bad, hash)
		}
	}
}

// TestDoc checks the examples in the documentation of package passage.
func TestDoc(t *testing.T) {
	runs, err := passage.AppendParsed(nil, []byte("Zm9vYmFyAEtmb29iYXIAS2Zvb2JhcgBL"))
	if err != nil || len(runs) != 3 {
		t.Fatal(runs, err)
	}
	if line := string(AppendKey(nil, runs[0], "passage/200/k50/none")) + "\t" + string(AppendPlace(nil, []byte("12"), runs[0])); line != "3337b7b130b900.200/k50/none\t12#0+76" {
		t.Error(line)
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		id   string
		run  passage.Run
		want string
	}{
		{"12", passage.Run{Start: 0, Count: 76}, "12#0+76"},
		{"a#b", passage.Run{Start: 4417, Count: 256, Twice: true}, "a#b#4417+256*"},
		{"", passage.Run{Start: 1, Count: 1}, "#1+1"},
	} {
		place := AppendPlace(nil, []byte(c.id), c.run)
		id, r, err := ParsePlace(place)
		if string(place) != c.want || string(id) != c.id || r != c.run || err != nil {
			t.Errorf("%+v: %s, which is %s %+v, %v", c, place, id, r, err)
		}
	}
	for _, bad := range []string{"", "#", "12", "5+5", "0+76*", "12#", "12#5", "12#5+", "12#+5", "12#5+0", "12#5+257", "12#-5+5", "12#5+5**", "12#99999999999+5"} {
		if id, r, err := ParsePlace([]byte(bad)); err == nil {
			t.Errorf("%q is %s %+v", bad, id, r)
		}
	}
}
