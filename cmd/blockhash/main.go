// Blockhash runs the tool in package stage/blockhash, documented in man/blockhash.1.
package main

import (
	"os"

	"doppel/pkg/stage/blockhash"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(blockhash.Command(), tool.OS())) }
