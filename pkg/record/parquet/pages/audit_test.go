package pages

import (
	"encoding/binary"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

func plainTexts(texts ...string) (b []byte) {
	for _, s := range texts {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
	}
	return b
}

// TestShort checks that a page with fewer or more values than its header says is not
// decoded.
func TestShort(t *testing.T) {
	three, err := new(delta.BinaryPackedEncoding).EncodeInt64(nil, []int64{1, 5, 7})
	if err != nil {
		t.Fatal(err)
	}
	lengths, err := new(delta.LengthByteArrayEncoding).EncodeByteArray(nil, []byte("abc"), []uint32{0, 1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	prefixes, err := new(delta.ByteArrayEncoding).EncodeByteArray(nil, []byte("aababc"), []uint32{0, 1, 3, 6})
	if err != nil {
		t.Fatal(err)
	}
	long, text, flag, fixed := &leaf{kind: pq.Int64, width: 8}, &leaf{kind: pq.ByteArray}, &leaf{kind: pq.Boolean}, &leaf{kind: pq.FixedLenByteArray, width: 5}
	for name, tc := range map[string]struct {
		l    *leaf
		as   format.Encoding
		b    []byte
		most int // largest number of values for which b is accepted
	}{
		"plain numbers":      {long, format.Plain, make([]byte, 24), 3},
		"plain texts":        {text, format.Plain, plainTexts("a", "", "text"), 3},
		"plain booleans":     {flag, format.Plain, make([]byte, 1), 8},
		"plain fixed texts":  {fixed, format.Plain, make([]byte, 15), 3},
		"indexes":            {text, format.RLEDictionary, []byte{2, 6, 1}, 3},
		"differences":        {long, format.DeltaBinaryPacked, three, 3},
		"lengths":            {text, format.DeltaLengthByteArray, lengths, 3},
		"prefixes":           {text, format.DeltaByteArray, prefixes, 3},
		"split":              {long, format.ByteStreamSplit, make([]byte, 24), 3},
		"indexes, no width":  {text, format.RLEDictionary, []byte{0, 6}, 3},
		"no index, no value": {text, format.RLEDictionary, nil, 0},
	} {
		p := &page{kind: format.DataPage, encoding: tc.as}
		if err := auditValues(tc.b, p, tc.l, tc.most); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := auditValues(tc.b, p, tc.l, tc.most+1); err == nil && name != "indexes, no width" {
			t.Errorf("%s: one less: no error", name)
		}
	}
	for name, tc := range map[string]struct {
		l  *leaf
		as format.Encoding
	}{"RLE numbers": {long, format.RLE}, "text differences": {text, format.DeltaBinaryPacked}, "number 77": {long, 77}} {
		if err := auditValues(three, &page{kind: format.DataPage, encoding: tc.as}, tc.l, 3); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPlainBooleans(t *testing.T) {
	// The first run repeats true, stored as 255, 10 times. Then come 8 packed values, and a run
	// that repeats false 3 times.
	runs := []byte{20, 255, 3, 0xa5, 6, 0}
	b := append(binary.LittleEndian.AppendUint32(nil, uint32(len(runs))), runs...)
	got, err := plainBooleans(b, &page{kind: format.DataPage, values: 21, encoding: format.RLE}, &leaf{kind: pq.Boolean})
	if want := []byte{0xff, 0x97, 0x02}; err != nil || string(got) != string(want) {
		t.Errorf("%x, %v, want %x", got, err, want)
	}
	for n := range len(b) {
		if _, err := plainBooleans(b[:n], &page{kind: format.DataPage, values: 21, encoding: format.RLE}, &leaf{kind: pq.Boolean}); err == nil {
			t.Errorf("cut at %d: no error", n)
		}
	}
}
