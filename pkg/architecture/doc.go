/*
Package architecture explains how the tools fit together, for those who change the code.
The package uses the names on this page, so a rename that forgets the page breaks the
build; a test requires the page to list every tool.

# What flows

	records ──recsign──> signatures ──lshkeys──> keys ──sort──> keypairs ──> pairs
	   │                     │                                                 ▲ │
	   │                     └───── lshpairs (the three in one) ───────────────┘ │
	   │                                                                      jaccard
	   │                                                                         ▼
	   └──────── keepdrop <──────── decisions <──────── dupgroup <──────── scored pairs

	jaccgroup combines jaccard and dupgroup, and makes only the comparisons that decide.
	recsieve decides while it reads: it compares records with those kept so far.

	tool       reads                       by                    writes
	recsign    [record.Reader]             a [method.Method]     [line.Signature]
	lshkeys    [line.Signature]            [method.Keyer]        [line.Key]
	keypairs   [line.Key]                  [lsh.Pairing]         [line.Pair]
	lshpairs   [line.Signature]            [lsh.Index]           [line.Pair]
	simpairs   [line.Signature]            [simhash.Search]      [line.Distance]
	jaccard    [line.Pair], records        [jaccard.Store]       [line.Score]
	dupgroup   [line.Score]                [group.Greedy]        [line.Decision]
	jaccgroup  [line.Pair], records        [group.Leaders]       [line.Decision]
	dupspan    [line.Key], records         [corpus.Finder]       [line.Decision]
	keepdrop   [line.Decision], records    [record.Sink]         records
	dupreport  [line.Decision], scores,    [group.Sweep],        [report.Page]
	           records                     [worddiff.Runs]
	recuniq    [record.Reader]             [hashset.Decider]     records
	recsieve   [record.Reader]             [sieve.Sieve]         records
	recfilter  [record.Reader]             [quality.Rules],      [line.Decision]
	                                       [language.Detector]
	reccat     [record.Reader]             [record.Sink]         records
	matchsub   [line.Pair], texts          [substr.Blocks]       [line.Match]
	dupreview  [line.Score], records       a person              [line.Decision]
	blockhash  [filename.Source]            [filesum.Signer],     [line.FileHash]
	                                       [blockhash.Rule]
	fuzzysum   a message                   [fuzzysum.Options]    [line.Sum]
	fuzzyseen  [line.Sum]                  [seen.Cache]          a status, or lines

The command doppel makes a [plan.Plan] of stages, each a tool with its options. A plan
prints itself as shell text, from the flags of the options, or runs in the process of
doppel: each stage has a [tool.Env] with its own streams and outputs. Stages of one step
run in parallel, joined by a pipe, unless one is a [tool.Producer] and the next a
[tool.Taker]: then signatures and pairs are passed as values, in batches, and no line is
written or parsed. Later steps read scratch files of earlier ones. doppel pipeline makes a
plan from a [config.File]. Where a single pass is faster, doppel fuzzy runs recsieve,
which decides while it reads; both ways write the same bytes.

# What always holds

  - Output depends on the input alone. Work runs in parallel by [par.Ordered], which keeps
    the order of the stream; tools contain no goroutines.
  - Every record read is written, dropped by a named decision, or reported. The policy
    for bad records is in one place, [tool.Batches].
  - A stored file of lines begins with a seal, which [lineio.Header] adds and
    [lineio.Open] checks; lines in a pipe have no seal.
  - Every line can be understood alone. A signature names its scheme, and [schemes.Guard]
    refuses two schemes in one run.
  - The options of a tool are a value, [tool.Options]: the flags are its fields, and
    [flagset.Args] converts it back to arguments. An option of doppel is a field of one of
    its stages, so it reaches that stage.
  - Memory is bounded: [spill.Sorter], [spill.Spool], [spill.Partitions] and [spill.Piles]
    hold entries and bytes on disk, and jaccard.Store holds sets there. [spill.Create]
    makes their files, which have no name.
  - Decide first, apply last: only record.Sink writes data, byte for byte. [tool.Run]
    renames all outputs into place together, when the run has succeeded.
  - The inner loops of text and record are in assembly, for amd64 processors since 2013
    (AVX2, BMI). Each has an equivalent in Go, which other processors run and tests compare
    with it. The assembly can go when simd/archsimd is no longer experimental.

# Where things live, from the top

	cmd/<tool>             the program: ten lines
	cmd/*_test.go          the promises of every tool
	pkg/front              the command doppel: its subcommands
	pkg/pipeline           the plan of each command that removes duplicates from datasets
	pkg/plan               plans as values: they run in this process, and print themselves
	pkg/plan/parts         prints a chain for many machines, as a makefile or for parallel
	pkg/plan/forecast      estimates the cost of such a chain from a sample
	pkg/toolbox            all tools, for the one binary that contains them
	pkg/stage/<tool>       a tool: options, flags, and the loop
	pkg/stage/option       the options that several tools have, such as [option.Keys]
	pkg/stage/lineio       reads the lines of the previous stage: [lineio.Signatures]
	pkg/stage/pairs        writes pairs, and reports the ones left out: [pairs.Write]
	pkg/stage/listgroups   the last stage of doppel groups, which shows them
	pkg/audit              checks a finished run, with separate plain code; stage/auditrun is doppel audit
	pkg/review             a person's decisions; review/view shows them, front/tui the rest
	pkg/review/textstore   the text of any record by its id
	pkg/tool               the runner: shared flags, messages, exit status, outputs
	pkg/flagset            converts options to arguments, and arguments to options
	pkg/method             the ways to sign, in one table
	pkg/line               a type for each kind of line
	pkg/record             datasets in and out; Parquet is separate, since it adds 10 MB
	pkg/files              opens files and reads lists of names
	pkg/filegroup/reclaim  removes copies of files, so that it can be undone; mailbox messages
	pkg/line/seal          detects changes to a stored file of lines
	pkg/files/durable      syncs files and their names to disk, for a power cut
	pkg/record/zst         compresses with zstd
	pkg/spill              scratch files; pkg/digest hashes, keyed or not
	pkg/text, …            one algorithm a package: bytes in, numbers out
	pkg/par                runs work in parallel, and keeps its order

Imports run downwards. No package below tool knows a flag, a terminal, or a path that it
was not given; a test checks this with go list. Tool links no hash, because the mail tools
start once per message.

# Where to start

Read pkg/stage/lshkeys: it is the plainest tool. Then [tool.Run], tool.Batches and
[record.Batch], which all tools use.

# As a library

These packages may be imported: record, text, minhash, lsh, jaccard, simhash, substr,
sample, fuzzysum, blockhash and seen. Each has an example, knows no flag, and writes only
to destinations that it was given. Their results are stable, because stored streams contain
them: changing a value needs a new scheme name, known answers in testdata/vectors, and an
entry in scripts/release/CHANGELOG.md. Go names may change until the first release;
all other packages may change at any time.

# How to add a tool

Add pkg/stage/X, with an example and a script in its testdata, cmd/X/main.go, a line in
pkg/toolbox and man/X.1; list the tool above and in doppel(7). The contract suite does the rest:
it compares the page with the flags and runs the example with full disks, closed pipes,
one and eight threads, and -o.

# What is not there

No configuration files but doppel's pipelines, no environment variables but TMPDIR and
GOGC, no colours in output that may go to a pipe, no server, no index format: files
of lines with sort(1) and join(1) do the same.
*/
package architecture

