// Keepdrop is the program of package stage/keepdrop; man/keepdrop.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(keepdrop.Command(), tool.OS())) }
