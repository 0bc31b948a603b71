package record

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/record/dataform"
)

// objectsOf reads the records of a stream with the given name and converts them to JSON lines. It
// returns the error of the reader or of the first bad record.
func objectsOf(t testing.TB, name string, data []byte, opt Options) (lines []byte, err error) {
	t.Helper()
	rd, err := NewReader(Input{Stdin: bytes.NewReader(data), Called: map[string]string{"-": name}}, opt)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	rd.SetUse(func(dataform.Kind) (Use, error) { return Use{Objects: true}, nil })
	var b Batch
	for {
		switch err := rd.Next(&b); err {
		case io.EOF:
			return out.Bytes(), nil
		case nil:
		default:
			return nil, err
		}
		b.Decode()
		for i := range b.Records {
			if err := b.Records[i].Err; err != nil {
				return nil, err
			}
			line := b.Records[i].Raw
			if t := rd.Table(); t != nil {
				if line, err = t.AppendObject(nil, line); err != nil {
					return nil, err
				}
			}
			out.Write(append(slices.Clip(line), '\n'))
		}
	}
}

// tableOf is like objectsOf, and returns the values of the columns a0, a1, … of each row.
func tableOf(t testing.TB, name string, data []byte, d Dialect, columns int) (rows [][]string, err error) {
	t.Helper()
	lines, err := objectsOf(t, name, data, Options{Dialect: d})
	for line := range bytes.Lines(lines) {
		var object map[string]string
		if err := json.Unmarshal(line, &object); err != nil {
			t.Fatal(err)
		}
		var row []string
		for i := range columns {
			value, ok := object[fmt.Sprint("a", i)]
			if !ok || len(object) != columns {
				t.Fatalf("%q: %s", data, line)
			}
			row = append(row, value)
		}
		rows = append(rows, row)
	}
	return rows, err
}

// A dialectCase is a table, the way in which a program wrote it, and the options that read it.
type dialectCase struct {
	name     string
	file     string
	separate string
	line     string                     // line end
	field    func(s, sep string) string // writes a field
	cell     func(r *rand.Rand) string  // draws a value
	options  Dialect                    // options that read the table; the zero value if none do
	reads    func(rows [][]string) bool // whether the options must read the table; nil if never
	usual    bool                       // the table is read without options, too
}

// pieces are the parts of random values.
var piecesOfCells = []string{"", " ", "x", "yz", "é", `"`, "'", `\`, ",", ";", "|", "\t", "\n", `""`, "3.5\"", "\" ", " \""}

func drawCell(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(5) {
		b.WriteString(piecesOfCells[r.IntN(len(piecesOfCells))])
	}
	return b.String()
}

// drawLine draws a value without tabs and line ends.
func drawLine(r *rand.Rand) string {
	return strings.NewReplacer("\t", " ", "\n", "-").Replace(drawCell(r))
}

// quoteBy returns a function that encloses fields in quotes where RFC 4180 needs them, or always.
func quoteBy(quote string, always bool) func(s, sep string) string {
	return func(s, sep string) string {
		if always || s == "" || strings.ContainsAny(s, quote+sep+"\r\n") {
			return quote + strings.ReplaceAll(s, quote, quote+quote) + quote
		}
		return s
	}
}

func anyTable([][]string) bool { return true }

// drawCase draws the dialect of a table. The dialects are those of spreadsheets, databases and
// programming languages.
func drawCase(r *rand.Rand) dialectCase {
	rfc := quoteBy(`"`, r.IntN(2) == 0)
	escape := func(s, sep string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }
	all := []dialectCase{
		{name: "RFC 4180", file: "x.csv", separate: ",", field: rfc, reads: anyTable, usual: true},
		{name: "semicolon", file: "x.csv", separate: ";", field: rfc, options: Dialect{Separator: ';'}, reads: anyTable},
		{name: "pipe", file: "x.csv", separate: "|", field: rfc, options: Dialect{Separator: '|'}, reads: anyTable},
		{name: "tab in .csv", file: "x.csv", separate: "\t", field: rfc, options: Dialect{Separator: '\t', Quote: '"'}, reads: anyTable},
		{name: "quoted TSV", file: "x.tsv", separate: "\t", field: rfc, options: Dialect{Quote: '"'}, reads: anyTable},
		{name: "plain TSV", file: "x.tsv", separate: "\t", field: func(s, _ string) string { return s }, cell: drawLine, options: Dialect{Quote: NoQuote}, reads: anyTable},
		{name: "single quotes", file: "x.csv", separate: ",", field: quoteBy("'", true), options: Dialect{Quote: '\''}, reads: anyTable},
		{name: "backslash before quotes", file: "x.csv", separate: ",", field: escape},
		{name: "blank before quotes", file: "x.csv", separate: ", ", field: rfc},
		{name: "quotes not doubled", file: "x.csv", separate: ",", field: func(s, _ string) string { return `"` + s + `"` }},
		{name: "backslash before all", file: "x.csv", separate: ",", field: func(s, _ string) string {
			return strings.NewReplacer(`\`, `\\`, ",", `\,`, `"`, `\"`, "\n", "\\\n").Replace(s)
		}},
	}
	c := all[r.IntN(len(all))]
	c.line = []string{"\n", "\n", "\r\n"}[r.IntN(3)]
	if c.cell == nil {
		c.cell = drawCell
	}
	return c
}

// write returns the table as the program writes it.
func (c *dialectCase) write(r *rand.Rand, rows [][]string, mark bool) []byte {
	var b bytes.Buffer
	if mark {
		b.Write(utf8Mark)
	}
	for i, row := range rows {
		for j, value := range row {
			if j > 0 && i == 0 {
				b.WriteString(c.separate[:1]) // the header has no blanks
			} else if j > 0 {
				b.WriteString(c.separate)
			}
			if i == 0 {
				b.WriteString(value)
			} else {
				b.WriteString(c.field(value, c.separate))
			}
		}
		if i < len(rows)-1 || r.IntN(4) > 0 {
			b.WriteString(c.line)
		}
	}
	return b.Bytes()
}

// otherReading returns the rows that the bytes hold by the rules of the page: strict RFC 4180 for
// CSV, and for TSV the fields of each line, without the quotes around a field that they enclose.
func otherReading(file string, data []byte) (rows [][]string, ok bool) {
	data = bytes.TrimPrefix(data, utf8Mark)
	if file == "x.csv" {
		oracle := csv.NewReader(bytes.NewReader(data))
		if rows, err := oracle.ReadAll(); err == nil {
			return rows[min(1, len(rows)):], true
		}
		return pageReading(string(data))
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		var row []string
		for _, s := range strings.Split(strings.TrimSuffix(line, "\r"), "\t") {
			if in := strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`); len(in)+2 == len(s) && !strings.Contains(strings.ReplaceAll(in, `""`, ""), `"`) {
				s = strings.ReplaceAll(in, `""`, `"`)
			}
			row = append(row, s)
		}
		if i > 0 && strings.TrimSuffix(line, "\r") != "" {
			rows = append(rows, row)
		}
	}
	return rows, true
}

