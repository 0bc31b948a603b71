package cli

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/dedup/model"
)

// A drawnType is a type of Parquet. Its function draws a value and returns it with its form in JSON
// lines, as doppel-records(5) states it.
type drawnType struct {
	name string
	node pq.Node
	draw func(*rand.Rand) (pq.Value, string)
}

// integer returns a type of whole numbers, whose values are from a function.
func integer(name string, node pq.Node, value func(int64) pq.Value, bits int) drawnType {
	return drawnType{name, node, func(r *rand.Rand) (pq.Value, string) {
		n := int64(r.Uint64()) >> (64 - bits)
		if r.IntN(2) == 0 {
			n = int64(r.IntN(3) - 1)
		}
		return value(n), strconv.FormatInt(n, 10)
	}}
}

func int32Of(n int64) pq.Value { return pq.Int32Value(int32(n)) }

// unsigned returns a type of whole numbers without a sign.
func unsigned(name string, bits int) drawnType {
	return drawnType{name, pq.Uint(bits), func(r *rand.Rand) (pq.Value, string) {
		n := r.Uint64() >> (64 - bits) >> r.IntN(bits)
		if bits < 64 {
			return pq.Int32Value(int32(n)), strconv.FormatUint(n, 10)
		}
		return pq.Int64Value(int64(n)), strconv.FormatUint(n, 10)
	}}
}

// decimal returns a type of decimals with two digits after the point, in numbers or in size bytes.
func decimal(name string, typ pq.Type, size int) drawnType {
	precision := map[int]int{-4: 9, -8: 18, 16: 38}[size]
	return drawnType{name, pq.Decimal(2, precision, typ), func(r *rand.Rand) (pq.Value, string) {
		n := big.NewInt(int64(r.IntN(2_000_000)) - 1_000_000)
		if size > 0 && r.IntN(2) == 0 {
			n.Mul(n, big.NewInt(math.MaxInt64))
		}
		sign, digits := "", new(big.Int).Abs(n).String()
		if n.Sign() < 0 {
			sign = "-"
		}
		digits = strings.Repeat("0", max(0, 3-len(digits))) + digits
		form := strconv.Quote(sign + digits[:len(digits)-2] + "." + digits[len(digits)-2:])
		switch size {
		case -4:
			return pq.Int32Value(int32(n.Int64())), form
		case -8:
			return pq.Int64Value(n.Int64()), form
		}
		two := new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), 128))
		bytes := two.FillBytes(make([]byte, 17))
		return pq.FixedLenByteArrayValue(bytes[1:]), form
	}}
}

// moment returns a type of timestamps in units of a duration.
func moment(name string, unit pq.TimeUnit, length time.Duration) drawnType {
	return drawnType{name, pq.Timestamp(unit), func(r *rand.Rand) (pq.Value, string) {
		n := r.Int64N(int64(100*365*24*time.Hour/length)) - int64(time.Hour*24*365*30/length)
		if r.IntN(2) == 0 {
			n = n / int64(time.Second/length) * int64(time.Second/length)
		}
		at := time.Unix(0, 0).Add(time.Duration(n) * length).UTC()
		return pq.Int64Value(n), strconv.Quote(at.Format(time.RFC3339Nano))
	}}
}

// number returns a type of floating-point numbers.
func number(name string, typ pq.Type, bits int) drawnType {
	return drawnType{name, pq.Leaf(typ), func(r *rand.Rand) (pq.Value, string) {
		f := []float64{0.1, 2, 1e20, -1.5e-7, 100, 0.5, 12345.678, -0.25}[r.IntN(8)]
		form := strconv.FormatFloat(f, 'g', -1, bits)
		if bits == 32 {
			form = strconv.FormatFloat(float64(float32(f)), 'g', -1, 32)
		}
		if !strings.ContainsAny(form, ".e") {
			form += ".0"
		}
		if bits == 32 {
			return pq.FloatValue(float32(f)), form
		}
		return pq.DoubleValue(f), form
	}}
}

