package dupreview_test

import (
	"os"
	"testing"

	"doppel/pkg/stage/dupreview"
	"doppel/pkg/tool"
)

// asTool is an environment variable. Tests that need a terminal set it to run the test binary as
// dupreview.
const asTool = "TEST_AS_DUPREVIEW"

func TestMain(m *testing.M) {
	if os.Getenv(asTool) != "" {
		os.Exit(tool.Run(dupreview.Command(), tool.OS()))
	}
	os.Exit(m.Run())
}