// pageReading reads CSV by the rules of doppel-records(5), field by field. Unlike strict RFC 4180, they
// allow a quote in the middle of an unquoted field.
func pageReading(data string) (rows [][]string, ok bool) {
	var row []string
	for data != "" {
		var value, end string
		if strings.HasPrefix(data, `"`) {
			rest := data[1:]
			for {
				n := strings.IndexByte(rest, '"')
				if n < 0 {
					return nil, false
				}
				value, rest = value+rest[:n], rest[n+1:]
				if !strings.HasPrefix(rest, `"`) {
					break
				}
				value, rest = value+`"`, rest[1:]
			}
			data = strings.TrimPrefix(rest, "\r")
			if data != "" && data[0] != ',' && data[0] != '\n' || data != rest && !strings.HasPrefix(data, "\n") && data != "" {
				return nil, false
			}
		} else {
			n := strings.IndexAny(data, ",\n")
			if n < 0 {
				n = len(data)
			}
			value, data = data[:n], data[n:]
			if !strings.HasPrefix(data, ",") {
				value = strings.TrimSuffix(value, "\r")
			}
			if strings.HasPrefix(strings.TrimLeft(value, " "), `"`) || strings.HasSuffix(value, `"`) || strings.Contains(value, `\"`) ||
				strings.HasPrefix(value, "'") && strings.Contains(value, `"`) {
				return nil, false
			}
		}
		row = append(row, value)
		if end, data = data[:min(1, len(data))], data[min(1, len(data)):]; end == "," && data != "" {
			continue
		} else if end == "," {
			row = append(row, "")
		}
		// An empty line is no row, nor is a line of blanks in a table with several columns.
		if blanks := len(rows) > 0 && len(rows[0]) > 1 && strings.Trim(row[0], " \t\r") == ""; len(row) > 1 || row[0] != "" && !blanks {
			rows = append(rows, row)
		}
		row = nil
	}
	for _, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, false
		}
	}
	return rows[min(1, len(rows)):], true
}

// equalRows compares rows. encoding/csv drops a CR before a newline.
func equalRows(a, b [][]string) bool {
	return slices.EqualFunc(a, b, func(a, b []string) bool {
		return slices.EqualFunc(a, b, func(a, b string) bool {
			return strings.ReplaceAll(a, "\r\n", "\n") == strings.ReplaceAll(b, "\r\n", "\n")
		})
	})
}

