package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestModules checks that all modules that the tools link, on every system of a release, have
// known permissive licences.
func TestModules(t *testing.T) {
	for _, target := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"} {
		t.Run(strings.ReplaceAll(target, "/", "-"), func(t *testing.T) {
			system, architecture, _ := strings.Cut(target, "/")
			list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{$.Dir}}\t{{.Dir}}{{end}}{{end}}", "doppel/cmd/...")
			list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+architecture)
			out, err := list.Output()
			if err != nil {
				t.Fatal(err)
			}
			byPath := map[string]*module{}
			for line := range strings.Lines(string(out)) {
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				head, dir, _ := strings.Cut(line, "\t")
				fields := strings.SplitN(head, " ", 3)
				m := byPath[fields[0]]
				if m == nil {
					m = &module{path: fields[0], version: fields[1], dir: dir}
					byPath[m.path] = m
				}
				if err := m.addTexts(fields[2]); err != nil {
					t.Fatal(err)
				}
			}
			if len(byPath) < 30 {
				t.Fatalf("only %d modules are linked", len(byPath))
			}
			for _, m := range byPath {
				if err := m.classify(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestClassify checks that a missing, unknown or reciprocal licence is an error, and that a text
// may contain several licences.
func TestClassify(t *testing.T) {
	const mit = "Permission is granted\nto deal in the Software without\n restriction\n"
	const bsd2 = "Redistribution and use in source and binary forms, with or without\n"
	const bsd3 = bsd2 + "may be used to endorse or promote\nproducts\n"
	for name, c := range map[string]struct{ name, text, want string }{
		"mit":         {"LICENSE", mit, "MIT"},
		"two clauses": {"COPYING", bsd2, "BSD-2-Clause"},
		"three":       {"LICENSE.txt", bsd3, "BSD-3-Clause"},
		"two in one":  {"LICENSE", bsd3 + mit, "BSD-3-Clause MIT"},
		"unknown":     {"LICENSE", "All rights reserved.", ""},
		"reciprocal":  {"LICENSE", mit + "or the GNU Lesser General\nPublic License", ""},
		"mozilla":     {"LICENSE", "Mozilla Public License Version 2.0", ""},
		"no text":     {"license.go", mit, ""},
		"authors":     {"AUTHORS", "A. U. Thor", ""},
	} {
		m := module{path: "example.org/x", version: "v1.0.0", dir: t.TempDir()}
		if err := os.WriteFile(filepath.Join(m.dir, c.name), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := m.addTexts(m.dir); err != nil {
			t.Fatal(err)
		}
		if err := m.classify(); (err == nil) != (c.want != "") || err == nil && strings.Join(m.licenses, " ") != c.want {
			t.Errorf("%s: %v, %v, want %q", name, m.licenses, err, c.want)
		}
	}
}

// TestOutputs checks that all licence and notice texts are copied, and that the copyright file has
// a stanza for every module.
func TestOutputs(t *testing.T) {
	program := filepath.Join(t.TempDir(), "doppel")
	if out, err := exec.Command("go", "build", "-o", program, "doppel/cmd/doppel").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	linked, err := modules(program)
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if err := copyTexts(to, linked); err != nil {
		t.Fatal(err)
	}
	var copyright strings.Builder
	if err := writeCopyright(&copyright, linked); err != nil {
		t.Fatal(err)
	}
	for _, m := range linked {
		for _, name := range m.files {
			if info, err := os.Stat(filepath.Join(to, m.name(), name)); err != nil || info.Size() == 0 {
				t.Errorf("%s %s: %v", m.path, name, err)
			}
		}
		if !strings.Contains(copyright.String(), "\nFiles: linked/"+m.name()+"/*\n") {
			t.Errorf("no stanza for %s", m.path)
		}
	}
	if strings.Contains(copyright.String(), "TERMS AND CONDITIONS") || !strings.Contains(copyright.String(), apacheAt) {
		t.Error("the copyright has the text of the Apache License, which Debian refuses")
	}
	if e := expression(linked); !strings.HasPrefix(e, "MIT AND Apache-2.0 AND BSD-") {
		t.Errorf("expression %s", e)
	}
	if _, err = modules(os.Args[0]); err == nil {
		t.Error("another program is accepted")
	}
}
