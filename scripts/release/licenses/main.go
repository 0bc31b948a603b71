// Licenses copies the licence and notice texts of Go and of all modules linked into a program,
// and prints which licences they are.
//
//	licenses -to DIRECTORY PROGRAM     copy the texts: DIRECTORY/MODULE@VERSION/LICENSE
//	licenses -as expression PROGRAM    SPDX of the program: MIT AND BSD-3-Clause
//	licenses -as table PROGRAM         module, version, SPDX, files
//	licenses -as copyright PROGRAM     stanzas of a machine-readable Debian copyright
//
// PROGRAM is a build of ./cmd/doppel for any system. A module without a licence, or with an
// unknown or non-permissive one, is an error.
package main

import (
	"bufio"
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A module is a module linked into the program, or Go itself.
type module struct {
	path, version, dir string
	files              []string // names of the licence and notice texts, relative to dir
	licenses           []string // SPDX identifiers, sorted
}

// kinds lists the licences that are allowed, all of them permissive. A licence is identified by
// a sentence; BSD-2-Clause is the only one whose sentence also occurs in another licence.
var kinds = []struct {
	id       string
	sentence *regexp.Regexp
}{
	{"MIT", words("to deal in the Software without restriction")},
	{"Apache-2.0", words("Apache License Version 2.0, January 2004")},
	{"BSD-3-Clause", words("Redistribution and use in source and binary forms.*endorse or promote products")},
	{"BSD-2-Clause", words("Redistribution and use in source and binary forms")},
	{"ISC", words("Permission to use, copy, modify, and(?:/or)? distribute this software for any purpose")},
}

// reciprocal matches licences that require the publication of source code.
var reciprocal = regexp.MustCompile(`(?i)GNU\s+(Lesser\s+|Affero\s+)?General\s+Public|(Mozilla|Eclipse|Server\s+Side)\s+Public\s+License`)

// text matches the names of files that must be distributed with a binary.
var text = regexp.MustCompile(`(?i)^(licen[sc]es?|copying|notice|copyright|patents|authors|unlicense)([.-].*)?$`)

// words returns a pattern for a sentence, with any white space between the words.
func words(sentence string) *regexp.Regexp {
	return regexp.MustCompile(`(?is)` + strings.ReplaceAll(sentence, " ", `\s+`))
}

func main() {
	to := flag.String("to", "", "copy the texts into this directory")
	as := flag.String("as", "", "print expression, table or copyright")
	flag.Parse()
	if err := run(*to, *as, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func run(to, as string, args []string) error {
	if len(args) != 1 || (to == "") == (as == "") {
		return errors.New("want -to DIRECTORY or -as FORM, and one program")
	}
	linked, err := modules(args[0])
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	switch as {
	case "":
		return copyTexts(to, linked)
	case "expression":
		fmt.Fprintln(out, expression(linked))
	case "table":
		for _, m := range linked {
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", m.path, m.version, strings.Join(m.licenses, " AND "), strings.Join(m.files, " "))
		}
	case "copyright":
		err = writeCopyright(out, linked)
	default:
		return fmt.Errorf("-as %s: want expression, table or copyright", as)
	}
	return errors.Join(err, out.Flush())
}

// modules returns Go itself, followed by the modules linked into a program, sorted by path. The
// program must have been built from the checkout in which this command runs.
func modules(program string) ([]*module, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(info.Path, "/cmd/doppel") {
		return nil, fmt.Errorf("%s: a build of %s: want a build of cmd/doppel", program, info.Path)
	}
	list := exec.Command("go", "list", "-deps", "-json=Dir,Module", info.Path)
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" {
			list.Env = append(list.Env, s.Key+"="+s.Value)
		}
	}
	list.Stderr = os.Stderr
	printed, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	byPath := map[string]*module{"Go": {path: "Go", version: info.GoVersion, dir: goroot()}}
	for packages := json.NewDecoder(bytes.NewReader(printed)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := packages.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		m := byPath[p.Module.Path]
		if m == nil {
			m = &module{path: p.Module.Path, version: p.Module.Version, dir: p.Module.Dir}
			byPath[m.path] = m
		}
		if err := m.addTexts(p.Dir); err != nil {
			return nil, err
		}
	}
	for _, dep := range info.Deps {
		if m := byPath[dep.Path]; m == nil || m.version != dep.Version {
			return nil, fmt.Errorf("%s: linked with %s %s, which this checkout does not require", program, dep.Path, dep.Version)
		}
	}
	if len(byPath) != len(info.Deps)+1 {
		return nil, fmt.Errorf("%s: linked with %d modules, but this checkout requires %d", program, len(info.Deps), len(byPath)-1)
	}
	if err := byPath["Go"].addTexts(goroot()); err != nil {
		return nil, err
	}
	linked := make([]*module, 0, len(byPath))
	for _, m := range byPath {
		if err := m.classify(); err != nil {
			return nil, err
		}
		linked = append(linked, m)
	}
	slices.SortFunc(linked, func(a, b *module) int { return strings.Compare(a.path, b.path) })
	return linked, nil
}

// goroot returns the root directory of the Go installation, or "" on failure; addTexts returns an
// error for "".
func goroot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// addTexts adds the licence and notice texts in the directory of a package and in its parents up
// to the module's directory, because a module may contain packages of other authors.
func (m *module) addTexts(dir string) error {
	for ; len(dir) >= len(m.dir); dir = filepath.Dir(dir) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name, err := filepath.Rel(m.dir, filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			if e.Type().IsRegular() && filepath.Ext(name) != ".go" && text.MatchString(e.Name()) && !slices.Contains(m.files, name) {
				m.files = append(m.files, name)
			}
		}
	}
	slices.Sort(m.files)
	return nil
}

