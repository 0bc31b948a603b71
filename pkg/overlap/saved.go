package overlap

import (
	"bytes"
	"fmt"
	"strconv"

	"doppel/pkg/digest"
	"doppel/pkg/line/cell"
)

// Scheme identifies the index: indexes with the same scheme number their windows in the same way,
// and have the same limits for common windows. The scheme is one word. It holds the number of
// fields per item, all options except Coverage, and a hash of the words of all items.
func (x *Index) Scheme() string {
	var plain digest.Hash
	sum := plain.Sum(x.arena).AppendHex(nil)
	return fmt.Sprintf("overlap/w%d/%v/df%d/testdf%d/fields%d/%s", x.opt.Window, x.opt.Normalize, x.opt.DF, x.opt.TestDF, x.fieldsPerItem, sum)
}

// AppendHits appends hits to dst in the form WINDOW:START-END, separated by commas.
func AppendHits(dst []byte, hits []Hit) []byte {
	for i, h := range hits {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(dst, uint64(h.Window), 10)
		dst = strconv.AppendInt(append(dst, ':'), int64(h.Start), 10)
		dst = strconv.AppendInt(append(dst, '-'), int64(h.End), 10)
	}
	return dst
}

// ParseHits parses the output of AppendHits for a text of the given size in bytes, and appends the
// hits to dst. It returns an error for a window that the index does not have, or a position outside
// the text.
func (x *Index) ParseHits(dst []Hit, list []byte, size int64) ([]Hit, error) {
	for len(list) > 0 {
		one, rest, more := bytes.Cut(list, []byte{','})
		window, place, _ := bytes.Cut(one, []byte{':'})
		from, to, _ := bytes.Cut(place, []byte{'-'})
		n, err := x.ParseWindow(window)
		start, first := cell.ParseWhole(from)
		end, last := cell.ParseWhole(to)
		if err != nil || !first || !last || start > end || end > size || more && len(rest) == 0 {
			return dst, fmt.Errorf("invalid place %q: want WINDOW:START-END in %d windows and %d bytes", one, x.Windows(), size)
		}
		dst, list = append(dst, Hit{Window: uint32(n), Start: int(start), End: int(end)}), rest
	}
	return dst, nil
}

// ParseWindow parses the number of a window, and returns an error if the index has no such window.
func (x *Index) ParseWindow(digits []byte) (int, error) {
	n, ok := cell.ParseWhole(digits)
	if !ok || n < 0 || n >= int64(x.Windows()) {
		return 0, fmt.Errorf("invalid window %q: want a number below %d", digits, x.Windows())
	}
	return int(n), nil
}
