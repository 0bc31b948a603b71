package flagset

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestParseError(t *testing.T) {
	for arg, want := range map[string]string{
		"--threshold=80%":            `--threshold "80%": want a number`,
		"-t":                         `flag needs an argument: 't' in -t`,
		"-tx":                        `--threshold "x": want a number`,
		"--threshold=":               `--threshold "": want a number`,
		"--threshold=1e999":          `--threshold "1e999": out of range`,
		"--jobs=two":                 `--jobs "two": want a whole number`,
		"--jobs=1.5":                 `--jobs "1.5": want a whole number`,
		"--jobs=9999999999999999999": `--jobs "9999999999999999999": out of range`,
		"--seed=-1":                  `--seed "-1": want a whole number, 0 or more`,
		"--json=maybe":               `--json "maybe": want true or false`,
		"--mem=12x":                  `--mem: invalid size "12x": want a number such as 512M`,
		"--nonsense":                 `unknown flag: --nonsense`,
	} {
		fs := pflag.NewFlagSet("", pflag.ContinueOnError)
		fs.Float64P("threshold", "t", 0, "")
		fs.Uint64("seed", 0, "")
		fs.Int("jobs", 0, "")
		fs.Bool("json", false, "")
		fs.Var(new(Size), "mem", "")
		err := ParseError(fs.Parse([]string{arg}))
		if err.Error() != want {
			t.Errorf("%s: %v, want %s", arg, err, want)
		}
		if strings.Contains(err.Error(), "strconv") {
			t.Errorf("%s: %#v", arg, err)
		}
	}
}
