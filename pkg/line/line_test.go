package line

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"doppel/pkg/line/cell"
)

// kind is implemented by a pointer to any line type.
type kind interface {
	Append(dst []byte, f Format) []byte
	Parse(line []byte) error
}

var kinds = []func() kind{
	func() kind { return new(Signature) }, func() kind { return new(Key) }, func() kind { return new(Common) },
	func() kind { return new(Pair) }, func() kind { return new(PairCount) }, func() kind { return new(Score) },
	func() kind { return new(Distance) }, func() kind { return new(SampleScore) }, func() kind { return new(Decision) },
	func() kind { return new(Match) }, func() kind { return new(FileHash) }, func() kind { return new(Group) },
	func() kind { return new(Sum) }, func() kind { return new(Overlap) }, func() kind { return new(Message) }, func() kind { return new(Directories) },
	func() kind { return new(Text) }, func() kind { return new(Found) },
}

var (
	ab    = Pair{[]byte("a"), []byte("b\tc")}
	cases = []struct {
		value     kind
		tsv, json string
	}{
		{&Signature{ID: []byte("é\xff\n"), Scheme: []byte("exact/x"), Body: []byte("-")}, "é\xff\\n\texact/x\t-", `{"id":"é\udcff\n","scheme":"exact/x","signature":"-"}`},
		{&Key{[]byte("1f.2e"), []byte("{")}, "1f.2e\t{", `{"key":"1f.2e","id":"{"}`},
		{&Common{[]byte("1f"), 7, []byte("0")}, "1f\t7\t0", `{"key":"1f","records":7,"example":"0"}`},
		{&ab, `a` + "\t" + `b\tc`, `{"a":"a","b":"b\tc"}`},
		{&PairCount{ab, 3}, `a` + "\t" + `b\tc` + "\t3", `{"a":"a","b":"b\tc","shared":3}`},
		{&Score{Pair: ab, Score: 0.5}, `a` + "\t" + `b\tc` + "\t0.5000", `{"a":"a","b":"b\tc","score":0.5000}`},
		{
			&Score{ab, 0.5, true, 1, 0.25, 9007199254740993, 2, false}, `a` + "\t" + `b\tc` + "\t0.5000\t1.0000\t0.2500\t9007199254740993\t2",
			`{"a":"a","b":"b\tc","score":0.5000,"containment_a":1.0000,"containment_b":0.2500,"size_a":9007199254740993,"size_b":2}`,
		},
		{&Distance{ab, 0.9688, 2}, `a` + "\t" + `b\tc` + "\t0.9688\t2", `{"a":"a","b":"b\tc","score":0.9688,"distance":2}`},
		{
			&SampleScore{ab, 0.5, 1, 0.25, 3, 2, 1, 0.1, 0.75}, `a` + "\t" + `b\tc` + "\t0.5000\t1.0000\t0.2500\t3\t2\t1\t0.1000\t0.7500",
			`{"a":"a","b":"b\tc","score":0.5000,"containment_a":1.0000,"containment_b":0.2500,"size_a":3,"size_b":2,"shared":1,"low":0.1000,"high":0.7500}`,
		},
		{&Decision{Keep, []byte("0"), nil, cell.Number{}, []byte("best"), cell.Number{}, 0}, "keep\t0\t-\t-\tbest", `{"verdict":"keep","id":"0","kept":null,"score":null,"reason":"best"}`},
		{&Decision{Verdict: Keep, ID: []byte("0")}, "keep\t0\t-\t-\t-", `{"verdict":"keep","id":"0","kept":null,"score":null,"reason":null}`},
		{&Decision{Drop, []byte("1"), []byte("-"), cell.Float(1), []byte("-"), cell.Number{}, 0}, `drop` + "\t1\t" + `\-` + "\t1.0000\t" + `\-`, `{"verdict":"drop","id":"1","kept":"-","score":1.0000,"reason":"-"}`},
		{&Decision{Drop, []byte("1"), []byte(`\-`), cell.Number{}, nil, cell.Number{}, 0}, `drop` + "\t1\t" + `\\-` + "\t-\t-", `{"verdict":"drop","id":"1","kept":"\\-","score":null,"reason":null}`},
		{&Decision{Drop, []byte("1"), []byte(""), cell.Float(0.85), []byte("score>=0.8"), cell.Number{}, 0}, "drop\t1\t\t0.8500\tscore>=0.8", `{"verdict":"drop","id":"1","kept":"","score":0.8500,"reason":"score>=0.8"}`},
		{&Decision{Verdict: Drop, ID: []byte("1"), Rule: []byte("score>=0.8"), Least: cell.Float(0.81234), Copies: 3}, "drop\t1\t-\t-\tscore>=0.8,least=0.8123,copies=3", `{"verdict":"drop","id":"1","kept":null,"score":null,"reason":"score>=0.8,least=0.8123,copies=3"}`},
		{
			&Match{A: []byte("x"), B: []byte("y"), EndA: 12, StartB: 1, EndB: 13, Text: []byte("the \"\\\r"), Size: 12}, "x\ty\t0\t12\t1\t13\tthe \"\\\\\\r\t12",
			`{"1.filename":"x","2.filename":"y","1.startOffset":0,"1.endOffset":12,"2.startOffset":1,"2.endOffset":13,"text":"the \"\\\r","size":12}`,
		},
		{
			&Match{[]byte("x"), []byte("y"), 0, 2, 1, 3, []byte("ab"), 2, true, 1, 2, 3, 4}, "x\ty\t0\t2\t1\t3\tab\t2\t1\t2\t3\t4",
			`{"1.filename":"x","2.filename":"y","1.startOffset":0,"1.endOffset":2,"2.startOffset":1,"2.endOffset":3,"text":"ab","size":2,"1.startLine":1,"1.endLine":2,"2.startLine":3,"2.endLine":4}`,
		},
		{
			&Overlap{ab, 2, 30, 40, 0.5, 0.25}, `a` + "\t" + `b\tc` + "\t2\t30\t40\t0.5000\t0.2500",
			`{"a":"a","b":"b\tc","passages":2,"shared_a":30,"shared_b":40,"share_a":0.5000,"share_b":0.2500}`,
		},
		{&Message{1, []byte("copy"), []byte("equal"), 2, []byte("m:3"), []byte("<x@y>"), []byte("-")}, "1\tcopy\tequal\t2\tm:3\t<x@y>\t" + `\-`, `{"group":1,"verdict":"copy","reason":"equal","distance":2,"name":"m:3","message_id":"<x@y>","subject":"-"}`},
		{&Message{1, []byte("keep"), nil, 0, []byte("m:3"), nil, nil}, "1\tkeep\t-\t0\tm:3\t-\t-", `{"group":1,"verdict":"keep","reason":null,"distance":0,"name":"m:3","message_id":null,"subject":null}`},
		{&Directories{[]byte("within"), ab, 1, 0.5, 2, 4, 9, []byte("files,links")}, "within\ta\t" + `b\tc` + "\t1.0000\t0.5000\t2\t4\t9\tfiles,links", `{"kind":"within","a":"a","b":"b\tc","share_a":1.0000,"share_b":0.5000,"files_a":2,"files_b":4,"shared_bytes":9,"differs":"files,links"}`},
		{&FileHash{Hash: []byte("ff")}, "ff", `{"hash":"ff"}`},
		{&TextWithin{Text{[]byte("a:1"), []byte("{\"x\":\n\\")}, []byte("de")}, "a:1\t{\"x\":\\n\\\\\tde", `{"id":"a:1","text":"{\"x\":\n\\","value":"de"}`},
		{&Text{[]byte("a:1"), []byte("{\"x\":\n\\")}, "a:1\t{\"x\":\\n\\\\", `{"id":"a:1","text":"{\"x\":\n\\"}`},
		{&Found{FoundCommon, []byte("17"), 40, 0, nil, nil}, "common\t17\t40\t0\t-\t-", `{"kind":"common","id":"17","count":40,"bytes":0,"windows":null,"text":null}`},
		{
			&Found{FoundRecord, []byte("a:1"), 3, 90, []byte("17:5-20"), []byte("x\ty")}, "record\ta:1\t3\t90\t17:5-20\tx\\ty",
			`{"kind":"record","id":"a:1","count":3,"bytes":90,"windows":"17:5-20","text":"x\ty"}`,
		},
		{&Group{1, 8, 0, []byte("n")}, "1\t8\t0\tn", `{"group":1,"size":8,"wasted":0,"name":"n"}`},
	}
	onlyJSON = []struct {
		value     kind
		tsv, json string
	}{
		{
			&FileHash{Hash: []byte("ff"), Size: 12, Name: []byte("n"), Dev: 3, Inode: 4, Links: 1, Mtime: []byte("5.000000000"), Ctime: []byte("6.000000000"), Scheme: []byte("xxh64/3x4096")}, "ff\t12\tn",
			`{"hash":"ff","size":12,"name":"n","dev":3,"inode":4,"links":1,"mtime":"5.000000000","ctime":"6.000000000","scheme":"xxh64/3x4096"}`,
		},
		{
			&FileHash{Hash: []byte("ff"), Marked: true, Name: []byte("n"), Mtime: []byte{}, Ctime: []byte{}, Scheme: []byte{}}, "ff\t0\t-\tn",
			`{"hash":"ff","size":0,"file":null,"name":"n","dev":0,"inode":0,"links":0,"mtime":"","ctime":"","scheme":""}`,
		},
		{
			&FileHash{Hash: []byte("ff"), Marked: true, File: []byte("3:4"), Name: []byte("n"), Mtime: []byte{}, Ctime: []byte{}, Scheme: []byte{}}, "ff\t0\t3:4\tn",
			`{"hash":"ff","size":0,"file":"3:4","name":"n","dev":0,"inode":0,"links":0,"mtime":"","ctime":"","scheme":""}`,
		},
		{&Sum{[]byte("0f"), nil, []byte("text"), 48}, "0f\t-", `{"sum":"0f","id":null,"kind":"text","words":48}`},
		{&Sum{[]byte("0f"), []byte("m"), []byte("fuzzy"), 48}, "0f\tm", `{"sum":"0f","id":"m","kind":"fuzzy","words":48}`},
	}
)

