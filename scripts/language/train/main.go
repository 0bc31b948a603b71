// Train builds the tables of pkg/language from samples on standard input, in the format of
// corpus.py: lines with the columns language ("code" for programs), source and text. In the text,
// line ends, tabs and backslashes are escaped as \n, \t and \\.
//
//	python3 scripts/language/corpus.py DIR > corpus.tsv
//	go run ./scripts/language/train pkg/language/tables < corpus.tsv
//
// With -held, one sample in five is not used, but held out for the command measure.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"doppel/pkg/language"
	"doppel/scripts/language/sample"
)

func main() {
	held := flag.Bool("held", false, "leave out every fifth sample")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: train [-held] DIRECTORY < corpus.tsv")
		os.Exit(2)
	}
	if err := train(flag.Arg(0), *held); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(2)
	}
}

func train(dir string, held bool) error {
	var natural language.Trainer
	var code language.CodeTrainer
	err := sample.Each(os.Stdin, func(s sample.Sample) {
		if held && s.Held {
			return
		}
		if s.Language != language.CodeName {
			natural.Add(s.Language, s.Source, s.Text)
		}
		if s.ForCode {
			code.Add(s.Text, s.Language == language.CodeName)
		}
		if s.ForCode && s.Language != language.CodeName && len(s.Text)%4 == 0 {
			code.Add(bytes.ToUpper(s.Text), false) // text in capitals is not code
		}
	})
	if err != nil {
		return err
	}
	tables := natural.Tables()
	tables["code"] = code.Table(30)
	for name, table := range tables {
		if err := os.WriteFile(filepath.Join(dir, name), table, 0o666); err != nil {
			return err
		}
	}
	return nil
}
