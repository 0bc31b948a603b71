// Command samecode checks that the Go files of the work tree differ from a revision only in
// comments:
//
//	go run ./scripts/samecode REVISION
//
// It prints the name of each file whose tokens differ, and the line number of the first difference.
// If there is such a file, the exit status is 1. Compiler directives count as code. With -strings,
// string literals, such as messages and usage texts, may differ too.
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
	free := flag.Bool("strings", false, "ignore differences in string literals")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: samecode [-strings] REVISION")
		os.Exit(2)
	}
	different := 0
	for _, name := range strings.Fields(string(git("diff", "--name-only", "--no-renames", flag.Arg(0), "--", "*.go"))) {
		before, _ := exec.Command("git", "show", flag.Arg(0)+":"+name).Output() // empty if the file is new
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

// firstDifference compares two sources token by token. It returns the line of the first different
// token in the second source, or 0 if all tokens are equal.
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

// tokens returns a function that returns the tokens of a file one after the other, each with its
// line. At the end of the file, the token is "".
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
			case kind == token.SEMICOLON: // written in the file or inserted by the scanner
				return ";", line
			case kind == token.STRING && withoutStrings:
				return "STRING", line
			default:
				return kind.String() + " " + text, line
			}
		}
	}
}
