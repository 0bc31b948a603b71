package tui

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"

	"doppel/pkg/tool"
)

// output runs a tool in this process, and returns what it wrote. Its messages go to
// lines, and the last one is the error if it fails.
func output(c *tool.Command, args []string, lines *lastLines) ([]byte, error) {
	return outputOf(c, args, strings.NewReader(""), lines)
}

// outputOf runs a tool on what it reads from standard input.
func outputOf(c *tool.Command, args []string, in io.Reader, lines *lastLines) ([]byte, error) {
	if lines == nil {
		lines = &lastLines{}
	}
	var out bytes.Buffer
	std := tool.Std{Args: args, Stdin: in, Stdout: &out, Stderr: lines}
	if status := tool.Run(c, std); status != tool.ExitOK {
		return nil, fmt.Errorf("%s", firstOf(lines.last(), fmt.Sprintf("%s failed with status %d", c.Name, status)))
	}
	return out.Bytes(), nil
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// lastLines passes on the last line of what several stages write.
type lastLines struct {
	mu    sync.Mutex
	first string // of all
	text  string
	tell  func(string)
}

func (l *lastLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(string(p)) {
		if line = strings.TrimSpace(line); line == "" || strings.Contains(line, ": hint: ") {
			continue
		}
		l.first = firstOf(l.first, line)
		if l.text = line; l.tell != nil {
			l.tell(line)
		}
	}
	return len(p), nil
}

func (l *lastLines) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}
