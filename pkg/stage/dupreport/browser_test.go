package dupreport_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"doppel/pkg/line/cell"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/stage/stagetest"
	"doppel/pkg/tool"
)

// attack is a record's text that tries to run code in the browser that shows the page.
const attack = `<script>document.title='run';fetch('http://evil.test/a')</script>` +
	`<img src="http://evil.test/b" onerror="document.title='run'"><svg onload="document.title='run'"/>` +
	`</details></div></style><style>@import "http://evil.test/c"</style><link rel=stylesheet href="http://evil.test/d">` +
	"\x1b]0;run\x07\u202egnp.exe \xff"

// browserHosts matches hosts that the browser contacts for its own purposes, independently of the
// page.
var browserHosts = regexp.MustCompile(`\.(google|googleapis|gvt1)\.com(:443)?$`)

// A loadedPage is the result of loading a page in a browser.
type loadedPage struct {
	requests []string // methods and addresses of the page's requests
	dom, log string   // dom: resulting document; log: messages on standard error
}

// openInBrowser opens a page in Chromium. All requests of the browser go through a proxy that
// serves only the page.
func openInBrowser(t *testing.T, page []byte) (s loadedPage) {
	t.Helper()
	const address = "http://report.test/page.html"
	var mu sync.Mutex
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if !browserHosts.MatchString(r.Host) {
			s.requests = append(s.requests, r.Method+" "+r.RequestURI)
		}
		mu.Unlock()
		if r.RequestURI != address {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write(page)
	}))
	defer proxy.Close()
	var dom, log bytes.Buffer
	c := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--no-first-run", "--enable-logging=stderr",
		"--user-data-dir="+t.TempDir(), "--proxy-server="+proxy.URL, "--virtual-time-budget=5000", "--dump-dom", address)
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	c.Stdout, c.Stderr = &dom, &log
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	mu.Lock()
	defer mu.Unlock()
	s.dom, s.log = dom.String(), log.String()
	return s
}

// console returns the page's console messages.
func (s loadedPage) console() (lines []string) {
	for l := range strings.Lines(s.log) {
		if strings.Contains(l, "CONSOLE") {
			lines = append(lines, l)
		}
	}
	return lines
}

// hostilePage returns the page of a run that drops most of its records. One record has a text of 10
// MB; the texts of the others contain the attack.
func hostilePage(t *testing.T) []byte {
	dir := t.TempDir()
	records, decisions, scores := filepath.Join(dir, "r.jsonl"), filepath.Join(dir, "d"), filepath.Join(dir, "s")
	text := []string{attack, attack + " again", strings.Repeat("x", 10<<20), attack + strings.Repeat(" word", 1<<17) + attack}
	var r, d, s bytes.Buffer
	for i, one := range text {
		r.Write(append(cell.AppendJSON([]byte(`{"text":`), []byte(one)), fmt.Sprintf(`,"host":"<b>%d</b>"}`+"\n", i)...))
		if i > 0 {
			fmt.Fprintf(&d, "drop\t%d\t0\t0.8%d00\tscore>=0.8\n", i, i)
			fmt.Fprintf(&s, "0\t%d\t0.8%d00\n", i, i)
		}
	}
	for name, content := range map[string][]byte{records: r.Bytes(), decisions: d.Bytes(), scores: s.Bytes()} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var page, errs bytes.Buffer
	args := []string{"--records", records, "--decisions", decisions, "--scores", scores, "--by", "host", "--command", attack}
	if status := tool.Run(dupreport.Command(), tool.Std{Args: args, Stdin: strings.NewReader(""), Stdout: &page, Stderr: &errs}); status != 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	return page.Bytes()
}

// In a real browser, the only request is for the page itself, the console is empty and the page is
// complete. This shows that no text of a record runs as code.
func TestBrowser(t *testing.T) {
	stagetest.Need(t, t.Name(), "chromium")
	page := hostilePage(t)
	s := openInBrowser(t, page)
	if want := []string{"GET http://report.test/page.html"}; !slices.Equal(s.requests, want) {
		t.Errorf("requests: %q", s.requests)
	}
	if said := s.console(); len(said) > 0 {
		t.Errorf("the console: %q", said)
	}
	if !strings.Contains(s.dom, "<title>What was dropped, and why</title>") {
		t.Error("another title")
	}
	for what, want := range map[string]int{
		"<script": 0, "<img": 0, "<b>": 0, "<link": 0, "\u202e": 0, "\x1b": 0,
		"<svg": 1, `<rect class="b`: 21, `<line class="cut"`: 1, `<section`: 5,
		`<details class="p"`: 1 + 3 + 1 + 3, "</html>": 1,
	} {
		if n := strings.Count(s.dom, what); n != want {
			t.Errorf("%d times %s, want %d", n, what, want)
		}
	}
	if n := strings.Count(string(page), "<details"); strings.Count(s.dom, "<details") != n || n < 9 {
		t.Errorf("%d folds of %d", strings.Count(s.dom, "<details"), n)
	}
	if len(page) > 200_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// The attack succeeds if a page contains it unescaped, so the tests above would notice if the
// report did not escape it.
func TestAttackWorks(t *testing.T) {
	stagetest.Need(t, t.Name(), "chromium")
	s := openInBrowser(t, []byte("<!DOCTYPE html><title>x</title>"+attack))
	if !strings.Contains(s.dom, "<title>run</title>") || len(s.requests) < 4 || len(s.console()) == 0 {
		t.Errorf("the attack did not succeed: %q, %q, %s", s.requests, s.console(), s.dom)
	}
}
