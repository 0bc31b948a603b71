package collection

import (
	"errors"
	"fmt"
	"path/filepath"

	"doppel/pkg/digest"
)

// Check reads every file of the collection in a directory, and passes each fault to report: a file
// that is missing or has another size or checksum, keys out of order, and counts that differ from
// those of the manifest. An error means that the check is not complete. A fault names its file.
//
// Cost: every byte is read twice, and every text decompressed.
func Check(dir string, report func(fault error)) error {
	m, err := readManifest(dir)
	if errors.Is(err, ErrNone) {
		return err
	}
	if err != nil {
		report(err)
		return nil
	}
	for _, about := range m.Segments {
		files := []File{about.Keys.File, about.Texts.File}
		if about.Gone != nil {
			files = append(files, *about.Gone)
		}
		faults := 0
		for _, f := range files {
			if err := checkSum(dir, f); err != nil {
				faults++
				report(err)
			}
		}
		if faults > 0 {
			continue
		}
		if err := checkSegment(dir, m.Scheme, about); err != nil {
			report(err)
		}
	}
	return nil
}

// checkSum returns an error if a file differs from its description.
func checkSum(dir string, about File) error {
	f, err := openFile(dir, about)
	if err != nil {
		return err
	}
	defer f.Close()
	_, sum, err := digest.Hash{}.SumOf(f)
	if err == nil && sum != about.XXH3 {
		err = fmt.Errorf("%s: %w", filepath.Join(dir, about.Name), errSum)
	}
	return err
}

// checkSegment returns an error if the files of a segment contradict the manifest or one another.
func checkSegment(dir string, scheme Scheme, about Segment) error {
	s, err := openSegment(dir, about)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.checkKeys(layoutOf(scheme, about.Records)); err != nil {
		return err
	}
	var r frameReader
	plain := int64(0)
	err = s.eachFrame(&r, func(number int64) error {
		plain += r.info.raw
		return r.unpack(s.records, number)
	})
	if err == nil && plain != about.Texts.Plain {
		err = fileError(s.records, "%d bytes before compression, but the manifest says %d", plain, about.Texts.Plain)
	}
	return err
}

// checkKeys reads all keys in order, and compares them with the directory.
func (s *segment) checkKeys(l layout) error {
	r, search := s.readKeys(l), newSearcher(s, l, 0)
	for {
		more, err := r.more()
		if err != nil || !more {
			return err
		}
		first, err := search.firstBucket(r.next - 1)
		if err != nil {
			return err
		}
		if first != r.keys[0].Bucket {
			return fileError(s.keys, "page %d: the directory says another bucket", r.next-1)
		}
		for _, k := range r.keys {
			if int64(k.Record) >= s.Records {
				return fileError(s.keys, "page %d: record %d of %d", r.next-1, k.Record, s.Records)
			}
		}
		r.at = len(r.keys)
	}
}
