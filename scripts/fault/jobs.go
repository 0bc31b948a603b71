//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// A job is a typical run of a tool. The output files of an undisturbed run are its expected
// result. If the job has an oracle, the oracle checks this result.
type job struct {
	name   string
	args   string   // command line, with words separated by spaces
	inputs []string // inputs copied into the directory i, besides those named in args
	files  []string // files written to the directory o, besides those named in args
	stdin  string   // input that the tool reads from standard input, through a pipe
	some   bool     // the tool reports unreadable files, leaves them out, and exits with status 2
	oracle func(s *sandbox) error

	// The fields below are only for jobs that change files in place.
	contents func(s *sandbox) map[string]bool                                        // returns the contents that a disturbed run must not lose
	rule     func(j job, s *sandbox, ref *reference, o outcome, outright bool) error // checks the outputs; if nil, job.check checks them
}

// jobs lists the commands of doppel, the single tools, and the commands that change files
// in place.
var jobs = []job{
	{name: "fuzzy", args: "doppel fuzzy --stats none --removed o/removed -o o/out i/many.jsonl", oracle: fuzzyOracle},
	{name: "fuzzy-stdin", args: "doppel fuzzy --stats none --mem 1M -o o/out", stdin: "many.jsonl", oracle: fuzzyOracle},
	{name: "fuzzy-parquet", args: "doppel fuzzy --stats none -o o/out i/many.parquet"},
	{name: "exact", args: "doppel exact --stats none --field text -o o/out i/many.jsonl", oracle: exactOracle},
	{name: "files", args: "doppel files -o o/out -r i/tree", some: true, oracle: filesOracle},
	{name: "shared", args: "doppel shared -o o/out i/tree"},
	{name: "pipeline", args: "doppel pipeline --stats none -c i/steps.yaml -o o/out i/many.jsonl", oracle: fuzzyOracle},
	{name: "keepdrop", args: "keepdrop --decisions i/manydecisions --removed o/removed --stats o/stats -o o/out i/many.jsonl", oracle: fuzzyOracle},
	{name: "recuniq", args: "recuniq --field text --against i/seen --save o/new -o o/out i/many.jsonl", oracle: exactOracle},
	{name: "recuniq-spill", args: "recuniq --field text --mem 64K --save o/new -o o/out i/many.jsonl", oracle: exactOracle},
	{name: "fuzzy-report", args: "doppel fuzzy --stats none --report o/report --scores o/scores -o o/out i/many.jsonl", oracle: fuzzyOracle},
	{name: "cut", args: "doppel cut --stats none --scores i/manyscored --removed o/removed -o o/out i/many.jsonl", oracle: fuzzyOracle},
	{name: "passages", args: "doppel passages --stats none --mem 1M --removed o/removed -o o/out i/many.jsonl"},
	{name: "overlap", args: "doppel overlap --stats none --test i/few.jsonl --decisions o/decisions --spoiled o/spoiled -o o/out i/many.jsonl"},
	{name: "overlap-page", args: "doppel overlap --stats none --test i/few.jsonl --common o/common --report o/report -o o/out i/many.jsonl"},
	{name: "overlap-save", args: "doppel overlap --stats none --test i/few.jsonl --save o/out i/many.jsonl"},
	{name: "overlap-merge", args: "doppel overlap --stats none --test i/few.jsonl --merge --cut --decisions o/decisions --spoiled o/spoiled -o o/out i/manyfound"},
	{name: "groups", args: "doppel groups -o o/out i/many.jsonl"},
	{name: "filter", args: "doppel filter --stats none -c i/filters.yaml -o o/out i/many.jsonl"},
	{name: "dirs", args: "doppel dirs -t 0.05 -o o/out i/tree", some: true},

	{name: "fuzzy-all", args: "doppel fuzzy --stats none --removed o/removed.zst --save o/sigs.gz --decisions o/decisions --groups o/groups -o o/out.zst i/many.jsonl"},
	{name: "fuzzy-to-parquet", args: "doppel fuzzy --stats none --removed o/removed -o o/out.parquet i/many.parquet"},
	{name: "exact-told", args: "doppel exact --stats none --field text --removed o/removed --report o/page.html -o o/out i/many.jsonl"},
	{name: "lshkeys-parts", args: "lshkeys --parts 3 --into o/keys.zst i/manysigs", files: []string{"keys.zst", "keys.zst.parts"}},
	{name: "recsieve", args: "recsieve --decisions o/decisions --stats o/stats -o o/out i/many.jsonl"},
	{name: "recsign", args: "recsign -o o/out i/many.jsonl"},
	{name: "recsign-files", args: "recsign -m sample --files -o o/out i/names", inputs: []string{"tree"}},
	{name: "lshkeys", args: "lshkeys -o o/out i/manysigs"},
	{name: "lshpairs", args: "lshpairs --mem 1M -o o/out i/manysigs"},
	{name: "keypairs", args: "keypairs --mem 1M -o o/out i/keys"},
	{name: "simpairs", args: "simpairs --within 3 -o o/out i/simhashes"},
	{name: "jaccard", args: "jaccard --mem 1M --records i/many.jsonl -o o/out i/manypairs"},
	{name: "dupgroup", args: "dupgroup --mem 1M --cut 0.8 -o o/out i/manyscored"},
	{name: "jaccgroup", args: "jaccgroup -t 0.8 --mem 1M --records i/many.jsonl -o o/out i/manypairs"},
	{name: "dupspan", args: "dupspan --scan --mem 1M --records i/many.jsonl -o o/out"},
	{name: "dupreport", args: "dupreport --records i/many.jsonl --decisions i/manydecisions --scores i/manyscored -o o/out"},
	{name: "mail", args: "doppel mail -o o/out i/box"},
	{name: "matchsub", args: "matchsub --records i/few.jsonl -o o/out i/pairs"},
	{name: "recfilter", args: "recfilter --apply --preset default --stats o/stats -o o/out i/many.jsonl"},
	{name: "reccat-gz", args: "reccat --to gz -o o/out i/many.jsonl"},
	{name: "reccat-zst", args: "reccat --to zst -o o/out i/many.jsonl"},
	{name: "reccat-parquet", args: "reccat --to parquet -o o/out i/many.jsonl"},
	{name: "blockhash", args: "blockhash -o o/out -r i/tree", some: true},
	{name: "fuzzysum", args: "fuzzysum -o o/out --mbox i/mbox"},
	{name: "measure", args: "doppel measure --sample 200 -o o/out i/many.jsonl"},
	{name: "fuzzy-index", args: "doppel fuzzy --stats none --index i/collection -o o/out i/many.jsonl", contents: collected("collection"), rule: job.addedWhole},
	{name: "fuzzy-estimate", args: "doppel fuzzy --stats none --index i/signed -o o/out i/many.jsonl", contents: collected("signed"), rule: job.addedWhole},
	{name: "index-merge", args: "doppel index --merge i/collection", contents: collected("collection"), rule: job.addedWhole},
	{name: "merge-signed", args: "doppel index --merge i/signed", contents: collected("signed"), rule: job.addedWhole},
	{name: "files-remove", args: "doppel files --remove --yes -r i/tree", contents: fileContents, rule: job.nothingLost},
	{name: "files-link", args: "doppel files --link --yes -r i/tree", contents: namedContents, rule: job.nothingLost},
	{name: "mbox-into", args: "doppel mail --into i/copies --yes i/box", contents: completeMessages, rule: job.nothingLost},
	{name: "mbox-remove", args: "doppel mail --remove --yes i/box", contents: completeMessages, rule: job.nothingLost},
	{name: "maildir-into", args: "doppel mail --into i/copies --yes i/maildir", contents: completeMessages, rule: job.nothingLost},
	{name: "maildir-remove", args: "doppel mail --remove --yes i/maildir", contents: completeMessages, rule: job.nothingLost},
}

