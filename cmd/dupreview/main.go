// Dupreview is the program of package stage/dupreview; man/dupreview.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/dupreview"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(dupreview.Command(), tool.OS())) }
