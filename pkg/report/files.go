package report

import "io"

// A FilesPage is what is shown of files that are equal.
type FilesPage struct {
	Title string
	Run
	How   string // what makes files equal
	Files int64  // that were looked at; 0: not told

	Groups, Copies, Freed int64 // copies are all files of a group but the one that stays
	LargestGroup          int64 // its files

	Weights          []Weight
	Sizes            []Size
	Largest          []FileGroup
	Directories      []Directory
	OtherDirectories int64 // that have no row
}

// A Weight is what the copies of files of one range of sizes take, in bytes.
type Weight struct {
	Label         string
	Copies, Freed int64
}

// A FileGroup is equal files, the one that stays first, by their names.
type FileGroup struct {
	Size, Copies, Freed int64
	Names               []string
	More                int64  // files whose names are not among those
	Command             string // that shows it again, as shell text
}

// A Directory is what the copies in it take.
type Directory struct {
	Name          string
	Copies, Freed int64
}

// Write writes the page.
func (p *FilesPage) Write(w io.Writer) error {
	return pages.ExecuteTemplate(w, "files.html", p)
}
