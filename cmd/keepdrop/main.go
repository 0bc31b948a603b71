// Keepdrop runs the tool in package stage/keepdrop, documented in man/keepdrop.1.
package main

import (
	"os"

	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(keepdrop.Command(), tool.OS())) }