import (
	"doppel/pkg/blockhash"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
	"doppel/pkg/flagset"
	"doppel/pkg/front/steps/config"
	"doppel/pkg/fuzzysum"
	"doppel/pkg/group"
	"doppel/pkg/hashset"
	"doppel/pkg/jaccard"
	"doppel/pkg/language"
	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method"
	"doppel/pkg/par"
	"doppel/pkg/passage/corpus"
	"doppel/pkg/plan"
	"doppel/pkg/quality"
	"doppel/pkg/record"
	"doppel/pkg/report"
	"doppel/pkg/seen"
	"doppel/pkg/sieve"
	"doppel/pkg/simhash"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/substr"
	"doppel/pkg/substr/worddiff"
	"doppel/pkg/tool"
)

// The names used above.
var (
	_ = par.Ordered[int, int]
	_ = pairs.Write
	_ = lineio.Header
	_ = lineio.Open
	_ = lineio.Signatures[int]
	_ = spill.Create
	_ = substr.Blocks[byte]
	_ = flagset.Args
	_ = tool.Batches[int]
	_ = tool.Run
	_ = worddiff.Runs
)

// The types used above.
type (
	_ = blockhash.Rule
	_ = config.File
	_ = corpus.Finder
	_ = filename.Source
	_ = filesum.Signer
	_ = fuzzysum.Options
	_ = group.Greedy
	_ = group.Leaders
	_ = group.Sweep
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
	_ = plan.Plan
	_ = quality.Rules
	_ = record.Batch
	_ = record.Reader
	_ = record.Sink
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
