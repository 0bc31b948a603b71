package cmd_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestImports holds the direction of imports: cmd imports tool, tool imports
// record, and nothing under pkg but tool knows a flag or the process.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "doppel/pkg/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(fields[0], "doppel/")
		for _, imp := range fields[1:] {
			if why := forbidden(pkg, strings.TrimPrefix(imp, "doppel/")); why != "" {
				t.Errorf("%s imports %s: %s", pkg, imp, why)
			}
		}
	}
}

func forbidden(pkg, imp string) string {
	switch {
	case pkg == "pkg/architecture":
		return ""
	case strings.HasPrefix(imp, "cmd/"):
		return "packages do not know commands"
	case imp == "pkg/tool":
		return "only commands know the runner"
	case pkg != "pkg/tool" && (imp == "flag" || imp == "log" || strings.HasSuffix(imp, "/pflag") || strings.HasSuffix(imp, "/term")):
		return "only pkg/tool knows flags and terminals"
	case pkg != "pkg/tool" && pkg != "pkg/record/parquet" && strings.HasPrefix(pkg, "pkg/record") && strings.HasPrefix(imp, "pkg/") && imp != "pkg/scratch":
		return "records stand below all else"
	}
	return ""
}

// TestWeight holds Parquet, which weighs ten megabytes, away from the tools
// that read no datasets.
func TestWeight(t *testing.T) {
	for _, name := range tools {
		switch name {
		case "fuzzysum", "fuzzyseen", "blockhash", "lshkeys", "keypairs", "lshpairs", "simpairs":
			out, err := exec.Command("go", "list", "-deps", "./"+name).Output()
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(out), "parquet") {
				t.Errorf("%s links Parquet", name)
			}
		}
	}
}
