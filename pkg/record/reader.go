package record

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"doppel/pkg/files/filename"
	"doppel/pkg/line/kind"
	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
)

// An Input says what to read: files in the given order, or standard input.
type Input struct {
	Names []string // names of the files; "-" or an empty list means standard input
	Stdin io.Reader

	// Files, if not nil, replaces Names. The texts are then the contents of the files that it
	// lists, as with Options.Names.
	Files filename.Source

	// Called maps the name of a file to the name that messages and ids use instead, such as
	// "<stdin>" for a copy of standard input.
	Called map[string]string

	// Part, if not 0, is the only part to read from each file. Parts are numbered from 1. See
	// WriteIndex.
	Part int

	// Jobs is the number of frames of zstd, or members of gzip, that are decoded concurrently. 0 means 1.
	Jobs int

	// Decoded, if not nil, keeps the decoded bytes of compressed inputs for later readings.
	Decoded *DecodedInputs

	// Sealed, if not nil, is called with a note about an input that has a seal. See
	// Options.Sealed.
	Sealed func(name, note string)

	// Openings, if not nil, finds files that changed after an earlier reading.
	Openings *Openings

	// Meter, if not nil, counts the bytes read. The method Expect of the meter must have been
	// called with these inputs.
	Meter *Meter
}

// A Source cuts one input into batches.
type Source interface {
	// Next calls Batch.Reset and fills the batch with at least one record. After the last
	// record it returns io.EOF.
	Next(*Batch) error
	Close() error
}

// A Reader reads the records of several inputs as one sequence. It opens each input after it
// has read the previous one.
type Reader struct {
	in      Input
	opt     Options
	paths   *paths
	source  Source
	name    string // name of the source, for messages
	file    string // the cleaned name, used in ids, so that ./a and a are the same file
	ordinal int64  // number of records read, across all inputs; see settle

	parts []Partition // fields that the directories of the open input define
	joins bool        // several inputs, or those of a directory, become one output, which has the fields of directories

	format    *Format // format of the inputs so far, nil for lines
	table     *Table  // table of the inputs so far, nil unless they are CSV
	opened    int
	first     string        // the name of the first input that was opened
	kept      []*os.File    // the open files, if format is not nil; see Files
	keptParts [][]Partition // fields of directories, for each of the files in kept
	named     []string      // names of all inputs; in.Names has only the inputs not yet opened
	use       Use
	choose    func(dataform.Kind) (Use, error) // see SetUse; nil once use is set
	notes     []string                         // what may be missing from the inputs so far, or read by mistake

	longest int64 // a record of more bytes ends the run: Options.MaxRecord, but at least blockSize

	block int          // size of the pieces of lines, in bytes; at most longest
	end   *border      // the end of what was read, or is to be read by Batch.load; see lastBorder
	spare chan *border // borders to reuse

	mu     sync.Mutex // guards inputs, which a writer reads in its own goroutine
	inputs []Opened   // the inputs opened so far
}

// NewReader returns a reader of the inputs. It opens no input: if an input does not exist, Next
// returns the error when it reaches that input.
func NewReader(in Input, opt Options) (*Reader, error) {
	if len(in.Names) == 0 {
		in.Names = []string{"-"}
	}
	if n := slices.Index(in.Names, "-"); n >= 0 && slices.Contains(in.Names[n+1:], "-") {
		return nil, fmt.Errorf("standard input is named twice")
	}
	p, err := newPaths(&opt)
	if err != nil {
		return nil, err
	}
	return &Reader{in: in, opt: opt, paths: p, named: in.Names, longest: max(p.most, blockSize), block: blockSize}, nil
}

// Notes returns messages about the inputs that have been opened: links that were left out, metadata of
// tables whose files may have deleted rows, and texts that are the base64 form of bytes.
func (r *Reader) Notes() []string { return r.notes }

// Next reads the next batch into b, or returns io.EOF.
func (r *Reader) Next(b *Batch) error {
	for {
		if err := r.Ahead(b); err != nil {
			return err
		}
		b.load()
		switch err := b.Cut; {
		case len(b.Records) > 0:
			return nil // the next call returns the error
		case err != nil:
			b.Cut = nil
			r.source.Close()
			r.source = nil
			return err
		}
	}
}

// Ahead is like Next, but may leave it to Batch.Decode to read the records, so that several goroutines
// share this work. All batches must then be decoded, beginning in reading order, because Decode waits
// until the batches before have been read. The records, their ordinals and their lines are unknown
// before. There may be none, and if they cannot be read, Decode sets Batch.Cut.
func (r *Reader) Ahead(b *Batch) error {
	for {
		if r.source == nil {
			if err := r.open(); err != nil {
				return err
			}
		}
		b.opt, b.name, b.file = &r.opt, r.name, r.file
		err := r.source.Next(b)
		if err == nil {
			if _, placed := r.source.(*placeSource); placed {
				return nil
			}
			if len(r.parts) > 0 && r.format == nil {
				b.partitioned(r.parts, r.table, r.joins)
			}
			if !r.isLines() {
				r.addRecords(b)
			}
			return nil
		}
		if err != io.EOF {
			err = cmp.Or(r.settle(), err) // the pieces before may be read from the file
		}
		if err == io.EOF && r.isLines() {
			err = nil // the goroutine that loads the last piece closes the file
		} else if cerr := r.source.Close(); err == io.EOF {
			err = cerr
		}
		if r.source = nil; err != nil {
			return err
		}
	}
}

// isLines reports whether the records of the open input are read by Batch.load.
func (r *Reader) isLines() bool {
	_, lines := r.source.(*lineSource)
	return lines
}

