// Package passage finds the passages that occur more than once in a corpus, exactly, without a
// suffix array.
//
// # Results
//
// A passage is L consecutive units of a text: its bytes, or its words after normalisation. It
// is repeated if it occurs earlier, in an earlier text or in its own; occurrences may overlap.
// A record loses the union of its repeated passages (package span). The first copy of each
// stays. Suffix arrays apply the same rule to training data (Lee et al., Deduplicating Training
// Data Makes Language Models Better, 2021, keep no copy; Olmo 3, 2025, keeps the first).
//
// # How
//
// The method is winnowing with positions (Schleimer, Wilkerson, Aiken: Local Algorithms for
// Document Fingerprinting, SIGMOD 2003). All windows of k units are hashed. Each passage has
// L-k+1 windows, and the least of their hashes is equal for equal passages. Consecutive
// passages with the same least hash form a [Run]: 13 per kB of text for L 200 and k 50. The
// steps:
//
//  1. a [Signer] finds the runs of each text;
//  2. runs are sorted by their key. Equal passages have equal keys, so a run
//     with a unique key holds no repeated passage, unless its least hash
//     occurs twice in it: a periodic text can hold two equal passages in one
//     run;
//  3. a [Group] takes the texts of all runs of one key, and compares them.
//
// The result does not depend on hashes: a hash that two different passages share only makes a
// group larger, because bytes are compared before passages count as equal. The window k changes
// the speed but never the result. Package corpus applies the steps to corpora larger than
// memory.
//
// # Format of lines
//
// The signature of a text has the scheme passage/200/k50/none, or passage/w50/k12/balanced, and
// a body in base64 without padding, in the alphabet for URLs. Each run takes eight bytes, high
// byte first:
//
//	55 bits  the key
//	1 bit    the least hash occurs twice in the run
//	8 bits   the number of passages, less one
//
// Runs follow each other without a gap, so each starts where the previous one ends; the first
// starts at 0. A text of fewer than L units has the body "-". A body of three runs is
//
//	Zm9vYmFyAEtmb29iYXIAS2Zvb2JhcgBL
//
// A signature has one key line per run: the key in 14 hexadecimal digits, a dot and the rest of
// the scheme; a TAB; and the place of the run: the id, #, its first unit, +, the number of
// passages, and an asterisk if the least hash occurs twice (package keyline).
//
//	3337b7b130b900.200/k50/none<TAB>12#0+76
//	3337b7b130b900.200/k50/none<TAB>907#4417+76*
//
// After sorting by key, each group is a few consecutive lines. A group of one line without an
// asterisk needs no further work. The other groups need the texts, in the order of the corpus,
// to decide which copy is the first.
//
// # Cost
//
// A signer takes 4 to 6 ns per byte, half of it for hashing. Processor time with package
// corpus: 39 s for 1.28 GB of revisions of documents, 96.5 % repeated; 2.3 s for 309 MB of
// generated text like web pages, 0.8 % repeated.
//
// A stable merge sort of the members of a bin took a quarter of the total time, and was
// replaced by counting. Not tried: minima with van Herk's method, which package fingerprint
// uses, because it yields no positions and so cannot tell which hashes occur twice.
package passage