// classify identifies the licences of a module by the texts of its files.
func (m *module) classify() error {
	for _, name := range m.files {
		b, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil {
			return err
		}
		found, err := identify(b)
		if err != nil {
			return fmt.Errorf("%s@%s: %s: %w", m.path, m.version, name, err)
		}
		m.licenses = append(m.licenses, found...)
	}
	slices.Sort(m.licenses)
	if m.licenses = slices.Compact(m.licenses); len(m.licenses) == 0 {
		return fmt.Errorf("%s@%s: no text of a known permissive licence", m.path, m.version)
	}
	return nil
}

// identify returns the licences in a text: several if the text contains several, none for a list
// of authors or a patent grant.
func identify(b []byte) (found []string, err error) {
	if at := reciprocal.Find(b); at != nil {
		return nil, fmt.Errorf("not permissive: %s", at)
	}
	for _, kind := range kinds {
		if kind.id == "BSD-2-Clause" && slices.Contains(found, "BSD-3-Clause") {
			continue // the text of BSD-3-Clause contains the text of BSD-2-Clause
		}
		if kind.sentence.Match(b) {
			found = append(found, kind.id)
		}
	}
	return found, nil
}

// expression returns the SPDX expression of the whole program: its own licence and those of the
// linked modules.
func expression(linked []*module) string {
	all := []string{}
	for _, m := range linked {
		all = append(all, m.licenses...)
	}
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(id string) bool { return id == "MIT" })
	return strings.Join(append([]string{"MIT"}, all...), " AND ")
}

// name returns MODULE@VERSION, the relative path of the directory for a module's texts.
func (m *module) name() string { return filepath.FromSlash(m.path) + "@" + m.version }

func copyTexts(to string, linked []*module) error {
	for _, m := range linked {
		for _, name := range m.files {
			b, err := os.ReadFile(filepath.Join(m.dir, name))
			if err != nil {
				return err
			}
			path := filepath.Join(to, m.name(), name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, b, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// holder matches lines that name a copyright holder.
var holder = regexp.MustCompile(`(?im)^\W*(copyright (?:\(c\)|©|[0-9]).*)$`)

// apache matches the Apache License, which packages must not repeat, because Debian installs it.
var apache = regexp.MustCompile(`(?s)[ \t]*Apache License\s+Version 2\.0, January 2004.*?END OF TERMS AND CONDITIONS`)

const apacheAt = "The Apache License 2.0: /usr/share/common-licenses/Apache-2.0 on Debian."

// writeCopyright writes a stanza for each module, with its copyright holders and licences.
func writeCopyright(w io.Writer, linked []*module) error {
	for _, m := range linked {
		holders, body := []string{}, []string{}
		for _, name := range m.files {
			b, err := os.ReadFile(filepath.Join(m.dir, name))
			if err != nil {
				return err
			}
			for _, found := range holder.FindAllSubmatch(b, -1) {
				holders = append(holders, strings.TrimSpace(string(found[1])))
			}
			b = apache.ReplaceAllLiteral(b, []byte(apacheAt))
			for line := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n") {
				if line = strings.TrimRight(line, " \t\r"); line == "" {
					line = "."
				}
				body = append(body, " "+line)
			}
		}
		if len(holders) == 0 {
			holders = []string{"the authors of " + m.path}
		}
		slices.Sort(holders)
		fmt.Fprintf(w, "\nFiles: linked/%s/*\nCopyright: %s\nLicense: %s\n%s\n", strings.ReplaceAll(m.name(), " ", "_"),
			strings.Join(slices.Compact(holders), "\n           "), strings.Join(m.licenses, " and "), strings.Join(body, "\n"))
	}
	return nil
}
