package chain

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"strings"
	"syscall"
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

func command(argv ...string) Stage { return Stage{argv[0], argv} }

func TestRun(t *testing.T) {
	sh := func(script string) Stage { return command("sh", "-c", script) }
	tolerates := func(s Stage, status int) bool { return s.Name == "sh" && status == 2 }
	for _, tc := range []struct {
		chain Chain
		want  string
		err   StageError
	}{
		{Chain{sh("echo a; echo b"), sh("tr a-z A-Z"), command("tail", "-n", "1")}, "B\n", StageError{}},
		{Chain{command("cat")}, "input", StageError{}},
		{Chain{sh("exit 3"), command("cat")}, "", StageError{Stage: "sh", Status: 3}},
		{Chain{command("yes"), sh("exit 4")}, "", StageError{Stage: "sh", Status: 4}},
		{Chain{sh("exit 2"), command("cat")}, "", StageError{}},
		{Chain{command("env", "sh", "-c", "exit 2")}, "", StageError{Stage: "env", Status: 2}},
		{Chain{command("cat"), sh("kill -TERM $$")}, "", StageError{Stage: "sh", Status: -1, Signal: 15}},
	} {
		var out bytes.Buffer
		r := &Runner{Stdin: strings.NewReader("input"), Stdout: &out, Tolerates: tolerates}
		res, err := r.Run(tc.chain)
		var got StageError
		if se := new(StageError); errors.As(err, &se) {
			got = *se
		}
		if out.String() != tc.want || got != tc.err || res.MaxRSS == 0 {
			t.Errorf("%v: %q, %v, %+v", tc.chain, out.String(), err, res)
		}
		if tolerated := tc.chain[:1].String() == "sh -c 'exit 2'"; res.Tolerated != tolerated {
			t.Errorf("%v: tolerated %v", tc.chain, res.Tolerated)
		}
	}
	r := &Runner{}
	if _, err := r.Run(Chain{command("cat"), command("/no/such/program")}); err == nil {
		t.Error("a missing program is no error")
	}
}

// TestStop stops a chain as it runs: its stages have ended when Stop returns, and
// none is started later.
func TestStop(t *testing.T) {
	in, out := io.Pipe()
	r := &Runner{Stdout: out}
	ended := make(chan error)
	go func() {
		_, err := r.Run(Chain{command("sh", "-c", "echo started; exec sleep 1000")})
		ended <- err
	}()
	io.ReadFull(in, make([]byte, len("started\n")))
	r.Stop(syscall.SIGTERM)
	se := new(StageError)
	if err := <-ended; !errors.As(err, &se) || se.Signal != syscall.SIGTERM {
		t.Errorf("stopped: %v", err)
	}
	if _, err := r.Run(Chain{command("true")}); !errors.Is(err, errStopped) {
		t.Errorf("after that: %v", err)
	}
}
