package inspect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"doppel/pkg/msg"
)

func shown(line string) string {
	var out strings.Builder
	w := bufio.NewWriter(&out)
	p := printer{w: w}
	p.Write([]byte(line))
	w.Flush()
	return out.String()
}

// FuzzShow checks that the printer formats JSON as json.Indent does, except that it escapes control
// characters.
func FuzzShow(f *testing.F) {
	for _, s := range []string{`{}`, `[ ]`, `{"a":[{},[1, 2,{"b":"\"}\\"}]],"c":null}`, "{\"a\":\"\x9b\"}", `{"a": `, `"x" `, "\xff\xfe", strings.Repeat("é", pieceBytes)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s = strings.TrimSpace(s); s == "" {
			return
		}
		want := s
		var b bytes.Buffer
		if json.Indent(&b, []byte(s), "", "  ") == nil {
			want = b.String()
		}
		lines := strings.Split(want, "\n")
		if want == s {
			lines = []string{want}
		}
		for i := range lines {
			lines[i] = msg.Printable(lines[i])
		}
		if got := shown(s); got != "# record 0\n"+strings.Join(lines, "\n")+"\n" {
			t.Errorf("%q is shown as %q", s, got)
		}
	})
}
