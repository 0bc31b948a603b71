package jsonscan

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzExtend checks that an extended object has all bytes of the object and one more member, and
// that Extend rejects an object that already has the member, unless it replaces the member.
func FuzzExtend(f *testing.F) {
	for _, object := range []string{`{}`, ` { } `, `{"a":"}"}`, `{"n":1,"a":[{"n":2}]}`, `{"\u006e":{},"n":3 }`, `{"a":1`, `[1]`, `7`} {
		f.Add([]byte(object))
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		object = bytes.ReplaceAll(object, []byte("\n"), []byte(" ")) // a line cannot contain an LF
		var before, after map[string]json.RawMessage
		valid := json.Unmarshal(object, &before) == nil && before != nil
		line, err := NewExtender(false, "n").Extend(object, []byte("5"))
		if _, has := before["n"]; err == nil && has {
			t.Fatalf("%q has the member, and became %q", object, line)
		}
		if err == nil && valid {
			if json.Unmarshal(line, &after) != nil || string(after["n"]) != "5" || len(after) != len(before)+1 {
				t.Fatalf("%q became %q", object, line)
			}
			if rest := bytes.Replace(bytes.Replace(line, []byte(`,"n":5`), nil, 1), []byte(`"n":5`), nil, 1); !bytes.Equal(rest, object) {
				t.Fatalf("%q became %q", object, line)
			}
		}
		line, err = NewExtender(true, "n").Extend(object, []byte("5"))
		if valid != (err == nil) && json.Valid(object) {
			t.Fatalf("%q: %v", object, err)
		}
		if clear(after); err == nil && valid && (json.Unmarshal(line, &after) != nil || string(after["n"]) != "5") {
			t.Fatalf("%q became %q", object, line)
		}
	})
}
