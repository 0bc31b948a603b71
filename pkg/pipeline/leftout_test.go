package pipeline

import (
	"testing"

	"doppel/pkg/chain"
)

// Under -k a stage may end with the status of bad records if it was told to leave them
// out. One that was not has ended at the first, and what it wrote is not whole.
func TestLeftOut(t *testing.T) {
	for _, c := range []struct {
		argv   []string
		status int
		want   bool
	}{
		{[]string{"recsign", "--keep-going", "data.jsonl"}, 2, true},
		{[]string{"recsign", "--keep-going", "data.jsonl"}, 1, false},
		{[]string{"dupgroup", "--rank=longest"}, 2, false},
	} {
		if got := leftOut(chain.Stage{Name: c.argv[0], Argv: c.argv}, c.status); got != c.want {
			t.Errorf("%v with status %d: %v", c.argv, c.status, got)
		}
	}
}
