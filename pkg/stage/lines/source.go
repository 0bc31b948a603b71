package lines

import (
	"errors"

	"doppel/pkg/line"
	"doppel/pkg/wording"
)

// sources say, by the columns of a line, which tool writes such lines.
var sources = map[string]string{
	"id scheme signature":          "recsign writes signatures of records, as in: recsign FILE | lshpairs",
	"key id":                       "lshkeys writes keys of signatures, as in: recsign FILE | lshkeys | LC_ALL=C sort",
	"a b":                          "lshpairs writes pairs, as in: recsign FILE | lshpairs",
	"a b score":                    "jaccard scores pairs, as in: recsign FILE | lshpairs | jaccard --records FILE",
	"verdict id kept score reason": "dupgroup, jaccgroup and recfilter write decisions",
}

// fromWhere adds to the error of a line that lacks columns which tool writes them.
func fromWhere(err error) error {
	var missing *line.MissingError
	if hinted := interface{ Hint() string }(nil); errors.As(err, &hinted) {
		return err // the tool knows better
	}
	if errors.As(err, &missing) && sources[missing.Columns] != "" {
		return wording.WithHint(err, "%s", sources[missing.Columns])
	}
	return err
}