// init completes the fields inputs and files of each job: it adds the files that occur in args.
func init() {
	for i := range jobs {
		j := &jobs[i]
		for word := range strings.FieldsSeq(strings.ReplaceAll(j.args, "--into i/copies", "")) {
			if name, ok := strings.CutPrefix(word, "i/"); ok && !slices.Contains(j.inputs, name) {
				j.inputs = append(j.inputs, name)
			} else if name, ok := strings.CutPrefix(word, "o/"); ok && !slices.Contains(j.files, name) {
				j.files = append(j.files, name)
			}
		}
	}
}

// A reference is the result of an undisturbed run of a job.
type reference struct {
	files map[string]string
	left  map[string]bool // result of job.contents after the run; nil if the job has no such function
}

// reference returns the result of an undisturbed run, which is made once, in a separate sandbox.
func (j job) reference(s *sandbox) *reference {
	ref, _ := s.references.LoadOrStore(j.name, sync.OnceValue(func() *reference {
		s := s.newSandbox("reference/" + j.name)
		defer s.close(false)
		j.prepare(s)
		s.must(s.run(j.command(s)).succeeded())
		ref := &reference{files: map[string]string{}}
		if j.contents != nil {
			ref.left = j.contents(s)
		}
		for _, f := range j.files {
			ref.files[f] = s.read("o/" + f)
		}
		if j.oracle != nil {
			s.must(j.oracle(s))
		}
		s.must(s.broken)
		return ref
	}))
	return ref.(func() *reference)()
}

