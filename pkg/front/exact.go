package front

import (
	"github.com/spf13/pflag"

	"doppel/pkg/tool"
)

// exact removes exact duplicates from a dataset.
func exact() *tool.Command {
	j := job{once: true}
	var fs *pflag.FlagSet
	var normalize string
	var verify bool
	c := &tool.Old{
		Name:    "doppel exact",
		Summary: "remove exact duplicates from a dataset",
		Usage:   "[FILE...]",
		Shared:  tool.Whole | tool.Jobs | tool.KeepGoing | tool.Watch,
		Flagger: func(set *pflag.FlagSet) {
			fs = set
			fs.StringVar(&normalize, "normalize", "none", "compare texts as `HOW` makes them: conservative, balanced or aggressive")
			fs.BoolVar(&verify, "verify", false, "compare bytes, not only hashes")
			j.register(fs)
		},
	}
	c.Runner = func(e *tool.Env, args []string) error {
		return j.run(e, fs, args, func([]string) (oldChain, oldStage) {
			return nil, stage("recuniq", given(fs, "field", "lines", "normalize", "verify", "jobs", "keep-going", "output"))
		})
	}
	return tool.Adapt(c)
}
