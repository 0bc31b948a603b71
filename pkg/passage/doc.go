// Package passage finds all passages that occur more than once in a corpus. It needs no suffix
// array.
//
// # Results
//
// A passage is L consecutive units of a text. The units are bytes, or words after normalisation.
// Under [KeepFirst], the first copy of each passage stays: a passage is repeated if it also occurs
// earlier, in an earlier text or in the same text. The two occurrences may overlap. Package span
// computes which parts of a record to cut out, from the union of its repeated passages. The
// training data of language models has been cleaned of repeated passages with suffix arrays: Lee et
// al. (Deduplicating Training Data Makes Language Models Better, 2021) remove all copies, and Olmo
// 3 (2025) keeps the first.
//
// # How
//
// The method is winnowing with positions (Schleimer, Wilkerson, Aiken: Local Algorithms for
// Document Fingerprinting, SIGMOD 2003). It hashes every window of k units. A passage has L-k+1
// windows, and its least hash is the least of their hashes; equal passages have the same least
// hash. Consecutive passages with the same least hash form a [Run]. With L = 200 and k = 50, a text
// has about 13 runs per kB. The steps are:
//
//  1. A [Signer] finds the runs of each text.
//  2. The caller sorts the runs by key. Equal passages have equal keys, so a
//     run with a unique key holds no repeated passage, unless its least hash
//     occurs twice in it: a periodic text can have two equal passages in one
//     run.
//  3. A [Group] compares the texts of all runs with the same key.
//
// Hash collisions make groups larger but do not change the result, because a Group compares the
// bytes of passages. The window k changes the speed but never the result. Package corpus applies
// the steps to corpora larger than memory.
//
// # Format of lines
//
// The signature of a text consists of a scheme, such as passage/200/k50/none or
// passage/w50/k12/balanced, and a body in URL-safe base64 without padding. The body has eight
// bytes per run, big-endian:
//
//	55 bits  the key
//	1 bit    set if the least hash occurs twice in the run
//	8 bits   the number of passages, minus one
//
// There are no gaps between runs: the first run starts at unit 0, and each later run starts where
// the previous run ends. A text of fewer than L units has the body "-". This is a body of three
// runs:
//
//	Zm9vYmFyAEtmb29iYXIAS2Zvb2JhcgBL
//
// A signature has one key line per run (package keyline). The first column is the key in 14
// hexadecimal digits, a dot, and the scheme without "passage/". The second column, after a TAB, is
// the place of the run: the record's id, "#", the first unit, "+", and the number of passages. An
// asterisk follows if the least hash occurs twice.
//
//	3337b7b130b900.200/k50/none<TAB>12#0+76
//	3337b7b130b900.200/k50/none<TAB>907#4417+76*
//
// After a sort by key, the lines of a group, which have equal keys, are adjacent. A group of one
// line without an asterisk holds no repeated passage. For all other groups, the caller must read
// the texts, in the order of the corpus, to find the first copy.
//
// # Cost
//
// A Signer takes 4 to 6 ns per byte, half of it for hashing. Package corpus takes 39 s of processor
// time for 1.28 GB of document revisions, and 2.3 s for 309 MB of generated text that resembles web
// pages. Repeated passages make up 96.5 % of the revisions and 0.8 % of the generated text.
//
// Package corpus sorts the members of a bin with a counting sort, because a stable merge sort took
// a quarter of the total time. Package fingerprint finds minima with van Herk's method. This
// package does not use that method, because it yields no positions and so cannot tell which hashes
// occur twice.
package passage
