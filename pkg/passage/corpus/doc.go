// Package corpus finds the repeated passages of a corpus that does not fit in
// memory, in two readings of it and in the order of the corpus.
//
//  1. [Finder.Scan] finds the runs of all texts and sorts them by key, sixteen
//     bytes a run, which are 13 a kB. (Or [Finder.Add] takes them from
//     elsewhere.)
//  2. [Finder.Find] drops the runs whose key stands alone. Those of the other
//     keys, the members, are put in bins, whole groups together, a bin being
//     what may be in memory at a time, and are sorted by position.
//  3. The second reading puts the text of each member in its bin. Records
//     without any are not [Finder.Wanted]. A cache of half of the memory knows
//     the texts of late, so one that comes again goes as a number.
//  4. Bins are loaded, several at a time, and their groups compared. A bin that
//     is too large is streamed, and in the worst case taken as a corpus with a
//     larger window.
//  5. Matches are sorted by position, and joined over the ends of runs.
//
// What comes out does not depend on the memory, on the goroutines, nor on the
// window of the scheme.
//
// To see what of one corpus stands in another, say a test set in training
// data, put the other one first and keep the repeats From it: the evidence is
// where a passage stands first.
//
// # Cost
//
// Measured with L 200, k 50, two goroutines, in seconds of both processors,
// which other work had a part of; a quarter of it is reading JSON:
//
//	corpus                  MB     memory  repeated  CPU s  MB/CPU s  resident  on disk
//	made like web pages     309    256 MB     .8 %     2.3       134    119 MB    12 MB
//	source and manuals      291    256 MB   31.4 %     7.4        40    299 MB   211 MB
//	revisions of documents 1282    256 MB   96.5 %    39.4        33    450 MB  3133 MB
//	revisions of documents 1282     64 MB   96.5 %    68.4        19    167 MB  4849 MB
//	50,000 equal pages      100    256 MB  100.0 %      .9       115     98 MB    10 MB
//	500,000 equal pages    1000    256 MB  100.0 %     8.9       113    401 MB   614 MB
//
// It grows with the corpus: all of doppel passages and JSON read three times, beside
// much other work. Scratch is .04 to .21 B a byte, and
// where most is repeated 2.1 B a repeated byte above .25 B a byte:
//
//	corpus                  MB     repeated  CPU s  resident  on disk
//	made like web pages     101       .8 %     1.2     72 MB     4 MB
//	                        305       .8 %     3.4    203 MB    12 MB
//	                       1001       .8 %    10.0    245 MB   132 MB
//	revisions of documents  101      76.8 %     6.4    274 MB   170 MB
//	                        304      89.1 %    18.1    338 MB   620 MB
//	                       1237      96.5 %    61.9    419 MB  2799 MB
//	250,000 equal pages     168     100.0 %     2.8    250 MB    18 MB
//	500,000 equal pages     336     100.0 %     6.0    273 MB    37 MB
//	1,000,000 equal pages   672     100.0 %    11.3    317 MB   142 MB
//
// On disk: 16 B a run, .21 B a byte; 16 B a member; the texts of members that
// the cache does not know, up to 3.6 B a byte that is in one, first copies
// included; and 24 B a match. In memory beyond Options.Mem: a bit a record,
// 8 B in a thousand runs, and what large.go says of groups that are larger
// than memory.
package corpus
