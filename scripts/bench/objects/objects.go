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

// All calls fn with the content of each blob that there is, in any order.
func All(repository string, fn func(id string, content []byte) error) error {
	return cat(repository, "", fn, "--batch-all-objects", "--unordered")
}

// Each calls fn with the content of each of the blobs, in their order.
func Each(repository string, ids []string, fn func(id string, content []byte) error) error {
	lines := strings.Join(ids, "\n")
	if len(ids) > 0 {
		lines += "\n"
	}
	return cat(repository, lines, fn)
}

// cat has git tell of the objects that lines name, or that more options do.
func cat(repository, lines string, fn func(id string, content []byte) error, more ...string) error {
	c := exec.Command("git", append([]string{"-C", repository, "cat-file", "--batch"}, more...)...)
	c.Stdin, c.Stderr = strings.NewReader(lines), os.Stderr
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
