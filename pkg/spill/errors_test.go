package spill

import (
	"cmp"
	"errors"
	"io"
	"os"
	"syscall"
	"testing"
)

func TestErrors(t *testing.T) {
	full := func(l *Log) error {
		f, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
		l.files = []*os.File{f}
		return err
	}
	cut := func(l *Log) error {
		l.flush()
		l.wait()
		return l.files[0].Truncate(l.size - 1)
	}
	for _, tc := range []struct {
		name   string
		tmp    string
		before func(*Log) error // called before the first entry is added
		after  func(*Log) error // called after the last entry is added
		want   error
	}{
		{"no directory", "/none", nil, nil, os.ErrNotExist},
		{"no room", "", full, nil, syscall.ENOSPC},
		{"lost bytes", "", nil, cut, io.ErrUnexpectedEOF},
		{"closed", "", nil, (*Log).Close, os.ErrClosed},
	} {
		t.Setenv("TMPDIR", t.TempDir()+tc.tmp)
		s, sorter := new(Spool[[2]uint64]), NewSorter[[2]uint64](1, 0)
		for _, l := range []*Log{&s.log, &sorter.spool.log} {
			if tc.before != nil && tc.before(l) != nil {
				t.Fatal("no " + tc.name)
			}
		}
		var errs [2]error
		for i := range uint64(50_000) {
			errs[0] = cmp.Or(errs[0], s.Add([2]uint64{i}))
			errs[1] = cmp.Or(errs[1], sorter.Add(0, [2]uint64{i}))
		}
		for i, l := range []*Log{&s.log, &sorter.spool.log} {
			if tc.after != nil && tc.after(l) != nil {
				t.Fatal("no " + tc.name)
			}
			if (errs[i] != nil) != (tc.after == nil) {
				t.Errorf("%s: writing gives %v", tc.name, errs[i])
			}
		}
		nop := func([2]uint64) error { return nil }
		_, sorted := sorter.Sorted(0)
		for what, err := range map[string]error{"spool": s.Each(nop), "sorter": sorter.Each(0, nop), "sorted": sorted} {
			if !errors.Is(err, tc.want) {
				t.Errorf("%s: the %s gives %v", tc.name, what, err)
			}
		}
		if _, err := s.log.Write(nil); !errors.Is(err, tc.want) && tc.after == nil {
			t.Errorf("%s: the log then gives %v", tc.name, err)
		}
	}
}

func TestStops(t *testing.T) {
	var s Spool[uint64]
	sorter := NewSorter[[1]uint64](1, 0)
	for i := range uint64(100) {
		s.Add(i)
		sorter.Add(0, [1]uint64{i})
	}
	stop := errors.New("stop")
	if err := s.Each(func(uint64) error { return stop }); err != stop {
		t.Error(err)
	}
	if err := sorter.Each(0, func([1]uint64) error { return stop }); err != stop {
		t.Error(err)
	}
}
