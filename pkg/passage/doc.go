// Package passage finds the passages that stand more than once in a corpus,
// exactly, without a suffix array.
//
// # What is found
//
// A passage is L consecutive units of a text: its bytes, or its words after
// normalisation. It is repeated if it stands at an earlier place, in an
// earlier text or in its own; places may overlap. What a record loses is the
// union of its repeated passages (package span). The first copy of each stays.
// That is the rule by which suffix arrays are used for training data (Lee et
// al., Deduplicating Training Data Makes Language Models Better, 2021, who
// keep none; Olmo 3, 2025, who keep the first).
//
// # How
//
// Winnowing with positions (Schleimer, Wilkerson, Aiken: Local Algorithms for
// Document Fingerprinting, SIGMOD 2003). All windows of k units are hashed.
// Each passage has L-k+1 of them, and so one least hash, which is equal for
// equal passages. Consecutive passages with the same least hash are a [Run]:
// 13 a kB of text for L 200 and k 50. So
//
//  1. a [Signer] finds the runs of each text;
//  2. runs are sorted by their key. Equal passages have equal keys, so a run
//     whose key stands alone holds none that is repeated, unless its least
//     hash stands twice in it: a periodic text can hold two equal passages in
//     one run;
//  3. a [Group] takes the texts of all runs of one key, and compares.
//
// Nothing is left to chance: a hash that two different passages share makes a
// group larger, and bytes are compared before they are said to be equal. The
// window k changes the speed and not one bit of the result. Package corpus
// does all that beyond memory.
//
// # As lines
//
// The signature of a text has the scheme passage/200/k50/none, or
// passage/w50/k12/balanced, and a body of base64 without padding, in the
// alphabet for URLs, of eight bytes a run, high byte first:
//
//	55 bits  the key
//	1 bit    the least hash stands twice in the run
//	8 bits   the number of passages, less one
//
// Runs follow each other without a gap, so each starts where the one before it
// ends; the first starts at 0. A text of fewer than L units has the body "-".
// A body of three runs is
//
//	Zm9vYmFyAEtmb29iYXIAS2Zvb2JhcgBL
//
// Its keys are one line a run: the key in 14 hexadecimal digits, a dot and what
// else of the scheme; a TAB; and where the run stands: the id, #, the unit that it
// starts at, +, the number of passages, and an asterisk if the least hash stands
// twice (package keyline).
//
//	3337b7b130b900.200/k50/none<TAB>12#0+76
//	3337b7b130b900.200/k50/none<TAB>907#4417+76*
//
// Sorted by key, each group is a few lines, and a line alone without an
// asterisk is done with. What is left needs the texts, in the order of the
// corpus, to know which copy is the first.
//
// # Cost
//
// A signer takes 4 to 6 ns a byte, half of it hashing. Measured with package
// corpus on 1.28 GB of revisions of documents, of which 96.5 % is repeated: 39 s
// of processor time; on 309 MB made like web pages, of which .8 % is: 2.3 s.
//
// Dropped: a stable merge sort of the members of a bin, which took a quarter of
// all time, for counting. Not tried: minima by van Herk's method, as package
// sample finds them, for it knows no positions, and so not what stands twice.
package passage
