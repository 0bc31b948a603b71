package lshpairs

import (
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh/keyfile"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// keyFiles are files of sorted keys: an index that is searched, not read, so
// that the time is that of the signatures, whatever the size of the files.
type keyFiles []*keyfile.File

// openKeys opens files of keys, or returns nil if none of them is one.
func openKeys(names []string) (files keyFiles, err error) {
	for _, name := range names {
		if name == "-" {
			continue
		}
		file, err := keyfile.Open(name)
		if err != nil {
			return nil, err
		}
		if file != nil {
			files = append(files, file)
		}
	}
	if len(files) > 0 && len(files) < len(names) {
		return nil, fmt.Errorf("--against: both keys and signatures: give files of one kind")
	}
	return files, nil
}

func (files keyFiles) close() {
	for _, f := range files {
		f.Close() // of what was only read
	}
}

// An answer is what a batch of signatures gave.
type answer struct {
	text   []byte
	common []line.Common
}

// lookUp writes the pairs of each signature by itself.
func (files keyFiles) lookUp(e *tool.Env, o *Options, names []string) error {
	var guard schemes.Guard
	common := map[string]line.Common{}
	newWorker := func() lines.Worker[answer] { return newSearcher(files, o, lines.Format(e)) }
	begun := false
	err := lines.Signatures(e, &guard, names, newWorker, func(a *answer) error {
		if !begun {
			begun = true
			if err := option.RefuseIdle(e, guard.Scheme); err != nil {
				return err
			}
			if err := (pairs.Form{Count: settled(o.Pairing, guard.Scheme).Count}).Header(e); err != nil {
				return err
			}
		}
		for _, k := range a.common {
			common[string(k.Key)] = k
		}
		_, err := e.Out.Write(a.text)
		return err
	})
	if err != nil {
		return err
	}
	var keys []line.Common
	for _, k := range common {
		keys = append(keys, k)
	}
	return pairs.ReportCommon(e, o.Pairing.List, bound(o.Pairing, guard.Scheme), keys)
}
