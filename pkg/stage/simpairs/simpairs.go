// Package simpairs pairs simhashes that differ in few bits.
//
// See man/simpairs.1.
package simpairs

import (
	"doppel/pkg/simhash"
	"doppel/pkg/tool"
)

// Command returns the tool.
func Command() *tool.Command {
	var o options
	return tool.Adapt(&tool.Old{
		Name:    "simpairs",
		Summary: "pair simhashes that differ in few bits",
		Usage:   "[FILE...]",
		Shared:  tool.JSON | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Mem:     256 << 20,
		Flagger: o.register,
		Runner: func(e *tool.Env, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return run(e, &o, args)
		},
	})
}

func run(e *tool.Env, o *options, args []string) error {
	in, err := load(e, args)
	if err != nil || len(in.hashes) == 0 {
		return err
	}
	s := simhash.Search{Width: in.width, Max: min(o.within, in.width), Jobs: e.Jobs, Mem: int64(e.Mem)}
	if o.within < 0 {
		s.Max = simhash.MaxDistance(o.threshold, in.width)
	}
	w := &writer{e: e, in: in, longerFirst: o.files}
	switch {
	case o.explain:
		return explain(e, s, o, in.hashes)
	case o.guaranteed():
		return o.exhaustive(s)(in.hashes, w.write)
	}
	return rotate(s, o, w)
}
