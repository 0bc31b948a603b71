/*
Package architecture explains how the tools fit together, for those who change
the code. It compiles: the names below are used, so that a rename that forgets
this page breaks the build.

# What flows

	records ──recsign──> signatures ──lshkeys──> keys ──sort──> keypairs ──> pairs
	   │                     │                                                 ▲ │
	   │                     └───── lshpairs (the three in one) ───────────────┘ │
	   │                                                                      jaccard
	   │                                                                         ▼
	   └──────── keepdrop <──────── decisions <──────── dupgroup <──────── scored pairs

	stage      reads                       by                    writes
	recsign    [record.Reader]             [text.Shingler],      [tsv.Signatures]
	                                       [minhash.Sketcher],
	                                       [sample.Sampler]
	lshkeys    [signature.Line]            [method.Keyer]        [tsv.Keys]
	keypairs   sorted keys                 [lsh.Pairing]         [tsv.Pairs]
	lshpairs   [signature.Line]            [lsh.Index]           [tsv.Pairs]
	jaccard    pairs, [record.Reader]      [jaccard.Store]       [tsv.Scored]
	simpairs   [signature.Line]            [simhash.Search]      [tsv.Distances]
	matchsub   pairs, files or records     [substr.Blocks]       [tsv.Matches]
	dupgroup   scored pairs                [group.Greedy]        [tsv.Decisions]
	keepdrop   decisions, [record.Reader]  [record.Sink]         records
	blockhash  [files.Source]              [filesum.Signer],     [tsv.Hashes]
	                                       [blockhash.Rule]
	recfilter  [record.Reader]             [quality.Rules],      [tsv.Decisions]
	                                       [language.Detector]

The command doppel builds a [chain.Chain] of them and runs it as processes;
doppel pipeline builds it from a file, a [config.Config].

# What always holds

  - Output depends on the input alone. Work runs in parallel by [par.Ordered],
    which keeps the order of the stream; tools contain no goroutines.
  - A record read is written, dropped by a named decision, or reported. The
    policy for bad records stands in one place, [tool.Batches].
  - Every line stands alone. A signature names its scheme, and
    [signature.Guard] refuses two schemes in one run.
  - What grows with the input is bounded: [spill.Sorter] and [spill.Spool]
    hold entries on disk, jaccard.Store sets. Files come from
    [spill.Create] and have no name.
  - Decide first, apply last: only record.Sink writes data, byte for byte.
  - Four inner loops of text, minhash and record are in assembly, for amd64 as
    of 2013 (AVX2, BMI). Each stands beside the same in Go, which tests hold it
    against and other processors run.

# Where things live

	cmd/<tool>      the program: ten lines
	pkg/stage/<tool> a page: flags, then the loop; what no other tool needs beside it
	pkg/tool        the runner: shared flags, messages, exit status, stdout
	pkg/stage/lines what reads the lines of the stage before: [lines.Signatures]
	pkg/stage/pairs what writes pairs, and tells what was left out: [pairs.Write]
	pkg/stage/option the options that several programs have, such as [option.Keys]
	pkg/record      datasets in and out; Parquet apart, for it weighs 10 MB
	pkg/tsv         the lines, one type a stream
	pkg/method      the ways to sign, in one table: a scheme's signers, keys, estimates
	pkg/text …      one algorithm a package: bytes in, numbers out
	cmd/*_test.go   what is promised of every tool

Imports run downwards: cmd → stages → tool → record, cmd → algorithms → text. Tool
links no hash, since the mail tools start once a message. No package but tool and
stages knows a flag, a terminal, or a path that it was not given; a test over go
list holds that.

# Where to start

Read pkg/stage/lshkeys: it is the plainest tool. Then [tool.Run], tool.Batches and
[record.Batch], which are what all tools have in common.

# How to add a tool

Make cmd/X/main.go, man/X.1, and in cmd/X/testdata an example and a script. The
contract suite does the rest: it compares the page with the flags and runs the
example with full disks, closed pipes, one and eight threads, and -o.

# What is not there

No configuration files but doppel's pipelines, no environment variables but
TMPDIR and GOGC, no colours in what a pipe may carry, no server, no index format
of its own: files of lines, sort(1) and join(1) do it.
*/
package architecture

import (
	"doppel/pkg/blockhash"
	"doppel/pkg/chain"
	"doppel/pkg/config"
	"doppel/pkg/files"
	"doppel/pkg/filesum"
	"doppel/pkg/group"
	"doppel/pkg/jaccard"
	"doppel/pkg/language"
	"doppel/pkg/lsh"
	"doppel/pkg/method"
	"doppel/pkg/minhash"
	"doppel/pkg/par"
	"doppel/pkg/quality"
	"doppel/pkg/record"
	"doppel/pkg/sample"
	"doppel/pkg/signature"
	"doppel/pkg/simhash"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/substr"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// The names used above.
var (
	_ = par.Ordered[int, int]
	_ = substr.Blocks[byte]
	_ = spill.Create
	_ = tool.Run
	_ = tool.Batches[int]
	_ = lines.Signatures[int]
	_ = pairs.Write
	_ = []tsv.Stream{tsv.Signatures, tsv.Keys, tsv.Pairs, tsv.Scored, tsv.Distances, tsv.Matches, tsv.Decisions}
)

// The types used above.
type (
	_ = chain.Chain
	_ = config.Config
	_ = spill.Sorter[[1]uint64]
	_ = spill.Spool[[1]uint64]
	_ = blockhash.Rule
	_ = files.Source
	_ = filesum.Signer
	_ = group.Greedy
	_ = jaccard.Store
	_ = language.Detector
	_ = lsh.Index
	_ = method.Keyer
	_ = lsh.Pairing
	_ = minhash.Sketcher
	_ = option.Keys
	_ = quality.Rules
	_ = record.Batch
	_ = record.Reader
	_ = record.Sink
	_ = sample.Sampler
	_ = signature.Guard
	_ = signature.Line
	_ = simhash.Search
	_ = simhash.TextSigner
	_ = text.Shingler
)
