package model

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestMinimise checks that Minimise keeps only what a failure needs.
func TestMinimise(t *testing.T) {
	c := Case{
		Command: "fuzzy",
		Files:   []File{{"a.jsonl", Words.Rows(rand.New(rand.NewPCG(1, 1)), 20)}},
		Options: []Option{{"rank", "last"}, {"threshold", "0.5"}},
	}
	c.Files[0].Rows[7].Text = "one two three"
	got := Minimise(c, func(c *Case) bool {
		script := c.String()
		return strings.Contains(script, "two") && strings.Contains(script, "--threshold=0.5")
	})
	if len(got.Files[0].Rows) != 1 || got.Files[0].Rows[0].Text != "two" || len(got.Options) != 1 {
		t.Errorf("not reduced:\n%s", got.String())
	}
}
