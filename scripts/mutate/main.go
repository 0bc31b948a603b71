// Mutate measures how well the tests of a package detect changes: it makes one change to the
// code at a time, runs the tests, and prints the changes for which no test failed. The work
// tree is not changed: go test -overlay replaces the changed file.
//
//	go run ./scripts/mutate -n 60 ./pkg/group ./pkg/lsh
//	go run ./scripts/mutate -n 60 -also ./pkg/stage/dupspan ./pkg/passage/...
//
// A change survives for one of three reasons: it does not change the behaviour, it only makes
// the program slower or use more memory, or a test is missing.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// notCompiled matches the output of go test for a change that does not compile, for example
// because a variable becomes unused.
var notCompiled = regexp.MustCompile(`\[(build|setup) failed\]`)

func main() {
	log.SetFlags(0)
	number := flag.Int("n", 60, "make `N` changes in each package")
	seed := flag.Uint64("seed", 1, "draw the changes with the random seed `S`")
	only := flag.String("files", "", "change only files whose name matches this `regexp`")
	also := flag.String("also", "", "further `packages` whose tests may notice a change")
	flag.Parse()
	out, err := exec.Command("go", append([]string{"list", "-f", "{{slice .ImportPath (len .Module.Path)}}\t{{.Dir}}\t{{join .GoFiles \" \"}}"}, flag.Args()...)...).Output()
	if err != nil {
		log.Fatalf("go list %s: %v", flag.Args(), err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		var all []change
		for _, name := range strings.Fields(f[2]) {
			if ok, err := regexp.MatchString(*only, name); err != nil {
				log.Fatal(err)
			} else if ok {
				all = append(all, changesOf(filepath.Join(f[1], name))...)
			}
		}
		rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		try(strings.TrimPrefix(f[0], "/"), all, *number, strings.Fields(*also))
	}
}

// try judges changes, in the given order, until the given number of them have compiled, and
// prints the changes that survive.
func try(pkg string, all []change, number int, also []string) {
	tests := append([]string{"./" + pkg}, also...)
	var limits []time.Duration // time limit for each package in tests
	for _, test := range tests {
		start := time.Now()
		if said, ok := pass(test, "", 10*time.Minute); !ok {
			log.Fatalf("%s fails unchanged:\n%s", test, said)
		}
		limits = append(limits, 3*time.Since(start)+20*time.Second)
	}
	tried, killed := 0, 0
	for _, c := range all {
		if tried == number {
			break
		}
		verdict := c.judge(tests, limits)
		if verdict == "" {
			continue
		}
		tried++
		if verdict == "killed" {
			killed++
		} else {
			fmt.Printf("%s: %s\n", verdict, c)
		}
	}
	fmt.Printf("%s: %d of %d changes killed, of %d possible ones\n", pkg, killed, tried, len(all))
}

// judge returns "killed" if a test fails because of the change, "survived" if none does, or "" if
// the change does not compile.
func (c change) judge(tests []string, limits []time.Duration) string {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay")
	list, _ := json.Marshal(map[string]map[string]string{"Replace": {c.file: file}})
	for name, text := range map[string][]byte{file: c.apply(), overlay: list} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			log.Fatal(err)
		}
	}
	for i, test := range tests {
		said, ok := pass(test, overlay, limits[i])
		if notCompiled.Match(said) {
			return ""
		}
		if !ok {
			return "killed"
		}
	}
	return "survived"
}

// pass runs the tests of a package and reports whether they pass. A change may make the tests run,
// allocate or write without end, so time, memory and file sizes are limited, and processes that
// the tests leave behind are killed.
func pass(test, overlay string, limit time.Duration) ([]byte, bool) {
	c := exec.Command("sh", "-c", `ulimit -v 12000000; ulimit -f 4000000; exec nice go test -short -count=1 -vet=off -failfast "$@"`,
		"sh", "-timeout", limit.String(), "-overlay", overlay, test)
	var said bytes.Buffer
	c.Stdout, c.Stderr, c.WaitDelay = &said, &said, time.Second
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		log.Fatal(err)
	}
	late := time.AfterFunc(limit+time.Minute, func() { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) })
	err := c.Wait()
	late.Stop()
	syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	return said.Bytes(), err == nil
}
