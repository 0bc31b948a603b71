// Package toolbox lists all tools, so that one binary can act as any of them.
//
// The makefile also builds a binary for each tool. These binaries start faster than doppel, because
// each links only the packages that its tool needs. The shell text that --print writes uses them if
// they exist. Distribution packages contain only doppel. It runs the tool that is named by its
// first argument, as in "doppel recsign …", or by the link through which it is called.
package toolbox

import (
	"path/filepath"

	"doppel/pkg/stage/blockhash"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/stage/dupreview"
	"doppel/pkg/stage/dupspan"
	"doppel/pkg/stage/fuzzyseen"
	"doppel/pkg/stage/fuzzysum"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/jaccgroup"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/keypairs"
	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/matchsub"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/stage/recfilter"
	"doppel/pkg/stage/recsieve"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/stage/recuniq"
	"doppel/pkg/stage/simpairs"
	"doppel/pkg/tool"
)

// All lists the constructors of all tools except doppel, approximately in the order in which data
// pass through the tools.
var All = []func() *tool.Command{
	recsign.Command,
	lshkeys.Command,
	keypairs.Command,
	lshpairs.Command,
	simpairs.Command,
	jaccard.Command,
	dupgroup.Command,
	jaccgroup.Command,
	dupspan.Command,
	dupreview.Command,
	keepdrop.Command,
	dupreport.Command,
	recuniq.Command,
	recsieve.Command,
	recfilter.Command,
	reccat.Command,
	fuzzysum.Command,
	fuzzyseen.Command,
	blockhash.Command,
	matchsub.Command,
}

// Find returns the tool with this name, or nil. It ignores a directory before the name, as in
// os.Args[0].
func Find(name string) *tool.Command {
	for _, command := range All {
		if c := command(); c.Name == filepath.Base(name) {
			return c
		}
	}
	return nil
}
