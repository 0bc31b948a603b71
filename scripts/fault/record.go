//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A noted case is a line of the record, by which a long run is made in pieces:
// what stands there is not tried again, and counts.
type noted struct {
	Name    string        `json:"name"`
	Verdict verdict       `json:"verdict"`
	Message string        `json:"message,omitempty"`
	Rows    []row         `json:"rows,omitempty"`
	Took    time.Duration `json:"ns"`
	Build   string        `json:"build"`
	Right   bool          `json:"right,omitempty"` // what lacks is a right
}

// note returns the line of a result, with what was measured.
func (r result) note() noted {
	n := noted{Name: r.name, Verdict: r.verdict(), Rows: r.rows, Took: r.took, Build: r.build}
	if r.err != nil {
		n.Message = r.err.Error()
	}
	if lack := (notTried{}); errors.As(r.err, &lack) {
		n.Right = lack.right
	}
	return n
}

func (n noted) result() result {
	r := result{name: n.Name, rows: n.Rows, took: n.Took, build: n.Build}
	switch n.Verdict {
	case failed:
		r.err = errors.New(n.Message)
	case notTold:
		r.err = notTried{why: strings.TrimPrefix(n.Message, untried), right: n.Right}
	}
	return r
}

// readRecord returns what came of the cases that a record has; of one that is
// not there, nothing. The last line about a case is the one that counts.
func readRecord(name string) (all []result, err error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	at := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var n noted
		if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
			continue // the run was killed as it wrote this line
		}
		if i, ok := at[n.Name]; ok {
			all[i] = n.result()
			continue
		}
		at[n.Name] = len(all)
		all = append(all, n.result())
	}
	return all, nil
}

// recorded reads the record, if there is one, and opens it for more. With again,
// what failed is forgotten, and tried once more.
func (o options) recorded() (before []result, more *os.File, err error) {
	if o.record == "" {
		return nil, nil, nil
	}
	if before, err = readRecord(o.record); err != nil {
		return nil, nil, err
	}
	if o.again {
		before = slices.DeleteFunc(before, func(r result) bool { return r.verdict() == failed })
	}
	more, err = os.OpenFile(o.record, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	return before, more, err
}

// keep adds a result to the record.
func keep(more *os.File, r result) error {
	if more == nil {
		return nil
	}
	line, err := json.Marshal(r.note())
	if err == nil {
		_, err = more.Write(append(line, '\n'))
	}
	return err
}

// without returns the trials that the record lacks.
func without(trials []trial, before []result) []trial {
	tried := map[string]bool{}
	for _, r := range before {
		tried[r.name] = true
	}
	return slices.DeleteFunc(trials, func(t trial) bool { return tried[t.name] })
}

// shard returns every nth of the trials, for "i/n", from the ith on.
func shard(trials []trial, part string) (mine []trial, err error) {
	if part == "" {
		return trials, nil
	}
	first, of, _ := strings.Cut(part, "/")
	i, err := strconv.Atoi(first)
	n, nerr := strconv.Atoi(of)
	if err != nil || nerr != nil || i < 1 || i > n {
		return nil, fmt.Errorf("no part %q: 1/4 is the first of four", part)
	}
	for at := i - 1; at < len(trials); at += n {
		mine = append(mine, trials[at])
	}
	return mine, nil
}
