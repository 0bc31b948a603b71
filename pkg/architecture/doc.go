/*
Package architecture explains how the tools fit together, for people who change the code.
The code of this package refers to every name that this page links to. If such a name is changed
elsewhere, this package no longer compiles, which shows that the page must be corrected. A test
checks that the page lists every tool.

# What flows

	records ──recsign──> signatures ──lshkeys──> keys ──sort──> keypairs ──> pairs
	   │                     │                                                 ▲ │
	   │                     └───── lshpairs (the three in one) ───────────────┘ │
	   │                                                                      jaccard
	   │                                                                         ▼
	   └──────── keepdrop <──────── decisions <──────── dupgroup <──────── scored pairs

	jaccgroup combines jaccard and dupgroup, and makes only the comparisons that the
	decisions need. recsieve does the work of all stages while it reads the records: it
	compares each record with the records kept so far.

	tool       reads                       using                 writes
	recsign    [record.Reader]             a [method.Method]     [line.Signature]
	lshkeys    [line.Signature]            [method.Keyer]        [line.Key]
	keypairs   [line.Key]                  [lsh.Pairing]         [line.Pair]
	lshpairs   [line.Signature]            [lsh.Index]           [line.Pair]
	simpairs   [line.Signature]            [simhash.Search]      [line.Distance]
	jaccard    [line.Pair], records        [jaccard.Store]       [line.Score]
	dupgroup   [line.Score]                [group.Greedy]        [line.Decision]
	jaccgroup  [line.Pair], records        [group.Leaders]       [line.Decision]
	dupspan    [line.Key], records         [corpus.Finder]       [line.Decision]
	keepdrop   [line.Decision], records    [write.Sink]          records
	dupreport  [line.Decision], scores,    [worddiff.Runs]       [report.Page]
	           records
	recuniq    [record.Reader]             [hashset.Decider]     records
	recsieve   [record.Reader]             [sieve.Sieve]         records
	recfilter  [record.Reader]             [quality.Rules],      [line.Decision]
	                                       [language.Detector]
	reccat     [record.Reader]             [write.Sink]          records
	matchsub   [line.Pair], texts          [substr.Blocks]       [line.Match]
	dupreview  [line.Score], records       a person              [line.Decision]
	blockhash  [filename.Source]            [filesum.Signer],     [line.FileHash]
	                                       [blockhash.Rule]
	fuzzysum   a message                   [fuzzysum.Options]    [line.Sum]
	fuzzyseen  [line.Sum]                  [seen.Cache]          an exit status, or lines

The command doppel makes a [plan.Plan] of steps. A step is a pipeline of stages, and a
stage is a tool with its options. A plan can be printed as shell text, with the options
converted to flags, or run in the process of doppel. In a run, each stage has a [tool.Env]
with its own streams and outputs. The stages of a step run in parallel, connected by
pipes. If one stage is a [tool.Producer] and the next is a [tool.Taker], signatures or
pairs are passed as values in batches, and no lines are written or parsed. Later steps
read the scratch files of earlier steps. doppel pipeline makes a plan from a
[config.File]. Where a single pass is faster, doppel fuzzy runs only recsieve, which
writes the same bytes as the chain.

# What always holds

  - The output depends only on the input and the options. Parallel work is done by
    [par.Ordered], which keeps the order of the stream. No tool starts goroutines of its
    own, except dupreview, which reads pairs while it shows them.
  - Every record read is written, dropped by a decision that names it, or reported. The
    rules for bad records are in one place, [tool.Batches].
  - A list is plain TSV or JSON lines, which other programs read. [lineio.Open]
    rejects a last line without a line end, and checks the seals of lists that
    earlier versions wrote.
  - Every line can be understood without the other lines. A signature names its scheme, and
    [schemes.Guard] returns an error if two schemes are mixed.
  - The options of a tool are a struct, [tool.Options]. The flags set its fields, and
    [flagset.Args] converts the fields back to arguments. An option of doppel is a field of
    the options of a stage, so it reaches that stage.
  - Memory is bounded: [spill.Sorter], [spill.Spool], [spill.Partitions] and [spill.Piles]
    store entries and bytes on disk, and [jaccard.Store] stores sets there. [spill.Create]
    makes their scratch files, which have no name.
  - Decisions come first, and are applied last. Only [write.Sink] writes records, and it
    copies them byte for byte. [output.Set] renames all outputs to their final names together,
    after the run has succeeded.
  - The inner loops of the packages text and record/jsonstr are in assembly, for amd64
    processors with AVX2 and BMI. Each has an equivalent in Go, which runs on all other
    processors and which the tests compare with the assembly. The assembly can be removed
    when simd/archsimd is no longer experimental.

# Where things live, from the top

	cmd/<tool>             the main package of a tool, about ten lines
	cmd/*_test.go          the tests that every tool must pass
	pkg/cli                the command doppel: the list of its commands, help and completions
	pkg/cli/<command>      a command of doppel: its options, and its run
	pkg/dedup              what the commands that remove duplicates from datasets share
	pkg/dedup/model        random datasets and cases, for tests against a model of a page
	pkg/plan               plans, which run in this process or are printed
	pkg/plan/parts         prints a plan for many machines, as a makefile or for GNU parallel
	pkg/plan/forecast      estimates the cost of such a plan from a sample
	pkg/toolbox            the list of all tools, for the binary that contains them all
	pkg/stage/<tool>       a tool: its options, its flags, and its main loop
	pkg/stage/option       options that several tools have, such as [option.Keys]
	pkg/stage/lineio       reads the lines of the previous stage, such as [lineio.Signatures]
	pkg/stage/pairs        writes pairs, and reports the pairs left out: [pairs.Write]
	pkg/stage/pairsets     reads pairs, and the shingle sets of their records
	pkg/stage/equalfiles   the options for finding equal files, of doppel files and doppel dirs
	pkg/stage/groups       the last stage of doppel groups, which lists the groups
	pkg/output             writes the outputs of a run, which all appear whole or not at all
	pkg/manifest           describes a run: its command, and its files with their checksums
	pkg/audit              checks a finished run, with plain code that the tools do not use
	pkg/review             a person's decisions about pairs; review/view shows the pairs
	pkg/review/textstore   returns the text of a record by its id
	pkg/report             writes HTML reports
	pkg/tool               runs a tool: shared flags, messages, exit status, progress
	pkg/tool/version       identifies the build of a program
	pkg/tool/describe      writes the manifest of a run, and takes options from one
	pkg/flagset            converts options to arguments, and arguments to options
	pkg/msg                formats messages
	pkg/method             the table of signing methods
	pkg/line               a type for each kind of line
	pkg/line/seal          reads the lists that earlier versions sealed
	pkg/line/kind          names the kind of a file of lines, for messages
	pkg/line/rule          lists the rules that decisions state as their reason
	pkg/record             reads datasets; Parquet is separate, because it adds 10 MB
	pkg/record/write       writes datasets
	pkg/record/zst         compresses with zstd
	pkg/files              opens files and reads lists of names
	pkg/files/durable      syncs and replaces files, so that they survive a power cut
	pkg/filegroup          finds equal files; filegroup/reclaim removes or links the copies
	pkg/mail               decodes messages; mail/mailbox reads and changes mailboxes,
	                       mail/same decides which messages are copies, mail/mailsum makes sums
	pkg/spill              stores values in scratch files
	pkg/collection         stores the kept records of a dataset that grows, in a directory
	pkg/digest             hashes bytes, with or without a key
	pkg/par                runs work in parallel, and keeps the order of the results
	pkg/text, …            one algorithm per package, from bytes to numbers

Imports run downwards. No package below pkg/flagset uses flags or asks whether a stream is
a terminal. Tests check both rules with go list. Programs must start fast, because the mail
tools run once per message. Package tool, which all of them import, therefore imports neither
Parquet nor package cpuid.

# Where to start

Read pkg/stage/lshkeys, which is the simplest tool. Then read [tool.Run], [tool.Batches] and
[record.Batch], which all tools use.

# As a library

These packages may be imported by other programs: record, text, minhash, lsh, jaccard,
simhash, substr, fingerprint, fuzzysum, blockhash and seen. Each has an example, uses no
flags, and writes only to destinations that it was given. Their results are stable, because
stored files contain them: to change a result, add a new scheme name, known answers in
testdata/vectors, and an entry in scripts/release/CHANGELOG.md. The Go names may change
until the first release. All other packages may change at any time.

# How to add a tool

Add the package pkg/stage/X. It needs an example, and a script in its testdata. Also add
cmd/X/main.go, a line in pkg/toolbox, and man/X.1. List the tool in the table above and in doppel(7). The tests in
cmd then compare the manual page with the flags, and run the example with full disks, closed
pipes and -o, and the command lines in options_test.go with one to sixteen threads.

A flag is put into a group by flagset.Assign, and a number that must be at least 1 is declared with
flagset.AtLeast. A tool with more than twelve flags lists those that -h shows in the method
Essential. The help text of a flag begins with one short sentence that says what to give; -h cuts the
text at the first semicolon. The page has a subsection for each group.

# How to add a command of doppel

Add the package pkg/cli/X, which exports its Options and Default, with a script in its testdata; a line
in the list of package cli; and man/doppel-X.1. Name the command in doppel(1), in the list and under
SEE ALSO, in the table of README.md and in the CHANGELOG. Nothing but package cli imports the package
of a command. Code that two commands share belongs to pkg/dedup or to a package named after its work.
Help and completions come from the list. The tests in cmd need the command's arguments, in
options_test.go, and the modes in which its flags do nothing, in idle_test.go. What is said of the
flags of a tool holds for a command, too. The values of --rank are in [dupgroup.Rules].

# What is missing on purpose

There are no configuration files except the pipeline files of doppel, no environment variables
except TMPDIR and GOGC, no colours in output that may go to a pipe, and no server. Only
a collection has a format of its own; for files of lines, sort(1) and join(1) serve the same
purpose.
*/
package architecture

