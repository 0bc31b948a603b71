// Package stage_test runs the scripts of all tools, those of a tool with -run TestScripts/NAME. One
// test binary runs them all, because a binary that contains all programs takes long to link.
package stage_test

import (
	"testing"

	"doppel/pkg/stage/stagetest/script"
	"doppel/pkg/toolbox"
)

func TestMain(m *testing.M) { script.Main(m) }

func TestScripts(t *testing.T) {
	for _, command := range toolbox.All {
		name := command().Name
		t.Run(name, func(t *testing.T) { script.RunAll(t, name) })
	}
}
