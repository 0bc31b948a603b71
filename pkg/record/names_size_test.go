package record

import (
	"fmt"
	"os"
	"testing"
)

// TestFileSizes checks that a file is refused if it, or its text in UTF-8, has too many bytes.
func TestFileSizes(t *testing.T) {
	t.Chdir(t.TempDir())
	utf16 := "\xff\xfe"
	for range 8 {
		utf16 += "\x00\x4e" // two bytes for each character, which has three in UTF-8
	}
	for name, content := range map[string]string{"short": "12345678901234567890", "long": "123456789012345678901", "wide": utf16} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rd, err := NewReader(stdin("short\nlong\nwide\n"), Options{Names: true, Decomposed: "--unicode NFKD"})
	if err != nil {
		t.Fatal(err)
	}
	if err = rd.open(); err != nil {
		t.Fatal(err)
	}
	n := rd.source.(*nameSource)
	if n.most != MaxDecomposed {
		t.Errorf("at most %d bytes, want %d", n.most, MaxDecomposed)
	}
	n.most = 20
	var b Batch
	if err := rd.Ahead(&b); err != nil {
		t.Fatal(err)
	}
	b.Decode()
	limit := "bytes, more than 186M, the limit with --unicode NFKD"
	for i, want := range []string{"<nil>", "<stdin>:2: long: 21 " + limit, "<stdin>:3: wide: 24 " + limit} {
		if got := fmt.Sprint(b.Records[i].Err); got != want {
			t.Errorf("%s: %s, want %s", b.Records[i].Raw, got, want)
		}
	}
}
