package pipeline

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/chain"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Where the user watches, the tools of a chain tell how far they are; where that is
// not wanted they are silent. No other program is told to.
func TestTell(t *testing.T) {
	sort := chain.Stage{Name: "sort", Argv: []string{"sort", "-u"}}
	for _, watching := range []bool{true, false} {
		e := &tool.Env{Common: flags.Common{Watch: flags.Display{Force: watching, Never: !watching}}, Std: tool.Std{Stderr: new(bytes.Buffer)}}
		r := newRun(e, false)
		lshkeys := chain.Stage{Name: "lshkeys", Argv: append(program("lshkeys"), "--parts=2")}
		c := chain.Chain{lshkeys, sort}
		r.tellAll(c)
		want, open := append(program("lshkeys"), "--no-progress", "--parts=2"), 0
		if watching {
			want[len(want)-2], open = "--tell=3", 1
		}
		if d := cmp.Diff([][]string{want, sort.Argv}, [][]string{c[0].Argv, c[1].Argv}); d != "" || len(r.files) != open {
			t.Errorf("watching %v, %d files: %s", watching, len(r.files), d)
		}
		for _, f := range r.files {
			f.Close() // which ends what listens
		}
	}
}
