package line

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"doppel/pkg/line/cell"
)

// TestParse checks which lines a reader accepts, and how they are written again.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		value      kind
		line, want string
	}{
		{new(Pair), " {\ta", " {\ta"},
		{new(Pair), "{\"a\"\t{", "{\"a\"\t{"}, // a TAB: read as columns
		{new(Pair), `C:\new` + "\t" + `\`, `C:\new` + "\t" + `\\`},
		{new(Pair), `{ "b" : 10 , "a" : 2e1 }` + "\r", "2e1\t10"},
		{new(Pair), `{"x":{"a":[1,{"b":"}"}]},"\u0061":"\u00e9\ud83d\ude00","y":true,"b":"\ud83d\udcff"}`, "é😀\t" + "\U0001F4FF"},
		{new(Pair), `{"b":"\udcff\udcc3\udca9\/\b","a":"","a":"second"}`, "\t\xffé/\b"},
		{new(Pair), "{\"a\":\"\xff\",\"b\":0}", "\xff\t0"},
		{new(Key), "k\t7\tx\tid", "k\tid"},
		{new(Key), `{"hash":"ff","size":12,"name":"n"}`, "ff\tn"},
		{new(Key), `{"hash":"ff","id":1,"key":"k"}`, "k\t1"},
		{new(Score), "a\tb\t1e-1\t2", "a\tb\t0.1000"},
		{new(Score), `{"a":1,"b":2,"score":"0.5","containment_a":null}`, "1\t2\t0.5000"},
		{new(Score), `{"size_a":3.0,"size_b":"4","containment_a":1,"containment_b":0,"a":1,"b":2,"score":0.5}`, "1\t2\t0.5000\t1.0000\t0.0000\t3\t4"},
		{new(Decision), "drop\t1\t2\t0.85\tx", "drop\t1\t2\t0.85\tx"},
		{new(Decision), "drop\t1\t2\t.5\tx", "drop\t1\t2\t0.5000\tx"},
		{new(Decision), "drop\t1\t2\t+Inf\tx", "drop\t1\t2\t+Inf\tx"},
		{new(Decision), "drop\t1\t2\tNaN\tx\ty", "drop\t1\t2\t-\tx"},
		{new(Decision), "drop\t1\t2\t1\tx,least=.5,copies=03", "drop\t1\t2\t1\tx,least=.5,copies=03"},
		{new(Decision), "drop\t1\t2\t1\tx,copies=3,least=1", "drop\t1\t2\t1\tx,copies=3,least=1"},
		{new(Decision), `{"id":3,"verdict":"drop"}`, "drop\t3\t-\t-\t-"},
		{new(Sum), "0f", "0f\t-"},
		{new(Sum), `{"sum":"0f"}`, "0f\t-"},
		{new(FileHash), "ff\t12\t3:4\tn", "ff\t12\t3:4\tn"},
		{new(FileHash), "ff\t12\t-\tn", "ff\t12\t-\tn"},
		{new(FileHash), `{"hash":"ff","size":12,"name":"n"}`, "ff\t12\tn"},
	} {
		if err := c.value.Parse([]byte(c.line)); err != nil {
			t.Errorf("%T %q: %v", c.value, c.line, err)
		} else if got := string(c.value.Append(nil, Format{})); got != c.want+"\n" {
			t.Errorf("%T %q is read as %q, want %q", c.value, c.line, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		value      kind
		line, want string
	}{
		{new(Pair), "", "want the columns a b, found 1 of 2"},
		{new(Pair), `{"a":1,"b":null}`, "want the columns a b, found 1 of 2"},
		{new(Signature), `{"text":"x"}`, "want the columns id scheme signature, found 0 of 3"},
		{new(Key), "k", "want the columns key id, found 1 of 2"},
		{new(Score), "a\tb", "want the columns a b score, found 2 of 3"},
		{new(Decision), "maybe\t1", "want the columns verdict id kept score reason, found 2 of 5"},
		{new(Decision), "maybe\t1\t-\t-\t-", `invalid verdict "maybe": want keep or drop`},
		{new(Decision), "drop\t1\t-\thigh\t-", `invalid score "high"`},
		{new(Score), "a\tb\thigh", `invalid score "high"`},
		{new(Score), "a\tb\tNaN", `invalid score "NaN"`},
		{new(Score), "a\tb\t-Inf", `invalid score "-Inf"`},
		{new(Score), "a\tb\t0x1p0", `invalid score "0x1p0"`},
		{new(Score), "a\tb\t1e999", `invalid score "1e999"`},
		{new(Distance), `{"a":"a","b":"b","score":"infinity","distance":1}`, `invalid score "infinity"`},
		{new(Score), "a\tb\t1\t1\t1\t1.5\t1", `invalid size_a "1.5"`},
		{new(Score), `{"a":1,"b":2,"score":0.5,"containment_a":1}`, "want the columns a b score, found 4 of 7"},
		{new(PairCount), "a\tb\t99999999999999999999", `invalid shared "99999999999999999999"`},
		{new(Pair), `{"a":1,"b":[]}`, "b: want a string or a number"},
		{new(Pair), `{"a":1,"b":true}`, "b: want a string or a number"},
		{new(Pair), `{"a":1,"b":"\ud800"}`, `b: invalid escape \ud800: half of a surrogate pair`},
		{new(Pair), `{"a":1,"b":2`, "invalid JSON: the object does not end"},
		{new(Pair), `{"a":1,"b":2}x`, `invalid JSON: unexpected '}' at byte 12`},
		{new(Pair), `{"a":1 "b":2}`, `invalid JSON: unexpected '"' at byte 7`},
		{new(Pair), `{"a":01,"b":2}`, `invalid JSON: unexpected '0' at byte 5`},
		{new(Pair), `{"a":1,"b":2,}`, `invalid JSON: unexpected '}' at byte 13`},
		{new(Pair), `{"a":"\x","b":2}`, `invalid JSON: unexpected '\\' at byte 6`},
		{new(Pair), `{x}`, `invalid JSON: unexpected 'x' at byte 1`},
	} {
		if err := c.value.Parse([]byte(c.line)); err == nil || err.Error() != c.want {
			t.Errorf("%T %q: %v, want %s", c.value, c.line, err, c.want)
		}
	}
}

// FuzzObject checks that this package and the standard library accept the same objects and find
// the same members.
func FuzzObject(f *testing.F) {
	f.Add(`{"a":"\u00e9","\u0062":-1.5E+3 , "x":{"a":[true,null,{}]}}`)
	f.Add(`{"a":"","b":[[],{"":0}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasPrefix(text, "{") || strings.Count(text, "[")+strings.Count(text, "{") > maxDepth {
			return
		}
		c := codec{mode: readObject, text: []byte(text), at: start}
		_, members, err := c.nth(0)
		var want map[string]json.RawMessage
		if bad := json.Unmarshal([]byte(text), &want); (bad == nil) != (err == nil) {
			t.Fatalf("%q: %v, want %v", text, err, bad)
		}
		if len(want) != members {
			return // two members with the same name, or no members
		}
		c.at = start
		for name, value := range want {
			if got, _ := c.find(name); !bytes.Equal(got, value) && !strings.Contains(name, "\ufffd") {
				t.Errorf("%q: %q is %q, want %q", text, name, got, value)
			}
		}
	})
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte("a\tb\\n\n\r\xff"))
	f.Add([]byte("eight or more\x1f"))
	f.Fuzz(func(t *testing.T, v []byte) {
		line := Pair{v, v}.Append(nil, Format{})
		column := strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`, `\`, `\\`).Replace(string(v))
		if want := column + "\t" + column + "\n"; string(line) != want {
			t.Errorf("%q is written %q, want %q", v, line, want)
		}
		if got := cell.Unescape([]byte(column)); string(got) != string(v) {
			t.Errorf("%q comes back as %q", v, got)
		}
	})
}
