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

// A flag that names one file or field cannot be given with two names.
func TestParseTwice(t *testing.T) {
	for args, want := range map[string]string{
		"--save a --save b":         "--save b: already given as a; want one FILE",
		"--save a --save a":         "",
		"-i a -i b":                 "-i b: already given as a; want one DIR",
		"--index a -i b":            "--index b: already given as a; want one DIR",
		"--by a --by b":             "",
		"--keep a --keep b":         "",
		"--jobs 1 --jobs 2":         "",
		"--save a --jobs 1 --by b":  "",
		"--within a.b --within a.c": "--within a.c: already given as a.b; want one PATH",
	} {
		fs := pflag.NewFlagSet("", pflag.ContinueOnError)
		fs.String("save", "preset", "write to `FILE`")
		fs.StringP("index", "i", "", "use `DIR`")
		fs.String("within", "", "read `PATH`")
		fs.StringArray("by", nil, "read `PATH`")
		fs.String("keep", "", "keep `WHICH`")
		fs.Int("jobs", 0, "")
		err := Parse(fs, strings.Fields(args))
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
