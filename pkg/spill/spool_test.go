package spill

import (
	"fmt"
	"testing"
)

func TestSpool(t *testing.T) {
	var s Spool[[1]uint64]
	const n = 100001
	for i := range uint64(n) {
		s.Add([1]uint64{i})
	}
	for range 2 {
		want := uint64(0)
		err := s.Each(func(e [1]uint64) error {
			if e[0] != want {
				return fmt.Errorf("entry %d is %d", want, e[0])
			}
			want++
			return nil
		})
		if err != nil || want != n || s.Len() != n {
			t.Error(want, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Each(func([1]uint64) error { return nil }); err == nil {
		t.Error("reading a closed spool: no error")
	}
}
