package zst_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"doppel/pkg/record/zst"
	"doppel/pkg/stage/stagetest"
)

// TestProgram checks that the program zstd reads frames of all sizes that follow one another.
func TestProgram(t *testing.T) {
	stagetest.Need(t, "the frames that the program zstd reads", "zstd")
	var text, all, packed []byte
	for n := range 1 << 18 {
		text = fmt.Appendf(text, "line %d of a text, and %x\n", n, n*n)
	}
	encode := zst.NewEncoder(1)
	for _, n := range []int{0, 1, 255, 256, 65791, 65792, 131072, 131073, 1 << 22, 1<<22 + 1, 9 << 20} {
		all, packed = append(all, text[:n]...), encode(packed, text[:n])
	}
	name := filepath.Join(t.TempDir(), "frames.zst")
	if err := os.WriteFile(name, packed, 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command("zstd", "-dc", name).Output()
	if err != nil || !bytes.Equal(got, all) {
		t.Errorf("%d of %d bytes: %v", len(got), len(all), err)
	}
}
