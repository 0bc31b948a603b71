//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// recordedCalls are the system calls that change or sync files or names.
const recordedCalls = "open,openat,creat,write,pwrite64,writev,pwritev,pwritev2,truncate,ftruncate,fallocate,copy_file_range,sendfile,splice," +
	"fsync,fdatasync,sync,syncfs,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,chdir,fchdir,close"

// A call is a system call that did not fail.
type call struct {
	thread     string
	name       string
	args       []string // arguments, as strace prints them
	began, end int      // lines of the trace at which the call began and ended
}

// parseTrace parses the output of strace -f -y. Calls are in the order in which they ended.
func parseTrace(r io.Reader) (calls []call, err error) {
	type begun struct {
		text string
		line int
	}
	unfinished := map[string]begun{} // calls that have begun but not ended, by thread
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for line := 1; in.Scan(); line++ {
		thread, text, _ := strings.Cut(in.Text(), " ")
		text = strings.TrimLeft(text, " ")
		first := line
		if head, cut := strings.CutSuffix(text, " <unfinished ...>"); cut {
			unfinished[thread] = begun{head, line}
			continue
		}
		if strings.HasPrefix(text, "<... ") {
			_, rest, _ := strings.Cut(text, " resumed>")
			was := unfinished[thread]
			delete(unfinished, thread)
			text, first = was.text+rest, was.line
		}
		name, rest, isCall := strings.Cut(text, "(")
		at := strings.LastIndex(rest, ") = ")
		if at < 0 {
			at = strings.LastIndex(rest, ")  ") // strace aligns the results of short calls
		}
		if !isCall || at < 0 || strings.HasPrefix(text, "+++") || strings.HasPrefix(text, "---") {
			continue
		}
		result := strings.TrimLeft(rest[at+1:], " =")
		if strings.HasPrefix(result, "-1") || strings.HasPrefix(result, "?") {
			continue
		}
		args, err := splitArguments(rest[:at])
		if err != nil {
			return nil, fmt.Errorf("line %d of the trace: %w", line, err)
		}
		calls = append(calls, call{thread, name, append(args, result), first, line})
	}
	return calls, in.Err()
}

// splitArguments splits the arguments of a call at commas outside strings, structures and
// descriptor names.
func splitArguments(text string) (args []string, err error) {
	depth, from, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("<[{(", c) >= 0:
			depth++
		case strings.IndexByte(">]})", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			args = append(args, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	if depth != 0 || quoted {
		return nil, fmt.Errorf("invalid arguments: %s", text)
	}
	return append(args, strings.TrimSpace(text[from:])), nil
}

// fileOf returns the path in an argument such as 5</tmp/x>, or "" if the argument has none. For
// 5</tmp/x>(deleted), it appends " (deleted)" to the path, so that the result is not the name of
// another file.
func fileOf(arg string) string {
	_, name, found := strings.Cut(arg, "<")
	name, open := strings.CutSuffix(strings.TrimSuffix(name, "(deleted)"), ">")
	if !found || !open || !strings.HasPrefix(name, "/") {
		return ""
	}
	if strings.HasSuffix(arg, ">(deleted)") {
		name += deleted
	}
	return name
}

// deleted is the suffix that fileOf appends for a file without a name.
const deleted = " (deleted)"

// paths returns the paths among the arguments of a call, resolved against its directory descriptors
// or cwd: two paths for calls such as rename, one for others.
func (c call) paths(cwd string) (all []string) {
	dir := cwd
	for _, arg := range c.args[:len(c.args)-1] {
		if d := fileOf(arg); d != "" && strings.HasSuffix(c.name, "at") || c.name == "renameat2" && d != "" {
			dir = d
		} else if strings.HasPrefix(arg, `"`) {
			name, err := strconv.Unquote(arg)
			if err == nil && !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			all = append(all, name)
			dir = cwd
		}
	}
	return all
}

// has reports whether a call has a flag such as O_TRUNC.
func (c call) has(flag string) bool {
	return slices.ContainsFunc(c.args, func(arg string) bool { return slices.Contains(strings.Split(arg, "|"), flag) })
}
