package cmd_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestImports checks that each package in levels imports only packages below it. Packages below
// all levels must not import packages for flags, logs or terminals, and pkg/record may import
// only the packages in belowRecord, so a reader does not import record/write, which writes its
// records. Only pkg/cli imports the package of a command.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.Module.Path}}/ {{.ImportPath}} {{join .Imports \" \"}}", "../pkg/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		module, pkg := fields[0], strings.TrimPrefix(fields[1], fields[0])
		for _, imp := range fields[2:] {
			if why := forbidden(pkg, strings.TrimPrefix(imp, module)); why != "" {
				t.Errorf("%s imports %s: %s", pkg, imp, why)
			}
		}
	}
}

// levels lists the packages that define tools and run them, from the top down. Each package may
// import the packages listed after it. Packages that are not listed, such as pkg/output, are below all.
var levels = []string{"pkg/cli", "pkg/dedup", "pkg/plan", "pkg/toolbox", "pkg/stage", "pkg/tool", "pkg/flagset"}

// level returns the index in levels of a package or of its parent. If neither is listed, it
// returns len(levels).
func level(pkg string) int {
	for i, l := range levels {
		if pkg == l || strings.HasPrefix(pkg, l+"/") {
			return i
		}
	}
	return len(levels)
}

// belowRecord lists the packages that pkg/record may import.
var belowRecord = map[string]bool{"pkg/files": true, "pkg/files/filename": true, "pkg/record/bitset": true, "pkg/par": true, "pkg/record/dataform": true, "pkg/record/fieldpath": true, "pkg/record/jsonstr": true, "pkg/record/jsonscan": true, "pkg/record": true, "pkg/line/seal": true, "pkg/line/kind": true, "pkg/spill": true, "pkg/msg": true, "pkg/record/zst": true}

// commandOf returns the package of a command of doppel, given this package or one below it.
func commandOf(pkg string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pkg, "pkg/cli/"), "/")
	return "pkg/cli/" + name
}

func forbidden(pkg, imp string) string {
	switch above, known := level(imp), level(pkg); {
	case pkg == "pkg/architecture" || pkg == "pkg/stage/stagetest/script":
		return ""
	case strings.HasPrefix(imp, "cmd/"):
		return "packages do not know commands"
	case above < known:
		return "imports run downwards"
	case strings.HasPrefix(imp, "pkg/cli/") && pkg != "pkg/cli" && commandOf(imp) != commandOf(pkg):
		return "commands do not import each other"
	case known == len(levels) && (imp == "flag" || imp == "log" || strings.HasSuffix(imp, "/pflag") || strings.HasSuffix(imp, "/term")):
		return "only programs and the runner know flags and terminals"
	case !strings.HasPrefix(pkg, "pkg/record/parquet") && strings.HasPrefix(pkg, "pkg/record") && strings.HasPrefix(imp, "pkg/") && !belowRecord[imp]:
		return "records stand below all else"
	}
	return ""
}

// TestWeight checks that tools do not link large packages that they do not use. The Parquet
// packages alone make a program ten megabytes larger. The mail tools start once for each
// message, so they also avoid package cpuid, whose initialization takes 0.45 ms on a virtual
// machine.
func TestWeight(t *testing.T) {
	light := map[string][]string{"fuzzysum": {"parquet", "cpuid"}, "fuzzyseen": {"parquet", "cpuid"}}
	for _, name := range []string{"blockhash", "lshkeys", "keypairs", "lshpairs", "simpairs"} {
		light[name] = []string{"parquet"}
	}
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		path, deps, _ := strings.Cut(line, " ")
		name := strings.TrimPrefix(path, "doppel/cmd/")
		// Only doppel and dupreview have a full-screen interface.
		if name != "doppel" && name != "dupreview" {
			light[name] = append(light[name], "bubbletea")
		}
		for _, heavy := range light[name] {
			if strings.Contains(deps, heavy) {
				t.Errorf("%s links %s", name, heavy)
			}
		}
		delete(light, name)
	}
	for name := range light {
		t.Errorf("go list does not list %s", name)
	}
}
