package chain

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"a-b.c": "a-b.c", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "~": "'~'"} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
		out, err := exec.Command("sh", "-c", "printf %s "+Quote(in)).Output()
		if err != nil || string(out) != in {
			t.Errorf("a shell reads %s as %q", Quote(in), out)
		}
	}
}

func TestRun(t *testing.T) {
	sh := func(script string) Stage { return Stage{"sh", "-c", script} }
	for _, tc := range []struct {
		chain Chain
		want  string
		err   StageError
	}{
		{Chain{sh("echo a; echo b"), sh("tr a-z A-Z"), {"tail", "-n", "1"}}, "B\n", StageError{}},
		{Chain{{"cat"}}, "input", StageError{}},
		{Chain{sh("exit 3"), {"cat"}}, "", StageError{Stage: "sh", Status: 3}},
		{Chain{{"yes"}, sh("exit 4")}, "", StageError{Stage: "sh", Status: 4}},
		{Chain{sh("exit 2"), {"cat"}}, "", StageError{}},
		{Chain{{"cat"}, sh("kill -TERM $$")}, "", StageError{Stage: "sh", Status: -1, Signal: 15}},
	} {
		var out bytes.Buffer
		r := &Runner{Path: func(n string) string { return n }, Stdin: strings.NewReader("input"), Stdout: &out, Tolerate: 2}
		res, err := r.Run(tc.chain)
		var got StageError
		if se := new(StageError); errors.As(err, &se) {
			got = *se
		}
		if out.String() != tc.want || got != tc.err || res.MaxRSS == 0 {
			t.Errorf("%v: %q, %v, %+v", tc.chain, out.String(), err, res)
		}
		if tolerated := tc.chain[0].String() == "sh -c 'exit 2'"; res.Tolerated != tolerated {
			t.Errorf("%v: tolerated %v", tc.chain, res.Tolerated)
		}
	}
	r := &Runner{Path: func(n string) string { return n }}
	if _, err := r.Run(Chain{{"cat"}, {"/no/such/program"}}); err == nil {
		t.Error("a missing program is no error")
	}
}
