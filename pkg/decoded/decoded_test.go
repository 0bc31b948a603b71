package decoded

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// empty makes an empty file.
func empty(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "copies")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// An input is what is read, to its end or until it fails.
type input struct {
	name, text string
	fails      bool
}

func (in input) reader() io.Reader {
	r := iotest.DataErrReader(strings.NewReader(in.text))
	if in.fails {
		r = io.MultiReader(strings.NewReader(in.text), iotest.ErrReader(errors.New("torn")))
	}
	return r
}

// copyAll copies the inputs.
func copyAll(t *testing.T, name string, room int64, inputs []input) {
	t.Helper()
	m, err := NewMaker(name, room)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		got, err := io.ReadAll(m.Copying(in.name, in.reader()))
		if string(got) != in.text || (err != nil) != in.fails {
			t.Errorf("%s: read %q, %v", in.name, got, err)
		}
	}
	for range 2 { // the second has nothing to do
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestCopies(t *testing.T) {
	a, b, long := input{name: "a", text: "one\ntwo\n"}, input{name: "b\n\"", text: "three"}, input{name: "c", text: strings.Repeat("x", 1<<20)}
	none := input{name: "none"}
	torn := input{"torn", "some", true}
	for what, tc := range map[string]struct {
		room   int64
		inputs []input
		kept   []input
	}{
		"all":                {1 << 30, []input{a, none, b, long}, []input{a, none, b, long}},
		"no room":            {0, []input{a}, nil},
		"just room":          {8, []input{a}, []input{a}},
		"too long":           {100, []input{a, long, b}, []input{a, b}},
		"torn":               {100, []input{torn, a}, []input{a}},
		"nothing":            {100, nil, nil},
		"no room at the end": {10, []input{a, b}, []input{a}},
	} {
		t.Run(what, func(t *testing.T) {
			name := empty(t)
			copyAll(t, name, tc.room, tc.inputs)
			c, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer c.file.Close()
			if len(c.entries) != len(tc.kept) {
				t.Errorf("%d are kept, want %d", len(c.entries), len(tc.kept))
			}
			for _, in := range tc.kept {
				r, size := c.Of(in.name)
				if r == nil || size != int64(len(in.text)) {
					t.Fatalf("%q: %v, %d", in.name, r, size)
				}
				if got, err := io.ReadAll(r); string(got) != in.text || err != nil {
					t.Errorf("%q: %q, %v", in.name, got, err)
				}
			}
		})
	}
}

// A disk that is full keeps nothing, and the inputs are read all the same.
func TestFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full on this system")
	}
	copyAll(t, "/dev/full", 1<<30, []input{{name: "a", text: strings.Repeat("x", 1<<20)}, {name: "b", text: "y"}})
}

// What has no index keeps nothing: the maker was killed, or is still at it.
func TestNoIndex(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("long", 100)} {
		name := empty(t)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if r, _ := c.Of("a"); r != nil {
			t.Errorf("%q keeps something", text)
		}
		c.file.Close()
	}
}

// A stage may ask for the size just before the one that makes the copies writes them.
func TestGrowing(t *testing.T) {
	for _, inputs := range [][]input{nil, {{name: "a", text: "one\ntwo\n"}}} {
		name := empty(t)
		copyAll(t, name, 100, inputs)
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		for size := range info.Size() + 1 {
			c := &Copies{file: f, entries: map[string]entry{}}
			if err := c.readIndex(size); err != nil || len(c.entries) > 0 && size < info.Size() {
				t.Errorf("of %d bytes %d: %d entries, %v", info.Size(), size, len(c.entries), err)
			}
		}
	}
}

func TestNone(t *testing.T) {
	var c *Copies
	var m *Maker
	r := strings.NewReader("")
	if got, _ := c.Of("a"); got != nil || m.Copying("a", r) != io.Reader(r) || m.Close() != nil {
		t.Error("a nil one keeps something")
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is open")
	}
	if _, err := NewMaker(filepath.Join(t.TempDir(), "none"), 1); err == nil {
		t.Error("a file that is not there is open")
	}
}

func TestRoom(t *testing.T) {
	if Room() < 0 {
		t.Error("less than none")
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if got := Room(); got != 0 && got != 1<<30 {
		t.Errorf("%d bytes in a directory that is not there", got)
	}
}
