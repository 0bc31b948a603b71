package parquet

import (
	"encoding/base64"
	"fmt"
	"io"
	"math/big"
	"os"
	"strconv"
	"time"
	"unicode/utf8"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/tsv"
)

// writeLines writes the rows of the files for whose ordinal keep returns true
// as JSON objects, a line each, with the fields in the order of the schema:
// groups and maps as objects, lists as arrays, timestamps in RFC 3339 and UTC,
// dates as YYYY-MM-DD, decimals as text, and bytes that are no UTF-8 as base64.
func writeLines(w io.Writer, files []*os.File, keep func(int64) bool) error {
	ordinal := int64(0)
	var line []byte
	for _, f := range files {
		file, err := openRows(f)
		if err != nil {
			return err
		}
		columns := make([][]pq.Value, len(file.Schema().Columns()))
		for _, g := range file.RowGroups() {
			err := eachRow(g, 0, g.NumRows(), func(i int64, row pq.Row) error {
				if !keep(ordinal + i) {
					return nil
				}
				row.Range(func(column int, values []pq.Value) bool {
					columns[column] = values
					return true
				})
				line = append(appendGroup(line[:0], file.Schema(), columns, 0, 0), '\n')
				_, err := w.Write(line)
				return err
			})
			if err != nil {
				return err
			}
			ordinal += g.NumRows()
		}
	}
	return nil
}

// leaves returns how many columns a node has.
func leaves(n pq.Node) (count int) {
	if n.Leaf() {
		return 1
	}
	for _, f := range n.Fields() {
		count += leaves(f)
	}
	return count
}

// appendGroup appends a group as an object. Columns are the values of its
// leaves in this instance, rep and def the levels at which it stands.
func appendGroup(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) []byte {
	dst = append(dst, '{')
	for i, f := range n.Fields() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(tsv.AppendJSON(dst, []byte(f.Name())), ':')
		k := leaves(f)
		dst = appendNode(dst, f, columns[:k], rep, def)
		columns = columns[k:]
	}
	return append(dst, '}')
}

// appendNode appends a field.
func appendNode(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) []byte {
	if n.Optional() {
		if columns[0][0].DefinitionLevel() <= def {
			return append(dst, "null"...)
		}
		def++
	}
	if n.Repeated() {
		return appendElements(dst, n, columns, rep, def, appendPresent)
	}
	return appendPresent(dst, n, columns, rep, def)
}

// appendPresent appends a field that is there, once.
func appendPresent(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) []byte {
	switch {
	case n.Leaf():
		return appendScalar(dst, n, columns[0][0])
	case isList(n):
		return appendElements(dst, n.Fields()[0], columns, rep, def, appendElement)
	case isMap(n):
		return appendMap(dst, n.Fields()[0], columns, rep, def)
	}
	return appendGroup(dst, n, columns, rep, def)
}

func isList(n pq.Node) bool {
	_, ok := logical(n).(*format.ListType)
	return ok && len(n.Fields()) == 1 && n.Fields()[0].Repeated()
}

func isMap(n pq.Node) bool {
	_, ok := logical(n).(*format.MapType)
	return ok && len(n.Fields()) == 1 && n.Fields()[0].Repeated() && len(n.Fields()[0].Fields()) == 2
}

func logical(n pq.Node) format.LogicalTypeValue {
	if t := n.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}

// appendElement appends an element of a list, out of the group that is
// repeated for it.
func appendElement(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) []byte {
	if n.Leaf() || len(n.Fields()) != 1 {
		return appendPresent(dst, n, columns, rep, def)
	}
	return appendNode(dst, n.Fields()[0], columns, rep, def)
}

type appender func(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) []byte

// appendElements appends the instances of a repeated field as an array.
func appendElements(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int, one appender) []byte {
	dst = append(dst, '[')
	first := true
	eachElement(columns, rep+1, def, func(element [][]pq.Value) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = one(dst, n, element, rep+1, def+1)
	})
	return append(dst, ']')
}

// appendMap appends the pairs of a map as an object; keys are texts.
func appendMap(dst []byte, pair pq.Node, columns [][]pq.Value, rep, def int) []byte {
	dst = append(dst, '{')
	first := true
	eachElement(columns, rep+1, def, func(element [][]pq.Value) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(tsv.AppendJSON(dst, appendValue(nil, element[0][0])), ':')
		dst = appendNode(dst, pair.Fields()[1], element[1:], rep+1, def+1)
	})
	return append(dst, '}')
}

// eachElement cuts the columns of a repeated field at the values that begin a
// new instance, those of its own repetition level.
func eachElement(columns [][]pq.Value, rep, def int, fn func([][]pq.Value)) {
	if columns[0][0].DefinitionLevel() <= def {
		return
	}
	rest, element := append([][]pq.Value(nil), columns...), make([][]pq.Value, len(columns))
	for len(rest[0]) > 0 {
		for i, values := range rest {
			n := 1
			for n < len(values) && values[n].RepetitionLevel() > rep {
				n++
			}
			element[i], rest[i] = values[:n], values[n:]
		}
		fn(element)
	}
}

// appendScalar appends the value of a leaf.
func appendScalar(dst []byte, n pq.Node, v pq.Value) []byte {
	switch t := logical(n).(type) {
	case *format.TimestampType:
		return appendTime(dst, v.Int64(), t.Unit.Value)
	case *format.DateType:
		return time.Unix(int64(v.Int32())*86400, 0).UTC().AppendFormat(dst, `"2006-01-02"`)
	case *format.DecimalType:
		return tsv.AppendJSON(dst, []byte(decimal(v, int(t.Scale))))
	case *format.IntType:
		if !t.IsSigned && v.Kind() == pq.Int32 {
			return strconv.AppendUint(dst, uint64(v.Uint32()), 10)
		}
		if !t.IsSigned {
			return strconv.AppendUint(dst, v.Uint64(), 10)
		}
	}
	switch v.Kind() {
	case pq.Boolean, pq.Int32, pq.Int64:
		return appendValue(dst, v)
	case pq.Float, pq.Double:
		return appendFloat(dst, v)
	}
	b := appendValue(nil, v)
	if !utf8.Valid(b) {
		b = []byte(base64.StdEncoding.EncodeToString(b))
	}
	return tsv.AppendJSON(dst, b)
}

// appendFloat appends a number; JSON has no word for those that are none.
func appendFloat(dst []byte, v pq.Value) []byte {
	text := appendValue(nil, v)
	if last := text[len(text)-1]; last < '0' || last > '9' {
		return append(dst, "null"...) // NaN and the infinities
	}
	return append(dst, text...)
}

func appendTime(dst []byte, v int64, unit format.TimeUnitValue) []byte {
	var t time.Time
	switch unit.(type) {
	case *format.MilliSeconds:
		t = time.UnixMilli(v)
	case *format.MicroSeconds:
		t = time.UnixMicro(v)
	default:
		t = time.Unix(0, v)
	}
	return t.UTC().AppendFormat(dst, `"2006-01-02T15:04:05.999999999Z"`)
}

// decimal writes an unscaled number with its scale.
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
	sign := ""
	if n.Sign() < 0 {
		sign = "-"
	}
	if scale == 0 {
		return sign + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}
