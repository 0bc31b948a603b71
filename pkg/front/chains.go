package front

import (
	"doppel/pkg/pipeline"
	"doppel/pkg/tool"
)

// The chains of package pipeline.
var (
	fuzzy     = chained("fuzzy", "remove near-duplicates from a dataset", ofFiles, pipeline.DefaultFuzzy)
	cutAnew   = chained("cut", "remove near-duplicates anew by the scores of a run before", ofFiles, pipeline.DefaultCut)
	exact     = chained("exact", "remove exact duplicates from a dataset", ofFiles, pipeline.DefaultExact)
	passages  = chained("passages", "cut out passages that stand elsewhere too", ofFiles, pipeline.DefaultPassages)
	shared    = chained("shared", "find which files share passages, and where", "[DIR...]", pipeline.DefaultShared)
	textFiles = chained("text", "find pairs of similar text files", "[LIST...]", pipeline.DefaultText)
	filter    = chained("filter", "drop records by quality and language, as a file describes", ofFiles, fromFile(true))
	described = chained("pipeline", "run the steps that a file describes", ofFiles, fromFile(false))
)

// ofFiles is the usage of a command that reads records.
const ofFiles = "[FILE...]"

// chained returns what makes the command of a chain, with options of its own each time.
func chained[O any, P interface {
	*O
	tool.Options
}](name, summary, usage string, preset func() O) func() *tool.Command {
	return func() *tool.Command {
		o := preset()
		return &tool.Command{Name: "doppel " + name, Summary: summary, Usage: usage, Options: P(&o)}
	}
}

// fromFile returns what makes the options of a chain that a file describes.
func fromFile(filtersOnly bool) func() pipeline.FromFile {
	return func() pipeline.FromFile {
		return pipeline.FromFile{FiltersOnly: filtersOnly, Job: pipeline.DefaultJob()}
	}
}
