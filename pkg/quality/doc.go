// Package quality measures texts and checks them against rules.
//
// [Text.Set] prepares a [Text], which any number of metrics can then measure. A [Metric] computes
// one number from a Text. The comments in [Metrics] define the metrics. A [Rule] compares one
// metric with one limit, a [Preset] is a named list of rules, and [Rules.Check] returns the first
// rule that a text breaks.
//
// Definitions for all metrics:
//
//   - a character is a code point; a byte that is not UTF-8 is one character;
//   - a word is a sequence of characters between white space, in lower case,
//     without the characters at both ends that are not letters, marks or
//     numbers; an empty sequence is not a word. In scripts written without
//     spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) each letter
//     is a word;
//   - a line ends with LF or CRLF; white space around a line is not part of
//     the line, and a line of white space does not count;
//   - a paragraph is a sequence of lines that ends before an empty line;
//   - 0/0 is NaN, which breaks no rule.
//
// The package uses no regular expressions. Once a Text has measured a text, it measures texts of up
// to that size without allocating, unless they have 2 MiB or more. So a worker should reuse its
// Text. A Text is split into words when a metric first needs them. Throughput on generated pages of
// 3 kB, in MB per second of processor time on one core of an AMD EPYC:
//
//	                English  Russian  Hindi  Thai  Chinese  Korean  Go source
//	default             120      155    215    90       93     162         90
//	c4                  590    1,100  1,570 2,020    1,240   1,140      7,800
//	gopher              100      130    170    62       68     168         74
//	fineweb              85      134    167    62       68     173         76
//
// The preset fineweb has all rules of Gopher, C4 and FineWeb. It spends most of its time on n-grams
// of nine lengths. Scripts with one word per character have the most n-grams. The preset c4 rejects
// Go source early because of the curly brackets. The command go test -bench Presets ./pkg/quality
// measures the throughput on a page of English.
package quality
