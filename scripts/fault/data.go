//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A corpus is records whose copies are known, since they were planted.
type corpus struct {
	records []record
}

// A record is one line of JSON and what it is.
type record struct {
	line string
	text string
	role role
}

// A role says what a record is to those before it.
type role int

const (
	unique role = iota
	copied      // the text of an earlier one
	near        // that of an earlier one with another word: of 58 shingles 55 are shared
)

// newCorpus makes n records of 60 words. Of every ten one is a copy and one a
// near copy of an earlier unique one.
func newCorpus(r *rand.Rand, n int) *corpus {
	c := &corpus{}
	for i := range n {
		rec := record{text: sentence(r, 60)}
		switch i % 10 {
		case 5:
			rec.text, rec.role = c.records[i-4].text, copied
		case 8:
			words := strings.Fields(c.records[i-7-10*r.IntN(i/10+1)].text)
			words[20] = "changed" + letters(i)
			rec.text, rec.role = strings.Join(words, " "), near
		}
		rec.line = line(fmt.Sprintf("r%d", i), rec.text)
		c.records = append(c.records, rec)
	}
	return c
}

func line(id, text string) string {
	b, _ := json.Marshal(struct {
		ID   string `json:"id"`
		Text string `json:"text"`
		Size int    `json:"size"`
	}{id, text, len(text)})
	return string(b) + "\n"
}

// jsonl returns the records of the roles; all, if none is named.
func (c *corpus) jsonl(roles ...role) []byte {
	var b bytes.Buffer
	for _, r := range c.records {
		if len(roles) == 0 || r.in(roles) {
			b.WriteString(r.line)
		}
	}
	return b.Bytes()
}

// csv returns all records as rows behind a header.
func (c *corpus) csv() []byte {
	var b bytes.Buffer
	b.WriteString("id,text\n")
	for i, r := range c.records {
		fmt.Fprintf(&b, "r%d,\"%s\"\n", i, r.text)
	}
	return b.Bytes()
}

func (r record) in(roles []role) bool {
	for _, role := range roles {
		if r.role == role {
			return true
		}
	}
	return false
}

// sentence returns n words of some ten thousand, few of which occur twice.
func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = letters(r.IntN(26*26*26*26) + 26*26*26)
	}
	return strings.Join(words, " ")
}

// letters writes a number in letters.
func letters(n int) string {
	var b []byte
	for ; n > 0 || len(b) == 0; n /= 26 {
		b = append(b, byte('a'+n%26))
	}
	return string(b)
}

// message returns a mail with a text and an attachment.
func message(r *rand.Rand) []byte {
	return []byte("From: a@example.org\r\nSubject: " + sentence(r, 5) +
		"\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"b\"\r\n\r\n" +
		"--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
		strings.ReplaceAll(sentence(r, 80), " q", "=20=\r\nq") +
		"\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\nAAECAwQFBgcICQ==\r\n--b--\r\n")
}
