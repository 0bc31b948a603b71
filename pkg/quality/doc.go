// Package quality measures texts and judges them by rules.
//
// A [Text] is prepared once, by [Text.Set], and can then be measured with any number of
// metrics. Each metric is a function of the Text alone, documents its definition, and returns
// one number. A [Rule] compares one metric with one limit, a [Preset] is a named list of rules,
// and [Rules.Check] returns the first rule that a text breaks.
//
// Definitions for all metrics:
//
//   - a character is a code point; a byte that is not UTF-8 is one character;
//   - a word is a run between white space, in lower case, trimmed at both ends of
//     characters that are neither letter, mark nor number; an empty run is not
//     a word. In scripts written without spaces (Han, Hiragana, Katakana,
//     Thai, Lao, Khmer, Myanmar) each letter is a word;
//   - a line ends with LF or CRLF, and white space around it is not part of
//     it; lines of white space do not count;
//   - a paragraph is a run of lines, up to an empty one;
//   - 0/0 is NaN, which no rule can break.
//
// The package uses no regular expressions, and allocates nothing for a text once a Text has
// grown to the size of the largest one: a worker should keep its Text. Words are found when a
// metric first needs them. Throughput on generated pages of 3 kB, in MB per second of processor
// time on one core of an AMD EPYC:
//
//	                English  Russian  Hindi  Thai  Chinese  Korean  Go source
//	default             120      155    215    90       93     162         90
//	c4                  590    1,100  1,570 2,020    1,240   1,140      7,800
//	gopher              100      130    170    62       68     168         74
//	fineweb              85      134    167    62       68     173         76
//
// fineweb is all of Gopher, C4 and FineWeb. Most of its time goes into n-grams of nine lengths;
// scripts with one word per character have the most n-grams. c4 rejects Go source early because
// of its brackets (go test -bench Presets ./pkg/quality has the figures for a page of English).
package quality
