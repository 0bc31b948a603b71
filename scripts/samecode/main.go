// Command samecode compares the Go files of the work tree with a revision, without comments: go
// run ./scripts/samecode REVISION.
//
// It prints each file with different tokens and the line of the first difference, and exits
// with 1. Compiler directives count as code. With -strings, string literals may differ:
// messages and usage texts.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"strings"
)

func main() {
	free := flag.Bool("strings", false, "let string literals differ")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: samecode [-strings] REVISION")
		os.Exit(2)
	}
	different := 0
	for _, name := range strings.Fields(string(git("diff", "--name-only", "--no-renames", flag.Arg(0), "--", "*.go"))) {
		before, _ := exec.Command("git", "show", flag.Arg(0)+":"+name).Output() // nothing if the file is new
		after, _ := os.ReadFile(name)                                           // a removed file has no tokens
		if at := firstDifference(before, after, *free); at > 0 {
			fmt.Printf("%s:%d\n", name, at)
			different++
		}
	}
	if different > 0 {
		os.Exit(1)
	}
}

func git(args ...string) []byte {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		fmt.Fprintf(os.Stderr, "samecode: git %s: %v\n", strings.Join(args, " "), err)
		os.Exit(2)
	}
	return out
}

// firstDifference returns the line of after with the first token that differs from before, or
// 0.
func firstDifference(before, after []byte, stringsMayDiffer bool) int {
	next := tokens(before, stringsMayDiffer)
	other := tokens(after, stringsMayDiffer)
	for {
		a, _ := next()
		b, line := other()
		if a != b {
			return line
		}
		if b == "" {
			return 0
		}
	}
}

// tokens returns a function that returns the next token of a file with its line, and "" at the end.
func tokens(source []byte, withoutStrings bool) func() (string, int) {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	return func() (string, int) {
		for {
			at, kind, text := s.Scan()
			line := file.Line(at)
			switch {
			case kind == token.EOF:
				return "", bytes.Count(source, []byte("\n")) + 1
			case kind == token.COMMENT && !strings.HasPrefix(text, "//go:"):
			case kind == token.SEMICOLON: // its text tells an inserted one from a written one
				return ";", line
			case kind == token.STRING && withoutStrings:
				return "STRING", line
			default:
				return kind.String() + " " + text, line
			}
		}
	}
}
