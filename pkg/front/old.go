package front

import (
	"strings"

	"doppel/pkg/chain"
)

// oldStage and oldChain are commands as strings, until all are pipelines.
type oldStage []string

type oldChain []oldStage

func (c oldChain) String() string {
	stages := make([]string, len(c))
	for i, s := range c {
		words := make([]string, len(s))
		for i, w := range s {
			words[i] = chain.Quote(w)
		}
		stages[i] = strings.Join(words, " ")
	}
	return strings.Join(stages, " | ")
}

// run returns the chain as it is run.
func (c oldChain) run() (all chain.Chain) {
	for _, s := range c {
		all = append(all, chain.Stage{Name: s[0], Argv: append([]string{path(s[0])}, s[1:]...)})
	}
	return all
}