// old is the content of every output before a run.
const old = "OLD\n"

// prepare empties the directory i, copies the inputs into it, and gives each output the content
// "OLD\n".
func (j job) prepare(s *sandbox) {
	entries, err := os.ReadDir(s.path("i"))
	s.must(err)
	for _, e := range entries { // the directory itself may be a mount point
		s.must(os.RemoveAll(s.path("i/" + e.Name())))
	}
	s.copyInputs(j.inputs...)
	for _, f := range j.files {
		s.write("o/"+f, []byte(old))
	}
}

// setUp prepares a disturbed run, and returns the reference to compare its result with.
func (j job) setUp(s *sandbox) *reference {
	ref := j.reference(s)
	j.prepare(s)
	return ref
}

// command returns the command of a job, with additional options.
func (j job) command(s *sandbox, more ...string) command {
	c := command{args: withOptions(j.args, more...)}
	if j.stdin != "" {
		c.stdin = s.input(j.stdin)
	}
	return c
}

// withOptions inserts options after the tool's name, or after the subcommand of doppel.
func withOptions(args string, more ...string) []string {
	words := strings.Fields(args)
	if words[0] == "doppel" {
		return slices.Insert(words, 2, more...)
	}
	return slices.Insert(words, 1, more...)
}

// checkStopped checks the files of a run stopped by a signal. SIGKILL may leave temporary
// files, which do not disturb the next run.
func (j job) checkStopped(s *sandbox, ref *reference, o outcome, sig syscall.Signal) error {
	err := j.check(s, ref, o, sig == syscall.SIGKILL)
	if err != nil || sig != syscall.SIGKILL || j.rule != nil {
		return err
	}
	if err := s.run(j.command(s)).succeeded(); err != nil {
		return fmt.Errorf("the next run: %w", err)
	}
	return j.checkNew(s, ref)
}

// check returns an error if an output is neither old nor complete, if some outputs are old and
// others complete, or if unexpected files are left. If SIGKILL ended the process (outright),
// temporary files and a mixture of old and complete outputs are allowed.
func (j job) check(s *sandbox, ref *reference, o outcome, outright bool) error {
	if j.rule != nil {
		return j.rule(j, s, ref, o, outright)
	}
	if o.status == 0 {
		return errors.Join(j.checkNew(s, ref), s.leftovers("o", j.files, outright))
	}
	fresh := 0
	for _, f := range j.files {
		now := s.read("o/" + f)
		// incomplete reports whether the run left some inputs out and reported them.
		incomplete := j.some && o.status == 2 && o.stderr != "" && len(now) <= len(ref.files[f])
		switch {
		case now == ref.files[f]:
			fresh++
		case now != old && !incomplete:
			return fmt.Errorf("status %d: %s is neither old nor complete: %s", o.status, f, excerpt(now))
		}
	}
	if fresh > 0 && fresh < len(j.files) && !outright {
		return fmt.Errorf("status %d: %d of the outputs %v are new, but the others are old", o.status, fresh, j.files)
	}
	return s.leftovers("o", j.files, outright)
}

// checkNew returns an error unless all output files equal those of the reference.
func (j job) checkNew(s *sandbox, ref *reference) error {
	for _, f := range j.files {
		if now := s.read("o/" + f); now != ref.files[f] {
			return fmt.Errorf("status 0, but %s differs from the output of an undisturbed run: %s", f, excerpt(now))
		}
	}
	return nil
}
