package forecast

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"doppel/pkg/msg"
)

// A Listing holds the number of files in a dataset, and their total size in bytes.
type Listing struct {
	Files, Bytes int64
	Names        int64 // total length of the names, in bytes
}

// ReadListing reads lines that consist of a size and a file name, such as the output of find
// -printf '%s %p\n' or du -b. A date and a time can precede the size, as in the output of s5cmd ls
// and aws s3 ls. Each name must end in one of the given extensions. An error begins with the line
// number.
func ReadListing(r io.Reader, endings []string) (l Listing, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	number := 0
	for lines.Scan() {
		number++
		size, name, ok := parseLine(lines.Text())
		if !ok {
			return l, fmt.Errorf("%d: invalid line %q: want a size in bytes and a name", number, lines.Text())
		}
		ending, known := path.Ext(name), false
		for _, e := range endings {
			known = known || e == ending
		}
		if !known {
			return l, fmt.Errorf("%d: %q: want only names that end in %s, like the names in the sample", number, name, msg.Or(endings))
		}
		if l.Bytes += size; l.Bytes < 0 {
			return l, fmt.Errorf("%d: more than 2^63 bytes in total", number)
		}
		l.Files++
		l.Names += int64(len(name))
	}
	if err := lines.Err(); err != nil {
		return l, fmt.Errorf("%d: %w", number+1, err)
	}
	return l, nil
}

// parseLine returns the size and the name in a line. A date and a time before the size are skipped.
func parseLine(line string) (size int64, name string, ok bool) {
	first, rest := word(line)
	if strings.Count(first, "-") == 2 || strings.Count(first, "/") == 2 { // a date
		var clock string
		if clock, rest = word(rest); !strings.Contains(clock, ":") {
			return 0, "", false
		}
		first, rest = word(rest)
	}
	n, err := strconv.ParseUint(first, 10, 63)
	return int64(n), rest, err == nil && rest != ""
}

// word splits a line into its first word and the rest, and drops the blanks before and after the
// word.
func word(line string) (first, rest string) {
	line = strings.TrimLeft(line, " \t")
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.TrimLeft(line[end:], " \t")
}
