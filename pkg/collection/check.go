package collection

import (
	"errors"
	"io/fs"
	"os"

	"doppel/pkg/digest"
)

// Check reads every file of the collection in a directory, and passes each fault to report: a file
// that is missing or has another size or checksum, keys out of order, and counts that differ from
// those of the manifest. An error means that the check is not complete. A fault names its file. The
// collection may be changed meanwhile: all files are opened at first, as in Open.
//
// Cost: every byte is read twice, and every text decompressed.
func Check(dir string, report func(fault error)) error {
	m, segments, err := openToCheck(dir)
	if errors.Is(err, ErrNone) {
		return err
	}
	if err != nil {
		report(err)
		return nil
	}
	for _, s := range segments {
		defer s.close()
	}
	for _, s := range segments {
		for _, f := range []*os.File{s.keys, s.records, s.signatures} {
			if err := s.checkSum(f); err != nil {
				s.faults = append(s.faults, err)
			}
		}
		if len(s.faults) == 0 {
			if err := s.check(m.Scheme); err != nil {
				report(err)
			}
		}
		for _, fault := range s.faults {
			report(fault)
		}
	}
	return nil
}

// A checkedSegment is a segment whose files are nil if they could not be opened.
type checkedSegment struct {
	*segment
	faults []error // errors in opening the files
}

// openToCheck reads the manifest and opens the files of all segments. If a file is missing because
// another process has replaced the manifest, it begins again.
func openToCheck(dir string) (*manifest, []checkedSegment, error) {
	for {
		m, err := readManifest(dir)
		if err != nil {
			return nil, nil, err
		}
		var segments []checkedSegment
		missing := false
		for _, about := range m.Segments {
			s := openEach(dir, about)
			segments = append(segments, s)
			missing = missing || errors.Is(errors.Join(s.faults...), fs.ErrNotExist)
		}
		if !missing {
			return m, segments, nil
		}
		if now, err := readManifest(dir); err != nil || now.XXH3 == m.XXH3 {
			return m, segments, nil
		}
		for _, s := range segments {
			s.close()
		}
	}
}

// openEach opens the files of a segment. Its marks are read and checked at once.
func openEach(dir string, about Segment) checkedSegment {
	s := checkedSegment{segment: &segment{Segment: about}}
	var errs [4]error
	s.keys, errs[0] = openFile(dir, about.Keys.File)
	s.records, errs[1] = openFile(dir, about.Texts.File)
	if about.Signatures != nil {
		s.signatures, errs[2] = openFile(dir, *about.Signatures)
	}
	if about.Gone != nil {
		s.gone, errs[3] = readMarks(dir, about)
	}
	for _, err := range errs {
		if err != nil {
			s.faults = append(s.faults, err)
		}
	}
	return s
}

// checkSum returns an error if one of the segment's files, which may be nil, has another checksum
// than the manifest says.
func (s *segment) checkSum(f *os.File) error {
	if f == nil {
		return nil
	}
	about := s.Keys.File
	switch f {
	case s.records:
		about = s.Texts.File
	case s.signatures:
		about = *s.Signatures
	}
	_, sum, err := digest.Hash{}.SumOf(f)
	if err == nil && sum != about.XXH3 {
		err = fileError(f, "%w", errSum)
	}
	return err
}

// check returns an error if the files of a segment contradict the manifest or one another.
func (s *segment) check(how Scheme) error {
	if err := s.checkKeys(layoutOf(how, s.Records)); err != nil {
		return err
	}
	if s.signatures != nil {
		if err := s.checkSignatures(blockingOf(how)); err != nil {
			return err
		}
	}
	var r frameReader
	plain := int64(0)
	err := s.eachFrame(&r, func(number int64) error {
		plain += r.info.raw
		return r.unpack(s.records, number)
	})
	if err == nil && plain != s.Texts.Plain {
		err = fileError(s.records, "%d bytes before compression, but the manifest says %d", plain, s.Texts.Plain)
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
