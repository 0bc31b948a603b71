// Blockhash is the program of package stage/blockhash; man/blockhash.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/blockhash"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(blockhash.Command(), tool.OS())) }
