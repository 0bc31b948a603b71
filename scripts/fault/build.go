//go:build linux

package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// digest returns what tells one build of the tools from another.
func digest(bin string) (string, error) {
	names, err := filepath.Glob(filepath.Join(bin, "*"))
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, name := range names {
		if err := addFile(h, name); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

func addFile(w io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintln(w, filepath.Base(name))
	_, err = io.Copy(w, f)
	return err
}

// builds returns how many builds of the tools the results are of.
func (all *results) builds() int {
	seen := map[string]bool{}
	for _, r := range all.all {
		seen[r.build] = true
	}
	return len(seen)
}