func TestLines(t *testing.T) {
	for _, c := range append(cases, onlyJSON...) {
		for want, f := range map[string]Format{c.tsv + "\n": {}, c.json + "\n": {JSON: true}, c.json + "\x00": {JSON: true, Null: true}} {
			if got := string(c.value.Append([]byte("> "), f)); got != "> "+want {
				t.Errorf("%T is written %q, want %q", c.value, got, want)
			}
		}
	}
	for _, c := range cases {
		parses(t, c.value, c.tsv, c.tsv, c.json)
		if _, last := c.value.(*Key); !last { // the id of a Key is the last column
			parses(t, c.value, c.tsv+"\tmore", c.tsv, c.json)
		}
		parses(t, c.value, c.json, c.tsv, c.json)
	}
	for _, c := range onlyJSON {
		parses(t, c.value, c.json, c.tsv, c.json)
	}
}

// parses checks that a line can be parsed into a value of the type of the argument like, and that
// Append then writes the arguments tsv and json: tsv as columns, json as an object.
func parses(t *testing.T, like kind, line, tsv, json string) {
	t.Helper()
	got := reflect.New(reflect.TypeOf(like).Elem()).Interface().(kind)
	if err := got.Parse([]byte(line)); err != nil {
		t.Errorf("%q: %v", line, err)
	}
	if a, b := string(got.Append(nil, Format{})), string(got.Append(nil, Format{JSON: true})); a != tsv+"\n" || b != json+"\n" {
		t.Errorf("%q is read as\n%s%s", line, a, b)
	}
}

