package dedup_test

import (
	"testing"

	"doppel/pkg/stage/stagetest/script"
)

func TestMain(m *testing.M) { script.Main(m) }

func TestScripts(t *testing.T) { script.RunAll(t, ".") }
