package pipeline

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/tool"
)

// stdin is how an operand names standard input.
const stdin = "-"

// again returns the words of data that are read more than once, and the steps
// that copy what can be read only once: standard input, a pipe, a FIFO, and what
// is named by a descriptor, which a stage does not have. They must not be what the run
// writes.
func again(e *tool.Env, operands []string) (data []word, copies Plan, err error) {
	if len(operands) == 0 {
		operands = []string{stdin}
	}
	if n := slices.Index(operands, stdin); n >= 0 && slices.Contains(operands[n+1:], stdin) {
		return nil, nil, tool.UsageError("standard input is named twice")
	}
	for _, name := range operands {
		if !once(name) {
			data = append(data, plain(name)...)
			continue
		}
		step := copying(e, name)
		data, copies = append(data, word{scratch: step.into}), append(copies, step)
	}
	return data, copies, e.Reads(operands...)
}

// kept returns data of which the first stage keeps what it decodes, if any of them may
// be compressed in a way that costs time to decode.
func kept(data []word) []word {
	if !slices.ContainsFunc(data, packed) {
		return data
	}
	all, decoded := slices.Clone(data), &scratch{}
	for i := range all {
		all[i].decoded = decoded
	}
	return all
}

// packed reports whether a word of data names what may be compressed, as standard
// input may, for which there is a scratch file.
func packed(w word) bool {
	switch filepath.Ext(w.text) {
	case ".gz", ".bz2", ".xz":
		return true
	}
	return w.scratch != nil
}

// once reports whether what an operand names can be read only once. What is not
// there is for a stage to complain of.
func once(name string) bool {
	if name == stdin || strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/") {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// copying returns the step that copies an input.
func copying(e *tool.Env, name string) step {
	s := &source{stage("cat"), func() (io.ReadCloser, error) { return io.NopCloser(e.Stdin), nil }}
	called := "<stdin>"
	if name != stdin {
		s = &source{stage("cat").on(plain(name)), func() (io.ReadCloser, error) { return os.Open(name) }}
		called = name
	}
	return step{source: s, into: &scratch{of: called}}
}
