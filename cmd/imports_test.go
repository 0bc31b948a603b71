package cmd_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestImports holds the direction of imports: cmd imports stages, stages import
// tool, tool imports record, and nothing else under pkg knows a flag or the
// process.
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
	case imp == "pkg/stages" || imp == "pkg/tool" && pkg != "pkg/stages":
		return "only commands know the runner"
	case pkg != "pkg/tool" && pkg != "pkg/stages" && (imp == "flag" || imp == "log" || strings.HasSuffix(imp, "/pflag") || strings.HasSuffix(imp, "/term")):
		return "only pkg/tool knows flags and terminals"
	case pkg != "pkg/tool" && pkg != "pkg/record/parquet" && strings.HasPrefix(pkg, "pkg/record") && strings.HasPrefix(imp, "pkg/") && imp != "pkg/spill":
		return "records stand below all else"
	}
	return ""
}

// TestWeight holds what is heavy away from tools that do not use it: Parquet is
// ten megabytes, and the mail tools, which start once a message, do without
// cpuid too, whose start takes 0.45 ms on a virtual machine.
func TestWeight(t *testing.T) {
	light := map[string][]string{"fuzzysum": {"parquet", "cpuid"}, "fuzzyseen": {"parquet", "cpuid"}}
	for _, name := range []string{"blockhash", "lshkeys", "keypairs", "lshpairs", "simpairs"} {
		light[name] = []string{"parquet"}
	}
	for _, name := range tools {
		for _, heavy := range light[name] {
			out, err := exec.Command("go", "list", "-deps", "./"+name).Output()
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(out), heavy) {
				t.Errorf("%s links %s", name, heavy)
			}
		}
	}
}
