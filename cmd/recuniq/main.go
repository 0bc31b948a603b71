// Recuniq is the program of package stage/recuniq; man/recuniq.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/recuniq"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(recuniq.Command(), tool.OS())) }
