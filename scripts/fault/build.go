//go:build linux

package main

import (
	"crypto/sha256"
	"fmt"
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
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(h, filepath.Base(name))
		h.Write(data)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// builds returns of how many results the most are of one build of the tools, and how
// many are of others.
func (all *results) builds() (most, others int) {
	counts := map[string]int{}
	for _, r := range all.all {
		counts[r.build]++
		most = max(most, counts[r.build])
	}
	return most, len(all.all) - most
}

// ofBuilds says of which builds the run was.
func (all *results) ofBuilds() string {
	most, others := all.builds()
	if others == 0 {
		return "All were tried on one build of the tools.\n"
	}
	return fmt.Sprintf("%d were tried on one build of the tools, and %d on others.\n", most, others)
}
