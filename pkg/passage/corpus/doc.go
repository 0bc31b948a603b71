// Package corpus finds the repeated passages of a corpus that does not fit in memory. It reads
// the corpus twice and returns the repeats in its order.
//
//  1. [Finder.Scan] finds the runs of all texts, 13 a kB, and sorts them by
//     key, 16 bytes a run. (Or the caller supplies them by [Finder.Add].)
//  2. [Finder.Find] drops the runs with a unique key. The others, the members,
//     are assigned to bins, whole groups together, and sorted by position. A
//     bin is as much as may be in memory at a time.
//  3. The second reading adds the text of each member to its bin. Records
//     without members are not [Finder.Wanted]. A cache of half of the memory
//     holds recent texts; a text found there is written as a number.
//  4. Bins are loaded, several at a time, and their groups compared. A bin that
//     is too large is streamed, and in the worst case processed as a corpus
//     with a larger window.
//  5. Matches are sorted by position, and joined across the ends of runs.
//
// The result does not depend on the memory, on the number of goroutines, or on the window of
// the scheme.
//
// To find the parts of one corpus in another, say of a test set in training data, put the test
// set first and keep the repeats From it: the evidence is always the first occurrence.
//
// # Cost
//
// Measured with L 200, k 50, two goroutines, in seconds of both processors, which other work
// shared; a quarter of the time is reading JSON:
//
//	corpus                  MB     memory  repeated  CPU s  MB/CPU s  resident  on disk
//	generated web pages     309    256 MB     .8 %     2.3       134    119 MB    12 MB
//	source and manuals      291    256 MB   31.4 %     7.4        40    299 MB   211 MB
//	revisions of documents 1282    256 MB   96.5 %    39.4        33    450 MB  3133 MB
//	revisions of documents 1282     64 MB   96.5 %    68.4        19    167 MB  4849 MB
//	50,000 equal pages      100    256 MB  100.0 %      .9       115     98 MB    10 MB
//	500,000 equal pages    1000    256 MB  100.0 %     8.9       113    401 MB   614 MB
//
// Time grows linearly with the corpus: all of doppel passages, which reads the JSON three
// times, beside much other work. Scratch is .04 to .21 B a byte; where most is repeated, it is
// .25 B a byte and 2.1 B a repeated byte:
//
//	corpus                  MB     repeated  CPU s  resident  on disk
//	generated web pages     101       .8 %     1.2     72 MB     4 MB
//	                        305       .8 %     3.4    203 MB    12 MB
//	                       1001       .8 %    10.0    245 MB   132 MB
//	revisions of documents  101      76.8 %     6.4    274 MB   170 MB
//	                        304      89.1 %    18.1    338 MB   620 MB
//	                       1237      96.5 %    61.9    419 MB  2799 MB
//	250,000 equal pages     168     100.0 %     2.8    250 MB    18 MB
//	500,000 equal pages     336     100.0 %     6.0    273 MB    37 MB
//	1,000,000 equal pages   672     100.0 %    11.3    317 MB   142 MB
//
// On disk: 16 B a run, .21 B a byte; 16 B a member; the texts of members that are not in the
// cache, up to 3.6 B for each byte in a member, first copies included; and 24 B a match. In
// memory beyond Options.Mem: a bit a record, 8 B in a thousand runs, and, for groups larger
// than memory, the bytes stated in large.go.
package corpus