import (
	"doppel/pkg/blockhash"
	"doppel/pkg/cli/pipeline/config"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
	"doppel/pkg/flagset"
	"doppel/pkg/fuzzysum"
	"doppel/pkg/group"
	"doppel/pkg/hashset"
	"doppel/pkg/jaccard"
	"doppel/pkg/language"
	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method"
	"doppel/pkg/output"
	"doppel/pkg/par"
	"doppel/pkg/passage/corpus"
	"doppel/pkg/plan"
	"doppel/pkg/quality"
	"doppel/pkg/record"
	"doppel/pkg/record/write"
	"doppel/pkg/report"
	"doppel/pkg/seen"
	"doppel/pkg/sieve"
	"doppel/pkg/simhash"
	"doppel/pkg/spill"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/substr"
	"doppel/pkg/substr/worddiff"
	"doppel/pkg/tool"
)

// These are the functions and tables that the documentation of this package links to.
var (
	_ = par.Ordered[int, int]
	_ = pairs.Write
	_ = lineio.Open
	_ = lineio.Signatures[int]
	_ = spill.Create
	_ = substr.Blocks[byte]
	_ = flagset.Args
	_ = tool.Batches[int]
	_ = tool.Run
	_ = worddiff.Runs
	_ = dupgroup.Rules
)

// These are the types that the documentation of this package links to.
type (
	_ = blockhash.Rule
	_ = config.File
	_ = corpus.Finder
	_ = filename.Source
	_ = filesum.Signer
	_ = fuzzysum.Options
	_ = group.Greedy
	_ = group.Leaders
	_ = hashset.Decider
	_ = jaccard.Store
	_ = language.Detector
	_ = line.Decision
	_ = line.Distance
	_ = line.FileHash
	_ = schemes.Guard
	_ = line.Key
	_ = line.Match
	_ = line.Pair
	_ = line.Score
	_ = line.Signature
	_ = line.Sum
	_ = lsh.Index
	_ = lsh.Pairing
	_ = method.Keyer
	_ = method.Method
	_ = option.Keys
	_ = output.Set
	_ = plan.Plan
	_ = quality.Rules
	_ = record.Batch
	_ = record.Reader
	_ = write.Sink
	_ = report.Page
	_ = seen.Cache
	_ = sieve.Sieve
	_ = simhash.Search
	_ = spill.Partitions
	_ = spill.Piles
	_ = spill.Sorter[[1]uint64]
	_ = spill.Spool[[1]uint64]
	_ = tool.Env
	_ = tool.Options
	_ = tool.Producer
	_ = tool.Taker
)