// drawnTypes are all types that parquet-go can write.
var drawnTypes = []drawnType{
	{"bool", pq.Leaf(pq.BooleanType), func(r *rand.Rand) (pq.Value, string) {
		b := r.IntN(2) == 0
		return pq.BooleanValue(b), fmt.Sprint(b)
	}},
	integer("int8", pq.Int(8), int32Of, 8), integer("int16", pq.Int(16), int32Of, 16), integer("int32", pq.Int(32), int32Of, 32),
	integer("int64", pq.Int(64), pq.Int64Value, 64), unsigned("uint8", 8), unsigned("uint16", 16), unsigned("uint32", 32), unsigned("uint64", 64),
	number("float", pq.FloatType, 32), number("double", pq.DoubleType, 64),
	decimal("decimal4", pq.Int32Type, -4), decimal("decimal8", pq.Int64Type, -8), decimal("decimal16", pq.FixedLenByteArrayType(16), 16),
	{"date", pq.Date(), func(r *rand.Rand) (pq.Value, string) {
		n := r.IntN(40000) - 10000
		return pq.Int32Value(int32(n)), strconv.Quote(time.Unix(int64(n)*86400, 0).UTC().Format(time.DateOnly))
	}},
	integer("timems", pq.Time(pq.Millisecond), func(n int64) pq.Value { return pq.Int32Value(int32(n)) }, 27),
	integer("timeus", pq.Time(pq.Microsecond), pq.Int64Value, 37), integer("timens", pq.Time(pq.Nanosecond), pq.Int64Value, 47),
	moment("tsms", pq.Millisecond, time.Millisecond), moment("tsus", pq.Microsecond, time.Microsecond), moment("tsns", pq.Nanosecond, time.Nanosecond),
	words("string", pq.String()), words("enum", pq.Enum()),
	{"json", pq.JSON(), func(r *rand.Rand) (pq.Value, string) {
		s := fmt.Sprintf(`{"a":%d}`, r.IntN(3))
		return pq.ByteArrayValue([]byte(s)), strconv.Quote(s)
	}},
	{"uuid", pq.UUID(), func(r *rand.Rand) (pq.Value, string) {
		b := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, r.Uint64()), uint64(r.IntN(3)))
		return pq.FixedLenByteArrayValue(b), fmt.Sprintf(`"%x-%x-%x-%x-%x"`, b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}},
	{"bytes", pq.Leaf(pq.ByteArrayType), func(r *rand.Rand) (pq.Value, string) {
		b := []byte{byte(r.IntN(256)), 'a', byte(r.IntN(2))}[:1+r.IntN(3)]
		return pq.ByteArrayValue(b), strconv.Quote(base64.StdEncoding.EncodeToString(b))
	}},
	{"fixed", pq.Leaf(pq.FixedLenByteArrayType(5)), func(r *rand.Rand) (pq.Value, string) {
		b := []byte{'a', 'b', 'c', byte(r.IntN(256)), byte(r.IntN(3))}
		return pq.FixedLenByteArrayValue(b), strconv.Quote(base64.StdEncoding.EncodeToString(b))
	}},
}

// words returns a type of strings.
func words(name string, node pq.Node) drawnType {
	return drawnType{name, node, func(r *rand.Rand) (pq.Value, string) {
		s := []string{"a", "b", "über", "x y", "10", "9"}[r.IntN(6)]
		return pq.ByteArrayValue([]byte(s)), strconv.Quote(s)
	}}
}

// checkTypes writes random rows of a column x of a random type as Parquet and as JSON lines, and runs
// commands on both.
func checkTypes(tb testing.TB, r *rand.Rand, dir string) {
	tb.Helper()
	one := drawnTypes[r.IntN(len(drawnTypes))]
	columns, lines := filepath.Join(dir, "x.parquet"), filepath.Join(dir, "x.jsonl")
	f, err := os.Create(columns)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	w := pq.NewWriter(f, pq.NewSchema("x", pq.Group{"n": pq.Optional(pq.Int(64)), "t": pq.Optional(pq.String()), "x": pq.Optional(one.node)}))
	var want strings.Builder
	var values []pq.Value
	var forms []string
	for range 1 + r.IntN(4) {
		value, form := one.draw(r)
		values, forms = append(values, value.Level(0, 1, 2)), append(forms, form)
	}
	if r.IntN(2) == 0 {
		values, forms = append(values, pq.NullValue().Level(0, 0, 2)), append(forms, "null")
	}
	for i := range 2 + r.IntN(12) {
		word, k := []string{"same", "other"}[r.IntN(2)], r.IntN(len(values))
		row := pq.Row{pq.Int64Value(int64(i)).Level(0, 1, 0), pq.ByteArrayValue([]byte(word)).Level(0, 1, 1), values[k]}
		if _, err := w.WriteRows([]pq.Row{row}); err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(&want, `{"n":%d,"t":"%s","x":%s}`+"\n", i, word, forms[k])
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(lines, []byte(want.String()), 0o666); err != nil {
		tb.Fatal(err)
	}
	run := func(command, input string) string {
		got := model.Exec(Run, append(strings.Fields(command), input)...)
		return strings.ReplaceAll(fmt.Sprint(got.Status, got.Stdout), columns, lines)
	}
	if got := run("reccat --to jsonl", columns); got != "0"+want.String() {
		tb.Fatalf("%s: %s, want\n%s", one.name, got, want.String())
	}
	copied := filepath.Join(dir, "copy.parquet")
	run("exact --stats=none -o "+copied, columns)
	if got, want := run("reccat --to jsonl", copied), run("exact --stats=none", lines); got != want {
		tb.Fatalf("%s: a copy has %s, want %s", one.name, got, want)
	}
	for _, command := range []string{
		"recsign -m exact --field=x --missing=keep", "recsign -m exact --field=t --id=x -k", "recsign -m exact --field=t --within=x --missing=keep",
		"exact --stats=none --to=jsonl --field=x --missing=drop", "exact --stats=none --to=jsonl --field=t --rank=x", "exact --stats=none --to=jsonl --field=t --rank=x:desc",
		"exact --stats=none --to=jsonl --field=t --within=x --missing=keep", "exact --stats=none --to=jsonl --field=t --across=x --missing=keep",
		"fuzzy --stats=none --to=jsonl --field=t --rank=x:desc",
	} {
		if got, want := run(command, columns), run(command, lines); got != want {
			tb.Fatalf("%s: %s\n%s, from JSON lines\n%s\n%s", one.name, command, got, want, lines)
		}
	}
}

// TestTypes checks that a value of each type of Parquet is the same as in JSON lines, as a text, an
// id, a key, a rank and a value, and after a conversion and a copy.
func TestTypes(t *testing.T) {
	checkRandom(t, 40, checkTypes)
}

// FuzzTypes is like TestTypes, for any seed.
func FuzzTypes(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkTypes(t, rand.New(rand.NewPCG(seed, 1)), t.TempDir()) })
}
