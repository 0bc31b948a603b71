//go:build linux

package main

import (
	"fmt"
	"strings"
)

// addKnown adds cases that detect the faults of earlier builds.
func addKnown(p *plan) {
	numbered := map[string]int{}
	for _, f := range scripts("known") {
		numbered[f.name]++
		p.add(func(s *sandbox) error {
			s.copyInputs(strings.Fields(f.inputs)...)
			o := s.run(command{args: []string{"bash", "-c", f.text}, most: 2 << 10})
			if err := o.wants(f.status, f.want); err != nil {
				return fmt.Errorf("%s: %w", f.subject, err)
			}
			return nil
		}, "known/%s/%d", f.name, numbered[f.name])
	}
}