func FuzzLines(f *testing.F) {
	for _, c := range append(cases, onlyJSON...) {
		f.Add([]byte(c.tsv))
		f.Add([]byte(c.json))
	}
	f.Add([]byte(`{"b":12.0,"a":"\ud83d\ude00\udc80\/", "x": [{}, {"y":null}], "score":1e3}`))
	f.Add([]byte("{\"a\"\t\\\\\\x\x00\xff\t99999999999999999999\t1e400"))
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, kind := range kinds {
			before := bytes.Clone(line)
			v := kind()
			if v.Parse(line) == nil {
				roundTrip(t, v, kind)
			}
			if !bytes.Equal(before, line) {
				t.Fatalf("%q became %q", before, line)
			}
		}
	})
}

// roundTrip checks that a value is read back as it was written, in both forms.
func roundTrip(t *testing.T, v kind, fresh func() kind) {
	columns, object := v.Append(nil, Format{}), v.Append(nil, Format{JSON: true})
	if bytes.ContainsAny(columns[:len(columns)-1], "\n\r") || bytes.ContainsAny(object[:len(object)-1], "\n\r\t") {
		t.Errorf("%T %v is written %q, %q", v, v, columns, object)
	}
	again := fresh()
	if err := again.Parse(object[:len(object)-1]); err != nil && !infinite(v) {
		t.Errorf("%q: %v", object, err)
	} else if got := again.Append(nil, Format{JSON: true}); err == nil && !bytes.Equal(got, object) {
		t.Errorf("%q is read as %q", object, got)
	}
	if columns[0] == '{' && bytes.IndexByte(columns, '\t') < 0 {
		return // a line with only a hash, which looks like an object
	}
	again = fresh()
	if err := again.Parse(columns[:len(columns)-1]); err != nil {
		t.Errorf("%q: %v", columns, err)
	}
	if got := again.Append(nil, Format{}); !bytes.Equal(got, columns) {
		t.Errorf("%q is read as %q", columns, got)
	}
}

// infinite reports whether a line has an infinite number, which JSON cannot represent.
func infinite(v kind) bool { return bytes.Contains(v.Append(nil, Format{}), []byte("Inf")) }

// FuzzReason checks that Reason returns the text that setReason split into rule, least score and
// copies.
func FuzzReason(f *testing.F) {
	for _, reason := range []string{"", "best", "best,copies=2", "score>=0.8,least=0.8123", "score>=0.8,least=.5,copies=3", "x,copies=0", "a,b,least=1e9,copies=7", ",copies=1"} {
		f.Add([]byte(reason))
	}
	f.Fuzz(func(t *testing.T, reason []byte) {
		var d Decision
		d.setReason(reason)
		if got := d.Reason(); !bytes.Equal(got, reason) {
			t.Errorf("%q: %q", reason, got)
		}
	})
}

func TestReason(t *testing.T) {
	for reason, want := range map[string]string{
		"best": "best - 0", "best,copies=2": "best - 2", "score>=0.8,least=0.8123": "score>=0.8 0.8123 0",
		"score>=0.8,least=0.5,copies=3": "score>=0.8 0.5 3", "words>=6,copies=x": "words>=6,copies=x - 0",
	} {
		var d Decision
		d.setReason([]byte(reason))
		least := d.Least.Append(nil)
		if least == nil {
			least = []byte("-")
		}
		if got := fmt.Sprintf("%s %s %d", d.Rule, least, d.Copies); got != want {
			t.Errorf("%s: %s, want %s", reason, got, want)
		}
	}
}
