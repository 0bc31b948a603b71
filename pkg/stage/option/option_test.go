package option_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"doppel/pkg/lsh"
	"doppel/pkg/stage/option"
	"doppel/pkg/text"
	"doppel/pkg/tool/flags"
)

// set registers flags, parses args, and returns the flags.
func set(t *testing.T, register func(*pflag.FlagSet), args string) *pflag.FlagSet {
	t.Helper()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	register(fs)
	if err := fs.Parse(strings.Fields(args)); err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return fs
}

// An invalid number is rejected with an error that names the flag.
func TestKeysCheck(t *testing.T) {
	for args, want := range map[string]string{
		"":                         "",
		"-t 1 --recall .5":         "",
		"--bands 4 --rows 3":       "",
		"-t 0":                     "--threshold 0: want more than 0 and at most 1",
		"--threshold 1.1":          "--threshold 1.1: want",
		"--threshold NaN":          "--threshold NaN: want",
		"--recall 0":               "--recall 0: want between 0 and 1",
		"--recall 1":               "--recall 1: want between 0 and 1",
		"--bands=-1":               "--bands -1: want 1 or more",
		"--bands=2 --rows=-3":      "--rows -3: want 1 or more",
		"--within 2 --threshold 0": "--threshold 0",
	} {
		k := option.DefaultKeys()
		set(t, k.Flags, args)
		if err := k.Check(); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

// Flags that choose the bands have no effect if the bands are given, and --common has no effect
// without --df.
func TestIdle(t *testing.T) {
	for args, want := range map[string]string{
		"-t .5 --recall .9":           "",
		"--rows 3 -t .5":              "--threshold does nothing with --bands or --rows",
		"--bands 4 --recall .9":       "--recall does nothing with --bands or --rows",
		"--common x":                  "--common does nothing without --df",
		"--df 9 --common x --bands 4": "",
	} {
		keys, pairing := option.DefaultKeys(), option.DefaultPairing()
		fs := set(t, func(fs *pflag.FlagSet) { keys.Flags(fs); pairing.Flags(fs) }, args)
		var i flags.Idle
		keys.Idle(&i)
		pairing.Idle(&i)
		if err := i.Refuse(fs); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

// The curve of 16 bands of 6 rows has the value 1 - (1 - .8^6)^16 = .992281 at 0.8. A banding that
// needs more slots than the sketch has is rejected.
func TestExplain(t *testing.T) {
	k := option.DefaultKeys()
	k.Bands = lsh.Bands{B: 16, R: 6}
	var out bytes.Buffer
	if err := k.Explain(&out, 128); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# 16 bands of 6 rows of 128 slots\n", "\n0.05\t0.000000\n", "\n0.80\t0.992281\n", "\n1.00\t1.000000\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %s", want, out.String())
		}
	}
	if err := k.Explain(&out, 90); err == nil {
		t.Error("96 slots are cut of 90")
	}
}

// Each flag sets the field that it is named after.
func TestFlags(t *testing.T) {
	keys, pairing, shingles := option.DefaultKeys(), option.DefaultPairing(), option.DefaultText()
	set(t, keys.Flags, "-t .5 --recall .9 --bands 4 --rows 3 --within 2")
	if want := (option.Keys{Options: lsh.Options{Threshold: .5, Recall: .9, Bands: lsh.Bands{B: 4, R: 3}, Within: 2}}); keys != want {
		t.Errorf("%+v, want %+v", keys, want)
	}
	set(t, pairing.Flags, "--hot 7 --all-pairs --df 8 --common x --count")
	if want := (option.Pairing{Pairing: lsh.Pairing{Hot: 7, All: true, Common: 8}, Count: true, List: "x"}); !cmp.Equal(pairing, want) {
		t.Errorf("%+v, want %+v", pairing, want)
	}
	set(t, shingles.Flags, "--shingle c5 --normalize none --key k")
	if want := (option.Text{Options: text.Options{Shingle: text.Shingling{Unit: text.Chars, N: 5}, Normalize: text.None}, Key: "k"}); shingles != want {
		t.Errorf("%+v, want %+v", shingles, want)
	}
}
