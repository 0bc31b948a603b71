package front

import (
	"doppel/pkg/pipeline"
	"doppel/pkg/tool"
)

func fuzzy() *tool.Command {
	o := pipeline.DefaultFuzzy()
	return &tool.Command{
		Name:    "doppel fuzzy",
		Summary: "remove near-duplicates from a dataset",
		Usage:   "[FILE...]",
		Options: &o,
	}
}

func cutAnew() *tool.Command {
	o := pipeline.DefaultCut()
	return &tool.Command{
		Name:    "doppel cut",
		Summary: "remove near-duplicates anew by the scores of a run before",
		Usage:   "[FILE...]",
		Options: &o,
	}
}

func exact() *tool.Command {
	o := pipeline.DefaultExact()
	return &tool.Command{
		Name:    "doppel exact",
		Summary: "remove exact duplicates from a dataset",
		Usage:   "[FILE...]",
		Options: &o,
	}
}

func passages() *tool.Command {
	o := pipeline.DefaultPassages()
	return &tool.Command{
		Name:    "doppel passages",
		Summary: "cut out passages that stand elsewhere too",
		Usage:   "[FILE...]",
		Options: &o,
	}
}

func shared() *tool.Command {
	o := pipeline.DefaultShared()
	return &tool.Command{
		Name:    "doppel shared",
		Summary: "find which files share passages, and where",
		Usage:   "[DIR...]",
		Options: &o,
	}
}

func textFiles() *tool.Command {
	o := pipeline.DefaultText()
	return &tool.Command{
		Name:    "doppel text",
		Summary: "find pairs of similar text files",
		Usage:   "[LIST...]",
		Options: &o,
	}
}

func fromFile() *tool.Command {
	return &tool.Command{
		Name:    "doppel pipeline",
		Summary: "run the steps that a file describes",
		Usage:   "[FILE...]",
		Options: &pipeline.FromFile{Job: pipeline.DefaultJob()},
	}
}

func filter() *tool.Command {
	return &tool.Command{
		Name:    "doppel filter",
		Summary: "drop records by quality and language, as a file describes",
		Usage:   "[FILE...]",
		Options: &pipeline.FromFile{FiltersOnly: true, Job: pipeline.DefaultJob()},
	}
}
