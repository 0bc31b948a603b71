// Package review is what happens while a person decides pairs of records, without
// the screen: the pairs, which may be millions and still be coming (List); what has
// been decided, and its file (package judgement); and the keys (Session).
//
// Pairs come as lines and stay lines, in a scratch file; in memory are their places
// and scores, 16 bytes a pair, so a million of them take 16 MB and any is read back in
// a microsecond. Parsing takes about 300 ns a line.
package review