// addRecords numbers the records of b, which have been read.
func (r *Reader) addRecords(b *Batch) {
	t := r.lastBorder()
	b.number(t)
	t.ordinal, t.records = t.ordinal+int64(len(b.Records)), t.records+int64(len(b.Records))
	r.ordinal = t.ordinal
}

// open opens the next input, or returns io.EOF after the last one.
func (r *Reader) open() error {
	if names := r.in.Files; names != nil {
		r.source, r.in.Files, r.in.Names = newNameSource(names, nil, r), nil, nil
		return nil
	}
	if len(r.in.Names) == 0 {
		if err := r.settle(); err != nil {
			return err
		}
		// A failed copy can leave a file that looks complete, because it is empty or ends at a line
		// end.
		if r.ordinal < r.opt.Expect {
			return fmt.Errorf("read %s: want %d or more, as --expect says", msg.Number(r.ordinal, "record"), r.opt.Expect)
		}
		return io.EOF
	}
	name := r.in.Names[0]
	r.in.Names = r.in.Names[1:]
	if isDirectory(name) && !r.opt.Names {
		inside, notes, err := dataFiles(name) // dataFiles returns no directories
		if r.notes = append(r.notes, notes...); err != nil {
			return err
		}
		r.in.Names = append(inside, r.in.Names...)
		return r.open()
	}
	s, err := r.openStream(name)
	if err != nil {
		return err
	}
	s.jobs = r.in.Jobs
	if called, ok := r.in.Called[name]; ok {
		s.Name = called
	}
	r.name, r.file = s.Name, filepath.Clean(s.Name)
	r.mu.Lock()
	r.inputs = append(r.inputs, Opened{Name: r.name, First: unknown})
	r.mu.Unlock()
	if r.parts = nil; !r.opt.NoPartitions && !r.opt.Names && !r.paths.lines {
		r.parts = PartitionsOf(r.name)
	}
	if r.source, err = r.sourceOf(s); err == nil && !r.isLines() {
		if err = r.settle(); err == nil {
			r.beginInput(r.end, len(r.inputs)-1)
		}
	}
	return err
}

// openStream opens an input, or its decoded bytes if they have been kept.
func (r *Reader) openStream(name string) (*Stream, error) {
	if decoded, _ := r.in.Decoded.open(name); decoded != nil {
		return &Stream{Name: name, r: decoded, plain: true, regular: true}, nil
	}
	s, err := openRaw(name, r.in.Stdin)
	if err != nil {
		return nil, err
	}
	err = r.in.Openings.check(name, s.file)
	if err == nil && r.in.Part > 0 {
		err = s.limit(r.in.Part)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	if r.in.Part == 0 && name != "-" {
		s.copied = func(src io.Reader) io.Reader { return r.in.Decoded.copyDecoded(name, src) }
	}
	return s, nil
}

// unknown is the ordinal of the first record of an input while the inputs before it are being read.
const unknown = -1

// beginInput notes that the n-th input begins at a border.
func (r *Reader) beginInput(t *border, n int) {
	r.mu.Lock()
	r.inputs[n].First = t.ordinal
	r.mu.Unlock()
	t.begun.clear()
	t.records, t.line = 0, 0
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return name != "-" && err == nil && info.IsDir()
}

// FilesOf returns the data files of an operand: those below a directory, or the name itself if it is not
// a directory. The files below a directory have the suffix of a data format, and are sorted by name.
// FilesOf follows links to files, and the directory itself may be a link, but links to directories below
// it are left out. So are files and directories with names that begin with a dot or with _, which dataset
// writers use for metadata, and metadataFiles. A directory that holds a collection is an error.
func FilesOf(name string) ([]string, error) {
	if isDirectory(name) {
		names, _, err := dataFiles(name)
		return names, err
	}
	return []string{name}, nil
}

// metadataFiles lists the names of JSON files that describe the data files beside them.
var metadataFiles = []string{"dataset_dict.json", "dataset_info.json", "state.json"}

// dataFiles returns the data files below a directory, and notes about what may be missed or read by mistake.
func dataFiles(dir string) (names, notes []string, err error) {
	links, linked := 0, ""
	root := strings.TrimRight(dir, "/") + "/" // so that a link is followed
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		base := filepath.Base(name)
		switch {
		case err != nil || name == root:
			return err
		case base == "_delta_log" || base == ".hoodie":
			notes = append(notes, fmt.Sprintf("%s: the data files of this table may have rows that were deleted from it", name))
			return filepath.SkipDir
		case strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"):
			if entry.IsDir() {
				return filepath.SkipDir
			}
		case entry.Type()&fs.ModeSymlink != 0 && isDirectory(name):
			if links++; links == 1 {
				linked = name
			}
		case dataform.KindOf(name).Name != "" && !slices.Contains(metadataFiles, base):
			if place := filepath.Dir(name); base == "collection.json" && kind.IsCollection(place) {
				err := fmt.Errorf("%s: a collection, not a dataset", place)
				return msg.WithHint(err, "--index and --against of doppel fuzzy and doppel exact read collections; doppel index lists and exports them")
			}
			if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
				names = append(names, name) // opening the file will report why Stat failed
			}
		}
		return nil
	})
	if links > 0 {
		notes = append(notes, fmt.Sprintf("%s: links to directories are left out: %s, such as %s", dir, msg.Number(links, "link"), linked))
	}
	if err == nil && len(names) == 0 && links > 0 {
		err = msg.WithHint(fmt.Errorf("%s: the directory has no data files", dir), "links to directories are not followed: name %s instead", linked)
	} else if err == nil && len(names) == 0 {
		err = msg.WithHint(fmt.Errorf("%s: the directory has no data files", dir), "data files have names that end in .jsonl, .json, .ndjson, .parquet, .csv or .tsv, which .gz, .zst, .bz2 or .xz may follow")
	}
	return names, notes, err
}
