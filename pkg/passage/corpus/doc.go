// Package corpus finds the repeated passages of a corpus that does not fit in memory. It reads
// the corpus twice and returns the repeats in the order of the corpus.
//
//  1. [Finder.Scan] finds the runs of all texts, about 13 per kB, and sorts
//     them by key, using 16 bytes per run. (Alternatively, the caller adds the
//     runs with [Finder.Add].)
//  2. [Finder.Find] drops the runs with a unique key, unless a passage may
//     occur twice in the run. The remaining runs are the members. Find
//     assigns whole groups of members to bins that fit in memory, and sorts
//     the members by position.
//  3. Find reads the corpus again, and adds the text of each member to its
//     bin. Records without members are not [Finder.Wanted]. A cache, which
//     takes half of the memory, holds recent texts; if a text is in the
//     cache, Find adds only its number to the bin.
//  4. Find loads several bins at a time and compares the texts of each group.
//     It streams a bin that is too large for memory or, in the worst case,
//     processes it as a separate corpus with a larger window.
//  5. Find sorts the matches by position and joins them across the ends of
//     runs.
//
// The result does not depend on Options.Mem, on Options.Jobs, or on the window of the scheme.
//
// To find passages of one corpus in another, such as passages of a test set in training data, put
// the test set first, and use only the repeats whose From is in the test set. Under
// passage.KeepFirst, From is always the record of the first occurrence.
//
// # Cost
//
// The first table is for L = 200, k = 50 and two goroutines, on a machine that also did other work.
// The column "CPU s" is the total processor time of both goroutines; a quarter of it is spent
// reading JSON:
//
//	corpus                  MB     memory  repeated  CPU s  MB/CPU s  resident  on disk
//	generated web pages     309    256 MB    0.8 %     2.3       134    119 MB    12 MB
//	source and manuals      291    256 MB   31.4 %     7.4        40    299 MB   211 MB
//	revisions of documents 1282    256 MB   96.5 %    39.4        33    450 MB  3133 MB
//	revisions of documents 1282     64 MB   96.5 %    68.4        19    167 MB  4849 MB
//	50,000 equal pages      100    256 MB  100.0 %     0.9       115     98 MB    10 MB
//	500,000 equal pages    1000    256 MB  100.0 %     8.9       113    401 MB   614 MB
//
// The time grows linearly with the corpus. The next table is for the command doppel passages, which
// reads the JSON three times; the machine was busy with other work. For generated pages and for
// equal pages, scratch files take 0.04 to 0.21 B per byte of text; for revisions, they take about
// 0.25 B per byte plus 2.1 B per repeated byte:
//
//	corpus                  MB     repeated  CPU s  resident  on disk
//	generated web pages     101      0.8 %     1.2     72 MB     4 MB
//	                        305      0.8 %     3.4    203 MB    12 MB
//	                       1001      0.8 %    10.0    245 MB   132 MB
//	revisions of documents  101      76.8 %     6.4    274 MB   170 MB
//	                        304      89.1 %    18.1    338 MB   620 MB
//	                       1237      96.5 %    61.9    419 MB  2799 MB
//	250,000 equal pages     168     100.0 %     2.8    250 MB    18 MB
//	500,000 equal pages     336     100.0 %     6.0    273 MB    37 MB
//	1,000,000 equal pages   672     100.0 %    11.3    317 MB   142 MB
//
// The scratch files hold 16 B per run, 16 B per member, 24 B per match, and the texts of members
// that are not in the cache. The runs take 0.21 B per byte of text. The texts of members overlap,
// so they take up to 3.6 B per byte of the corpus that belongs to a member. First copies are
// members, too. In addition to Options.Mem, a Finder needs one bit of memory per record, 8 B per
// thousand runs and, for a bin that is processed as a separate corpus, 8 B per member and 16 B per
// text.
package corpus
