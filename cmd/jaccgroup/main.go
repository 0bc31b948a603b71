// Jaccgroup is the program of package stage/jaccgroup; man/jaccgroup.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/jaccgroup"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(jaccgroup.Command(), tool.OS())) }
