package main

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// far is the distance of texts that a program refuses to compare, most often
// because they are too short.
const far = 1000

// peerMethods are the other programs, each at distances from its strict to its
// loose use. The signature of a text is a file in dir, but for nilsimsa.
func peerMethods(dir string) []method {
	files := 0
	write := signing(func(text string) (string, error) {
		files++
		name := filepath.Join(dir, strconv.Itoa(files))
		return name, os.WriteFile(name, []byte(text), 0o600)
	})
	return []method{
		{"ssdeep, 100 - score", []int{0, 10, 50, 99}, write.then(ssdeepSign), ssdeep},
		{"tlsh", []int{0, 10, 30, 70}, write, tlsh},
		{"simhash, 100 - percent", []int{0, 10, 30, 50}, write.then(simhashSign), simhash},
		{"nilsimsa, 128 - score", []int{0, 8, 24, 48}, write.then(nilsimsaSign), nilsimsa},
	}
}

type signing func(text string) (string, error)

// then does something with the file of a text, too.
func (write signing) then(do func(name string) (string, error)) signing {
	return func(text string) (string, error) {
		name, err := write(text)
		if err != nil {
			return "", err
		}
		return do(name)
	}
}

func ssdeepSign(name string) (string, error) {
	hash, err := exec.Command("ssdeep", "-s", name).Output()
	if err != nil {
		return "", err
	}
	return name, os.WriteFile(name+".ssdeep", hash, 0o600)
}

// ssdeep reads the score, as in "a matches b.ssdeep:b (97)".
func ssdeep(a, b string) (int, error) {
	out, err := exec.Command("ssdeep", "-s", "-a", "-m", a+".ssdeep", b).Output()
	if err != nil {
		return far, err
	}
	_, score, _ := bytes.Cut(out, []byte(" ("))
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(string(score)), ")"))
	return 100 - n, err
}

// tlsh fails on texts of fewer than 50 bytes, or of too few different ones.
func tlsh(a, b string) (int, error) {
	out, err := exec.Command("tlsh", "-c", a, "-f", b).Output()
	if _, refused := err.(*exec.ExitError); refused || err == nil && len(out) == 0 {
		return far, nil
	}
	if err != nil {
		return far, err
	}
	return strconv.Atoi(string(bytes.Fields(out)[0]))
}

func simhashSign(name string) (string, error) {
	err := exec.Command("simhash", "-w", name).Run()
	if _, refused := err.(*exec.ExitError); refused {
		err = nil // too small: there is no file then
	}
	return name, err
}

// simhash reads the similarity, as in ".86".
func simhash(a, b string) (int, error) {
	if _, err := os.Stat(a + ".sim"); err != nil {
		return far, nil
	}
	if _, err := os.Stat(b + ".sim"); err != nil {
		return far, nil
	}
	out, err := exec.Command("simhash", "-c", a+".sim", b+".sim").Output()
	if err != nil {
		return far, err
	}
	s, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return int(100.5 - 100*s), err
}

const nilsimsaProgram = "import nilsimsa, sys; print(nilsimsa.Nilsimsa(open(sys.argv[1], 'rb').read()).hexdigest())"

func nilsimsaSign(name string) (string, error) {
	python := cmp.Or(os.Getenv("PYTHON"), "python3")
	out, err := exec.Command(python, "-c", nilsimsaProgram, name).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", python, err)
	}
	digest, err := hex.DecodeString(strings.TrimSpace(string(out)))
	return string(digest), err
}

func nilsimsa(a, b string) (d int, err error) {
	for i := range a {
		d += bits.OnesCount8(a[i] ^ b[i])
	}
	return d, nil
}
