package msg

import "strings"

// Nearest returns the word that a user most likely meant, given the string that the user typed.
// This is the word that can be made from the string by the fewest edits: insertions, deletions,
// replacements and swaps of neighbouring bytes. Nearest allows one edit per three bytes of the
// string, but always at least one. If no word is near enough, it returns "". If the string has at
// least three bytes, two kinds of words count as at most one edit away: words that begin or end
// with the string, and words to which the string only adds a hyphenated prefix or suffix. For
// example, the word "exact" is one edit away from the string "exact-dedup".
func Nearest(typed string, words []string) string {
	best, least := "", max(1, len(typed)/3)+1
	for _, w := range words {
		n := distance(typed, w)
		if len(typed) > 2 && (strings.HasPrefix(w, typed) || strings.HasSuffix(w, typed) || strings.HasPrefix(typed, w+"-") || strings.HasSuffix(typed, "-"+w)) {
			n = min(n, 1)
		}
		if n < least {
			best, least = w, n
		}
	}
	return best
}

// distance returns the number of edits between two words. A swap of neighbouring bytes is one edit.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range len(a) {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i + 1
		for j := range len(b) {
			differs := 1
			if a[i] == b[j] {
				differs = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+differs)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(b)]
}
