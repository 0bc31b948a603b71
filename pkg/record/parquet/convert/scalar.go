package convert

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/line/cell"
)

// This file decides the form of a value: as a text, a key, an id or a rank, and in JSON. All are the
// same, so that hashes of a Parquet file match those of the same data as JSON lines.

// A Type is the logical type of a column, or nil.
type Type = format.LogicalTypeValue

// AppendText appends a value as a text: the JSON form of the value, without the quotes and escapes
// of a string. NaN and the infinities, which JSON lacks, have the form that Python writes.
func AppendText(dst []byte, t Type, v pq.Value) []byte {
	switch v.Kind() {
	case pq.Boolean:
		return strconv.AppendBool(dst, v.Boolean())
	case pq.Int32, pq.Int64:
		return appendInteger(dst, t, v)
	case pq.Int96: // a timestamp: nanoseconds within a day, then the Julian day, which is 2440588 for 1970-01-01
		t := v.Int96()
		at := time.Unix((int64(t[2])-2440588)*86400, int64(t[1])<<32|int64(t[0]))
		return at.UTC().AppendFormat(dst, timeFormat)
	case pq.Float:
		return appendFloat(dst, float64(v.Float()), 32)
	case pq.Double:
		return appendFloat(dst, v.Double(), 64)
	}
	b := v.ByteArray()
	switch t := t.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		return append(dst, b...)
	case *format.DecimalType:
		return append(dst, decimal(v, int(t.Scale))...)
	case *format.Float16Type:
		if len(b) == 2 {
			return appendFloat(dst, float16(binary.LittleEndian.Uint16(b)), 32)
		}
	case *format.UUIDType:
		if len(b) == 16 {
			h := hex.AppendEncode(nil, b)
			return append(dst, bytes.Join([][]byte{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, []byte{'-'})...)
		}
	}
	return base64.StdEncoding.AppendEncode(dst, b)
}

// IsText reports whether the values of a column are texts, which AppendText appends unchanged.
func IsText(t Type) bool {
	switch t.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		return true
	}
	return false
}

// appendInteger appends a value that is stored as an integer.
func appendInteger(dst []byte, t Type, v pq.Value) []byte {
	n, unsigned := v.Int64(), v.Uint64()
	if v.Kind() == pq.Int32 {
		n, unsigned = int64(v.Int32()), uint64(v.Uint32())
	}
	switch t := t.(type) {
	case *format.TimestampType:
		var at time.Time
		switch t.Unit.Value.(type) {
		case *format.MilliSeconds:
			at = time.UnixMilli(n)
		case *format.MicroSeconds:
			at = time.UnixMicro(n)
		default:
			at = time.Unix(0, n)
		}
		return at.UTC().AppendFormat(dst, timeFormat)
	case *format.DateType:
		return time.Unix(n*86400, 0).UTC().AppendFormat(dst, "2006-01-02")
	case *format.DecimalType:
		return append(dst, decimal(v, int(t.Scale))...)
	case *format.IntType:
		if !t.IsSigned {
			return strconv.AppendUint(dst, unsigned, 10)
		}
	}
	return strconv.AppendInt(dst, n, 10)
}

const timeFormat = "2006-01-02T15:04:05.999999999Z"

// appendFloat appends a number as Python writes it: with a point, so that it stays a floating-point
// number if it is read again, and with as few digits as identify it among numbers of that many
// bits.
func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 0):
		return append(dst, "-Infinity"[min(1, 1+int(math.Copysign(1, f))):]...)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, bits)
	}
	start := len(dst)
	if dst = strconv.AppendFloat(dst, f, 'f', -1, bits); bytes.IndexByte(dst[start:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}

// float16 returns the value of a number in the binary16 format of IEEE 754.
func float16(b uint16) float64 {
	sign, exponent, fraction := 1.0, int(b>>10&31), float64(b&1023)
	if b>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return math.Copysign(math.Ldexp(fraction, -24), sign)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// appendScalar appends a value as JSON. NaN and the infinities become null.
func appendScalar(dst []byte, t Type, v pq.Value) []byte {
	start := len(dst)
	dst = AppendText(dst, t, v)
	_, half := t.(*format.Float16Type)
	switch kind := v.Kind(); {
	case kind == pq.Boolean:
		return dst
	case kind == pq.Float || kind == pq.Double || half:
		if last := dst[len(dst)-1]; last < '0' || last > '9' {
			return append(dst[:start], "null"...)
		}
		return dst
	case kind == pq.Int32 || kind == pq.Int64:
		switch t.(type) {
		case *format.TimestampType, *format.DateType, *format.DecimalType:
		default:
			return dst
		}
	}
	return cell.AppendJSON(dst[:start], bytes.Clone(dst[start:]))
}

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
