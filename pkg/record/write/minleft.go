package write

import (
	"fmt"
	"strconv"
	"strings"
)

// A MinLeft is the minimum length of text that must remain after cutting, in bytes or as a
// percentage of the text. It implements pflag.Value.
type MinLeft struct {
	Bytes   int
	Percent float64 // if not 0, used instead of Bytes
}

// Short reports whether the text is too short after cutting. left is the number of bytes that
// remain, and size is the number of bytes before cutting.
func (m MinLeft) Short(left, size int) bool {
	if m.Percent > 0 {
		return 100*float64(left) < m.Percent*float64(size)
	}
	return left < m.Bytes
}

func (m MinLeft) String() string {
	if m.Percent > 0 {
		return strconv.FormatFloat(m.Percent, 'g', -1, 64) + "%"
	}
	return strconv.Itoa(m.Bytes)
}

// Set parses a number of bytes, such as 200, or a percentage, such as 50%.
func (m *MinLeft) Set(v string) (err error) {
	*m = MinLeft{}
	if share, ok := strings.CutSuffix(v, "%"); ok {
		m.Percent, err = strconv.ParseFloat(share, 64)
	} else {
		m.Bytes, err = strconv.Atoi(v)
	}
	if err != nil || m.Bytes < 0 || !(0 <= m.Percent && m.Percent <= 100) {
		return fmt.Errorf("invalid length %q: want bytes, such as 200, or a share of the text, such as 50%%", v)
	}
	return nil
}

// Type returns the placeholder for the value in help texts.
func (m *MinLeft) Type() string { return "BYTES|PERCENT" }
