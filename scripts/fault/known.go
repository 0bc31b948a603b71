//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
)

// sharedCases lists faults of earlier builds that cases of other kinds detect, with the names
// of these cases. The cases also run under the kind "known", because -short selects all cases of
// that kind.
var sharedCases = []struct{ name, cases string }{
	{"2.4/2", "hostile/cost/run/matchsub-all"},
	{"2.4/3", "hostile/cost/ab/matchsub-all"},
	{"2.5/1", "hostile/cost/mime/quoted"},
	{"2.5/2", "hostile/cost/mime/quoted-digit"},
	{"2.9/1", "race/replaced/fuzzy/00 race/replaced/fuzzy/06 race/replaced/fuzzy/12 race/replaced/fuzzy/18 race/replaced/fuzzy/24"},
	{"3.3/1", "kill/fuzzy/TERM/rename/01 kill/fuzzy/TERM/rename/02 kill/fuzzy/TERM/rename/03"},
	{"3.5/1", "hostile/cost/nuls/inspect"},
	{"3.6/2", "hostile/cost/line/recsign"},
	{"3.8/1", "hostile/cost/equal/simpairs"},
	{"3.9/1", "hostile/terminal/blockhash"},
	{"3.9/2", "hostile/terminal/files"},
	{"3.12/3", "hostile/cost/yaml/aliases"},
	{"3.14/1", "memory/mem/dupgroup/1M memory/mem/dupgroup/16M"},
	{"3.14/2", "memory/mem/lshpairs/1M memory/mem/lshpairs/16M"},
	{"3.14/3", "memory/mem/keypairs/1M memory/mem/keypairs/16M"},
}

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
	var others plan
	for _, add := range []func(*plan){addKills, addMemory, addRaces, addHostile} {
		add(&others)
	}
	for _, c := range sharedCases {
		var cases plan
		for name := range strings.FieldsSeq(c.cases) {
			cases = append(cases, others[slices.IndexFunc(others, func(t trial) bool { return t.name == name })])
		}
		p.add(func(s *sandbox) error {
			for _, t := range cases {
				if err := t.run(s); err != nil {
					return fmt.Errorf("%s: %w", t.name, err)
				}
			}
			return nil
		}, "known/%s", c.name)
	}
}
