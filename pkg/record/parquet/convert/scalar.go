package convert

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/line/cell"
)

// AppendValue appends a value as text: numbers as in JSON, and bytes unchanged.
func AppendValue(dst []byte, v pq.Value) []byte {
	switch v.Kind() {
	case pq.Boolean:
		return strconv.AppendBool(dst, v.Boolean())
	case pq.Int32:
		return strconv.AppendInt(dst, int64(v.Int32()), 10)
	case pq.Int64:
		return strconv.AppendInt(dst, v.Int64(), 10)
	case pq.Float:
		return strconv.AppendFloat(dst, float64(v.Float()), 'g', -1, 32)
	case pq.Double:
		return strconv.AppendFloat(dst, v.Double(), 'g', -1, 64)
	case pq.Int96:
		return append(dst, v.Int96().String()...)
	}
	return append(dst, v.ByteArray()...)
}

// appendScalar appends a value of the leaf n as JSON.
func appendScalar(dst []byte, n pq.Node, v pq.Value) []byte {
	switch t := logical(n).(type) {
	case *format.TimestampType:
		var at time.Time
		switch n := v.Int64(); t.Unit.Value.(type) {
		case *format.MilliSeconds:
			at = time.UnixMilli(n)
		case *format.MicroSeconds:
			at = time.UnixMicro(n)
		default:
			at = time.Unix(0, n)
		}
		return at.UTC().AppendFormat(dst, timeFormat)
	case *format.DateType:
		return time.Unix(int64(v.Int32())*86400, 0).UTC().AppendFormat(dst, `"2006-01-02"`)
	case *format.DecimalType:
		return cell.AppendJSON(dst, []byte(decimal(v, int(t.Scale))))
	case *format.IntType:
		if !t.IsSigned && v.Kind() == pq.Int32 {
			return strconv.AppendUint(dst, uint64(v.Uint32()), 10)
		}
		if !t.IsSigned {
			return strconv.AppendUint(dst, v.Uint64(), 10)
		}
	}
	switch v.Kind() {
	case pq.Int96: // a timestamp: nanoseconds within a day, then the Julian day, which is 2440588 for 1970-01-01
		t := v.Int96()
		at := time.Unix((int64(t[2])-2440588)*86400, int64(t[1])<<32|int64(t[0]))
		return at.UTC().AppendFormat(dst, timeFormat)
	case pq.Boolean, pq.Int32, pq.Int64:
		return AppendValue(dst, v)
	case pq.Float, pq.Double:
		text := AppendValue(nil, v)
		if last := text[len(text)-1]; last < '0' || last > '9' {
			return append(dst, "null"...) // NaN and the infinities cannot be written in JSON
		}
		return append(dst, text...)
	}
	b := AppendValue(nil, v)
	if !utf8.Valid(b) {
		b = []byte(base64.StdEncoding.EncodeToString(b))
	}
	return cell.AppendJSON(dst, b)
}

const timeFormat = `"2006-01-02T15:04:05.999999999Z"`

// decimal formats a decimal number that is stored as an integer. scale is the number of digits
// after the decimal point.
func decimal(v pq.Value, scale int) string {
	n := new(big.Int)
	switch v.Kind() {
	case pq.Int32:
		n.SetInt64(int64(v.Int32()))
	case pq.Int64:
		n.SetInt64(v.Int64())
	default:
		b := v.ByteArray()
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 { // two's complement
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	digits := fmt.Sprintf("%0*d", scale+1, new(big.Int).Abs(n))
	if scale > 0 {
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if n.Sign() < 0 {
		return "-" + digits
	}
	return digits
}
