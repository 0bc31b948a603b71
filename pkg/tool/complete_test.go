package tool

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"doppel/pkg/tool/flags"
)

// completed holds the options of the tool that the completion tests use.
type completed struct {
	flags.Common
	method, config string
	rules          []string
	loud           bool
}

func (o *completed) Flags(fs *pflag.FlagSet) {
	fs.StringVarP(&o.method, "method", "m", "", "sign by `METHOD`: minhash (usual), sample or exact; see there")
	fs.StringSliceVar(&o.rules, "rules", nil, "obey `RULES`: long, short or none")
	fs.StringVar(&o.config, "config", "", "do what `FILE` says: it is so")
	fs.BoolVarP(&o.loud, "loud", "l", false, "say more")
	o.Common.Flags(fs, flags.Records)
}

func (o *completed) Run(*Env, []string) error { return nil }

func TestComplete(t *testing.T) {
	for typed, want := range map[string]string{
		"--meth":         "--method\tsign by METHOD: minhash (usual), sample or exact; see there\n",
		"--method ":      "minhash\nsample\nexact\n",
		"--method mi":    "minhash\n",
		"-m s":           "sample\n",
		"-lm s":          "sample\n",
		"--method=s":     "--method=sample\n",
		"--method = s":   "--method=sample\n",
		"--method =":     "--method=minhash\n--method=sample\n--method=exact\n",
		"--rules long,s": "long,short\n",
		"--rules=long,s": "--rules=long,short\n",
		"--config ":      ":files .yaml .yml .toml\n",
		"--loud --me":    "--method\tsign by METHOD: minhash (usual), sample or exact; see there\n",
		"--id ":          "",
		"--call":         "",
		"--nonsense=x":   "",
		"file -m":        "",
		"--":             "",
		"-- ":            dataFiles(),
		"-- -x":          dataFiles(),
		"-- --method ":   dataFiles(),
		"-- --method=s":  dataFiles(),
	} {
		c := &Command{Name: "tool", Usage: "[FILE...]", Options: &completed{}}
		args := append([]string{completeArg}, strings.Split(typed, " ")...)
		_, out, errs := runCommand(c, "", args...)
		if typed == "--" {
			if strings.Count(out, "\n") < 8 || strings.Contains(out, "--call") {
				t.Errorf("flags: %s", out)
			}
			continue
		}
		if d := cmp.Diff(want, out); d != "" || errs != "" {
			t.Errorf("%s: %s%s", typed, d, errs)
		}
	}
}

// The usage of a command decides whether its operands are completed to file names, directories or
// listed words.
func TestCompleteOperands(t *testing.T) {
	for usage, want := range map[string]string{"[FILE...]": ":files .csv ", "[PAIRS...]": ":files\n", "[DIR...]": ":dirs\n", "[FILE|DIR...]": ":files\n", "bash|zsh": "bash\nzsh\n", "": ""} {
		_, out, _ := runCommand(&Command{Name: "tool", Usage: usage, Options: &completed{}}, "", completeArg, "")
		if !strings.HasPrefix(out, want) || want == "" && out != "" {
			t.Errorf("%s: %q", usage, out)
		}
	}
}