// checkDialect draws a table and the dialect in which it is written. The table must be read as it
// is, or refused. Other rows are correct only if the bytes are also a table in the usual dialect.
// checkDialect returns what happened without options.
func checkDialect(t testing.TB, r *rand.Rand) string {
	t.Helper()
	c, columns := drawCase(r), 1+r.IntN(4)
	var rows [][]string
	for i := range 1 + r.IntN(6) {
		var row []string
		for j := range columns {
			if i == 0 {
				row = append(row, fmt.Sprint("a", j))
			} else if row = append(row, c.cell(r)); columns == 1 && row[0] == "" {
				row[0] = "x" // an empty line is not a row
			}
		}
		rows = append(rows, row)
	}
	data := c.write(r, rows, r.IntN(8) == 0)
	blank := columns == 1 && strings.TrimSpace(c.separate) != "" && slices.ContainsFunc(rows, func(row []string) bool { return strings.TrimSpace(row[0]) == "" })
	ragged := columns > 1 && len(rows) > 1 && r.IntN(8) == 0
	if ragged {
		data = append(bytes.TrimRight(data, "\r\n"), "\nz\n"...)
	}
	got, err := tableOf(t, c.file, data, Dialect{}, columns)
	result := "equal"
	switch other, valid := otherReading(c.file, data); {
	case err != nil:
		result = "refused"
		if c.usual && !ragged {
			t.Fatalf("%s: %q is refused: %v", c.name, data, err)
		}
	case equalRows(got, rows[1:]) && !ragged:
	case valid && equalRows(got, other):
		result = "another table"
	default:
		t.Fatalf("%s: %q is read as %q", c.name, data, got)
	}
	if c.reads == nil || ragged || blank || !c.reads(rows) {
		return result
	}
	if got, err = tableOf(t, c.file, data, c.options, columns); err != nil || !equalRows(got, rows[1:]) {
		t.Fatalf("%s with options: %q is read as %q, %v, want %q", c.name, data, got, err, rows[1:])
	}
	return result
}

// TestDialects checks random tables in random dialects.
func TestDialects(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r, results := rand.New(rand.NewPCG(seed, 0)), map[string]int{}
	for range 2500 {
		results[checkDialect(t, r)]++
	}
	t.Log(results)
	for _, result := range []string{"equal", "refused"} {
		if results[result] < 300 {
			t.Errorf("%s: only %d cases", result, results[result])
		}
	}
}

// FuzzDialects is like TestDialects, for any seed.
func FuzzDialects(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkDialect(t, rand.New(rand.NewPCG(seed, 1))) })
}

// linePieces are what may be between two records after damage.
var linePieces = []string{"\n", "\r\n", "\n\n", "", " ", "\r", "]}\n", "x}\n", "}\n", ",\n", "\x00\n", "{\n", "\"\n", "null\n", " \t\n", "\xef\xbb\xbf\n"}

// checkDamage draws JSON lines with damage between records. Each line must be read as one record,
// or refused; no line may be read in part.
func checkDamage(t testing.TB, r *rand.Rand) string {
	t.Helper()
	var data []byte
	for range 1 + r.IntN(4) {
		data = fmt.Appendf(data, `{"text":%q,"n":[%d,{"x":NaN}]}`, strings.Repeat("a", r.IntN(3)), r.IntN(3))
		if r.IntN(4) == 0 {
			data = data[:len(data)-r.IntN(5)]
		}
		end := "\n"
		if r.IntN(3) == 0 {
			end = linePieces[r.IntN(len(linePieces))]
		}
		data = append(data, end...)
	}
	var want []string // the records, if all lines are valid
	valid := true
	for line := range bytes.SplitSeq(data, []byte{'\n'}) {
		if line = bytes.TrimSuffix(line, []byte{'\r'}); len(bytes.Trim(line, " \t\r")) == 0 {
			continue
		}
		var record struct {
			Text *string
			N    []any
		}
		if json.Unmarshal(bytes.ReplaceAll(line, []byte("NaN"), []byte("0.5")), &record) != nil || record.Text == nil {
			valid = false
			break
		}
		want = append(want, string(line))
	}
	lines, err := objectsOf(t, "x.jsonl", data, Options{Fields: []string{"text"}})
	if got := strings.Join(want, "\n"); err == nil && (valid && strings.TrimSuffix(string(lines), "\n") != got || !valid && bytes.Count(lines, lineEnd) != countValues(data)) {
		t.Fatalf("%q is read as %q, want %q", data, lines, want)
	}
	if err != nil && valid && !bytes.Contains(data, []byte{'\r'}) && !bytes.Contains(data, utf8Mark) {
		t.Fatalf("%q is refused: %v", data, err)
	}
	if err != nil {
		return "refused"
	}
	return "equal"
}

// countValues returns the number of values of JSON that are not on one line each, or -1 if the data
// has other content.
func countValues(data []byte) (n int) {
	d := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(bytes.TrimPrefix(data, utf8Mark), []byte("NaN"), []byte("0.5"))))
	for {
		var v map[string]any
		if err := d.Decode(&v); err == io.EOF {
			return n
		} else if err != nil {
			return -1
		}
		n++
	}
}

// TestDamagedLines checks random JSON lines with damage between the records.
func TestDamagedLines(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r, results := rand.New(rand.NewPCG(seed, 0)), map[string]int{}
	for range 2500 {
		results[checkDamage(t, r)]++
	}
	if results["equal"] < 300 || results["refused"] < 300 {
		t.Error(results)
	}
}

// FuzzDamagedLines is like TestDamagedLines, for any seed.
func FuzzDamagedLines(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkDamage(t, rand.New(rand.NewPCG(seed, 1))) })
}
