//go:build linux

package main

import (
	"strings"
	"testing"
)

// TestCheckSyncs checks which orders of system calls checkSyncs accepts.
func TestCheckSyncs(t *testing.T) {
	const (
		written = "1 openat(AT_FDCWD</r>, \".\", O_WRONLY|O_TMPFILE, 0600) = 5</r/#9>(deleted)\n1 write(5</r/#9>(deleted), \"\"..., 3) = 3\n" +
			"1 linkat(AT_FDCWD</r>, \"/proc/self/fd/5\", AT_FDCWD</r>, \".1.out\", AT_SYMLINK_FOLLOW) = 0\n"
		synced  = "1 fsync(5</r/#9>(deleted)) = 0\n"
		renamed = "1 renameat(AT_FDCWD</r>, \".1.out\", AT_FDCWD</r>, \"out\") = 0\n"
		named   = "2 fsync(3</r>) = 0\n"
	)
	for name, c := range map[string]struct{ trace, bad string }{
		"good":                    {written + synced + renamed + named, ""},
		"interrupted":             {written + "1 fsync(5</r/#9>(deleted) <unfinished ...>\n1 <... fsync resumed>) = 0\n" + renamed + named, ""},
		"renamed twice":           {written + synced + strings.ReplaceAll(renamed, `"out"`, `".2.out"`) + strings.ReplaceAll(renamed, ".1.out", ".2.out") + named, ""},
		"never synced":            {written + renamed + named, "its content is not synced"},
		"synced after the rename": {written + renamed + "1 fsync(5</r/out>) = 0\n" + named, "its content is not synced"},
		"written after the sync":  {written + synced + "1 write(5</r/#9>(deleted), \"\"..., 3) = 3\n" + renamed + named, "its content is not synced"},
		"a sync that failed":      {written + "1 fsync(5</r/#9>(deleted)) = -1 EIO (Input/output error)\n" + renamed + named, "its content is not synced"},
		"the name is not synced":  {written + synced + renamed, "its name is not synced"},
		"the name synced first":   {written + synced + named + renamed, "its name is not synced"},
		"removed first":           {written + synced + "1 unlinkat(AT_FDCWD</r>, \"out\", 0) = 0\n" + renamed + named, "removed before"},
		"truncated":               {"1 openat(AT_FDCWD</r>, \"out\", O_WRONLY|O_TRUNC) = 5</r/out>\n1 fsync(5</r/out>) = 0\n", "written in place"},
		"written afterwards":      {written + synced + renamed + named + "1 write(5</r/out>, \"\"..., 3) = 3\n", "written after it got its name"},
		"synced by its name":      {written + strings.ReplaceAll(synced, "#9>(deleted)", ".1.out>") + renamed + named, ""},
	} {
		if err := checkSyncs(c.trace, "/r", []string{"/r/out"}); (err == nil) != (c.bad == "") || err != nil && !strings.Contains(err.Error(), c.bad) {
			t.Errorf("%s: %v, want %q", name, err, c.bad)
		}
	}
}
