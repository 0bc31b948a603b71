package jaccgroup_test

import (
	"testing"

	"doppel/pkg/stage/stagetest"
)

func TestMain(m *testing.M) { stagetest.Main(m) }

func TestScripts(t *testing.T) { stagetest.Scripts(t) }
