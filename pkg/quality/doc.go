// Package quality measures texts and judges them by rules.
//
// A [Text] is prepared once, by [Text.Set], and then asked for any number of
// metrics: each is a function of the Text alone, says in its comment what it
// counts, and returns one number. A [Rule] compares one metric with one limit,
// a [Preset] is a named list of rules, and [Rules.Check] returns the first
// rule that a text breaks.
//
// What every metric means by its words:
//
//   - a character is a code point; a byte that is not UTF-8 is one character;
//   - a word is a run between white space without the characters at both ends
//     that are neither letter, mark nor number, in lower case; runs of which
//     nothing is left are no words. In scripts written without spaces (Han,
//     Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) each letter is a word;
//   - a line ends with LF or CRLF, and white space around it is not part of
//     it; lines of white space alone are no lines;
//   - a paragraph is a run of lines, ended by an empty one;
//   - a ratio of nothing to nothing is NaN, which no rule can break.
//
// Nothing here uses regular expressions, and nothing is allocated for a text
// once a Text has grown to the size of the largest one: a Text is meant to be
// kept by a worker. Words are found when a metric first asks for them. On made
// pages of 3 kB, in MB a second of processor time of one core of an AMD EPYC:
//
//	                English  Russian  Hindi  Thai  Chinese  Korean  Go source
//	default             120      155    215    90       93     162         90
//	c4                  590    1,100  1,570 2,020    1,240   1,140      7,800
//	gopher              100      130    170    62       68     168         74
//	fineweb              85      134    167    62       68     173         76
//
// fineweb is all of Gopher, C4 and FineWeb. What is left is mostly the n-grams,
// nine lengths of them: where each character is a word there are most. Go source
// is judged early by c4, by its brackets (go test -bench Presets ./pkg/quality
// has the figures for a page of English).
package quality
