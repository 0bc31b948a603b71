package filereport

// The ranges of how many files a group has, and of their sizes in bytes.
const (
	sizes   = 10
	weights = 8
)

var (
	sizeLabels   = [sizes]string{"2", "3", "4", "5", "6–10", "11–20", "21–50", "51–100", "101–1000", "more"}
	sizeEnds     = [sizes - 1]int64{2, 3, 4, 5, 10, 20, 50, 100, 1000}
	weightLabels = [weights]string{"<1 kB", "1–10 kB", "10–100 kB", "0.1–1 MB", "1–10 MB", "10–100 MB", "0.1–1 GB", "≥1 GB"}
	weightEnds   = [weights - 1]int64{999, 9999, 99_999, 999_999, 9_999_999, 99_999_999, 999_999_999}
)

// sizeOf returns the range of a number of files.
func sizeOf(files int64) int { return rangeOf(files, sizeEnds[:]) }

// weightOf returns the range of a size.
func weightOf(bytes int64) int { return rangeOf(bytes, weightEnds[:]) }

// rangeOf returns the first range whose end is not exceeded.
func rangeOf(n int64, ends []int64) int {
	i := 0
	for i < len(ends) && n > ends[i] {
		i++
	}
	return i
}

// labelled returns the rows up to the last one that counts something, each named by
// label, which reports that; of what counts nothing it is none.
func labelled[T any](rows []T, label func(row *T, i int) bool) (out []T) {
	last := -1
	for i := range rows {
		if row := rows[i]; label(&row, i) {
			last = i
		}
	}
	for i := range last + 1 {
		row := rows[i]
		label(&row, i)
		out = append(out, row)
	}
	return out
}
