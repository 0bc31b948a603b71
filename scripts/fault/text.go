//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// shellText returns the command as text to paste into a shell.
func (c command) shellText() string {
	var b strings.Builder
	if c.dir != "" {
		b.WriteString("cd " + c.dir + " && ")
	}
	for _, arg := range slices.Concat(c.env, c.wrap, c.args) {
		if strings.HasPrefix(arg, measuring) || arg == itself {
			continue // it only looks on
		}
		b.WriteString(quoted(arg) + " ")
	}
	if in, ok := c.stdin.(*bytes.Reader); ok {
		fmt.Fprintf(&b, "< %d bytes ", in.Size())
	}
	return strings.TrimSuffix(b.String(), " ")
}

// quoted returns a word that a shell takes for s.
func quoted(s string) string {
	plain := func(c rune) bool {
		return strings.ContainsRune("%+,-./:=@_", c) || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	if s != "" && strings.TrimLeftFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func head(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, shot))
	return string(data)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, os.ErrNotExist)
}
