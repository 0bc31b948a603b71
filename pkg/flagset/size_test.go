package flagset

import "testing"

func TestSize(t *testing.T) {
	for in, want := range map[string]Size{"1": 1, "512M": 512 << 20, "1k": 1024, "3GB": 3 << 30, "2T": 2 << 40, "1KiB": 1024, "5gib": 5 << 30} {
		var z Size
		if err := z.Set(in); err != nil || z != want {
			t.Errorf("%s: %d, %v", in, z, err)
		}
		again := z
		if err := again.Set(z.String()); err != nil || again != z {
			t.Errorf("%s: %s is read as %d", in, z.String(), again)
		}
	}
	for in, want := range map[string]Offset{"0": 0, "00": 0, "4K": 4096} {
		o := NoOffset
		if err := o.Set(in); err != nil || o != want {
			t.Errorf("offset %s: %d, %v", in, o, err)
		}
	}
	for _, in := range []string{"", "-1", "-0", "x"} {
		if err := new(Offset).Set(in); err == nil {
			t.Errorf("offset %q: no error", in)
		}
	}
	for _, in := range []string{"", "M", "-1", "0", "1.5M", "1X", "1iB", "1Ki", "1KiiB", "KiB", "99999999999T"} {
		if err := new(Size).Set(in); err == nil {
			t.Errorf("%q: no error", in)
		}
	}
}
