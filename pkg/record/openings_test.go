package record

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// drain reads all records of a file and calls after, which may be nil, when the first batch has
// been read.
func drain(in Input, opt Options, after func()) error {
	rd, err := NewReader(in, opt)
	for first := true; err == nil; first = false {
		var b Batch
		if err = rd.Next(&b); err == nil && first && after != nil {
			after()
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// A file that is cut while it is read is an error, even if the rest of it looks complete, whether it
// is an operand or standard input.
func TestShrank(t *testing.T) {
	line := strings.Repeat("x", 63) + "\n"
	for name, tc := range map[string]struct {
		text, rest string
		opt        Options
	}{
		"lines":   {strings.Repeat(line, 4*blockSize/64), strings.Repeat(line, 2*blockSize/64), Options{Lines: true}},
		"objects": {strings.Repeat("{}    \n", blockSize), strings.Repeat("{}    \n", blockSize/2), Options{}},
		"rows":    {strings.Repeat("a,b\n", blockSize), strings.Repeat("a,b\n", blockSize/2), Options{Dialect: Dialect{CSV: true}, NoText: true}},
	} {
		file := filepath.Join(t.TempDir(), "f")
		for _, stdin := range []bool{false, true} {
			for cut, want := range map[bool]string{false: "", true: "shrank while it was read: "} {
				if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
					t.Fatal(err)
				}
				in := Input{Names: []string{file}}
				if stdin {
					f, err := os.Open(file)
					if err != nil {
						t.Fatal(err)
					}
					defer f.Close()
					in = Input{Stdin: f}
				}
				err := drain(in, tc.opt, func() {
					if cut {
						os.Truncate(file, int64(len(tc.rest)))
					}
				})
				if (err == nil) == cut || err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("%s: stdin %v, cut %v: %v", name, stdin, cut, err)
				}
			}
		}
	}
	// A file that grows is read to its new end.
	file := filepath.Join(t.TempDir(), "f")
	os.WriteFile(file, []byte(strings.Repeat(line, 2*blockSize/64)), 0o600)
	if err := drain(Input{Names: []string{file}}, Options{Lines: true}, func() {
		f, _ := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		f.WriteString(line)
		f.Close()
	}); err != nil {
		t.Error(err)
	}
	// Standard input may have been read in part.
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err = f.Seek(64, io.SeekStart); err == nil {
		err = drain(Input{Stdin: f}, Options{Lines: true}, nil)
	}
	if err != nil {
		t.Error(err)
	}
}

// A second reading of a file that was replaced or changed is an error, and so is a change after the
// last of several readings.
func TestOpenings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.jsonl")
	write := func(text string, at int64) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Unix(at, 0), time.Unix(at, 0)); err != nil {
			t.Fatal(err)
		}
	}
	const want = "changed while it was read"
	for name, change := range map[string]func(){
		"another size": func() { write("{}\n{}\n", 1) },
		"another time": func() { write("{}\n", 2) },
		"another file": func() {
			if err := os.Rename(file, file+".old"); err != nil {
				t.Fatal(err)
			}
			write("{}\n", 1)
		},
	} {
		write("{}\n", 1)
		o := new(Openings)
		in := Input{Names: []string{file}, Openings: o}
		read := func() error { return drain(in, Options{}, nil) }
		if err := read(); err != nil {
			t.Fatal(err)
		}
		change()
		if err := o.Unchanged(); err != nil {
			t.Errorf("%s: read once: %v", name, err)
		}
		if err := read(); err == nil || err.Error() != file+": "+want {
			t.Errorf("%s: read twice: %v", name, err)
		}
		write("{}\n", 1)
		in.Openings = new(Openings)
		if err := read(); err != nil {
			t.Fatal(err)
		}
		if err := read(); err != nil {
			t.Fatal(err)
		}
		if err := in.Openings.Unchanged(); err != nil {
			t.Error(err)
		}
		change()
		if err := in.Openings.Unchanged(); err == nil || err.Error() != file+": "+want {
			t.Errorf("%s: changed at last: %v", name, err)
		}
	}
}
