// Package objects reads what git repositories hold.
package objects

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Each calls fn with the content of each of the blobs, in their order, or, if none is
// named, of all that there are, in any order.
func Each(repository string, ids []string, fn func(id string, content []byte) error) error {
	c := exec.Command("git", "-C", repository, "cat-file", "--batch")
	c.Stdin, c.Stderr = strings.NewReader(strings.Join(ids, "\n")+"\n"), os.Stderr
	if len(ids) == 0 {
		c.Args = append(c.Args, "--batch-all-objects", "--unordered")
	}
	pipe, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	if err := read(bufio.NewReader(pipe), fn); err != nil {
		return errors.Join(err, c.Process.Kill(), c.Wait())
	}
	return c.Wait()
}

// read reads what git cat-file --batch writes: a line of name, type and size, and the
// content with a line feed behind it.
func read(r *bufio.Reader, fn func(id string, content []byte) error) error {
	for {
		head, err := r.ReadString('\n')
		if err == io.EOF && head == "" {
			return nil
		}
		var id, kind string
		var size int
		if _, err := fmt.Sscan(head, &id, &kind, &size); err != nil {
			return fmt.Errorf("git cat-file: %q: %w", head, err)
		}
		content := make([]byte, size+1)
		if _, err := io.ReadFull(r, content); err != nil {
			return err
		}
		if kind != "blob" {
			continue
		}
		if err := fn(id, content[:size]); err != nil {
			return err
		}
	}
}
