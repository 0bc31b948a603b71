package same

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestOtherContent checks that messages with one Message-ID are not copies if a mail program may show
// anything else. The header of the second message of each pair is that of the first one.
func TestOtherContent(t *testing.T) {
	page := func(markup string) string { return "Content-Type: text/html\n\n<p>" + long + "</p>" + markup }
	encoded := func(coding, text string) string { return "Content-Transfer-Encoding: " + coding + "\n\n" + text }
	multipart := func(kind string, parts ...string) string {
		return "Content-Type: multipart/" + kind + "; boundary=b\n\n--b\n" + strings.Join(parts, "\n--b\n") + "\n--b--\n"
	}
	png := "Content-Type: image/png\nContent-Transfer-Encoding: base64\n"
	forwarded := func(field string) string {
		return "Content-Type: message/rfc822\n\n" + field + "\nSubject: x\n\n" + long
	}
	for name, c := range map[string][2]string{
		"srcset":                   {page(`<img srcset="https://x/1 2x">`), page(`<img srcset="https://x/2 2x">`)},
		"a background":             {page(`<table background=https://x/1>`), page(`<table background=https://x/2>`)},
		"a url in a style":         {page(`<div style="background:url(https://x/1)">`), page(`<div style="background:url(https://x/2)">`)},
		"a url in a style sheet":   {page(`<style>p{background:url(https://x/1)}</style>`), page(`<style>p{background:url(https://x/2)}</style>`)},
		"a base":                   {page(`<base href=https://x/>`), page(`<base href=https://y/>`)},
		"a form":                   {page(`<button formaction=https://x/>`), page(`<button formaction=https://y/>`)},
		"an object":                {page(`<object data=https://x/>`), page(`<object data=https://y/>`)},
		"VML":                      {page(`<v:fill src=https://x/>`), page(`<v:fill src=https://y/>`)},
		"SVG":                      {page(`<svg><image xlink:href=https://x/></svg>`), page(`<svg><image xlink:href=https://y/></svg>`)},
		"a refresh":                {page(`<meta http-equiv=refresh content="0;https://x/">`), page(`<meta http-equiv=refresh content="0;https://y/">`)},
		"an alternative text":      {page(`<img src=x alt=yes>`), page(`<img src=x alt=no>`)},
		"a title":                  {page(`<abbr title=yes>`), page(`<abbr title=no>`)},
		"a value":                  {page(`<input value=1>`), page(`<input value=2>`)},
		"a check":                  {page(`<input type=checkbox checked>`), page(`<input type=checkbox>`)},
		"a list's start":           {page(`<ol start=1><li>a</ol>`), page(`<ol start=2><li>a</ol>`)},
		"deleted text":             {page(`<del>no</del>`), page(`<ins>no</ins>`)},
		"an exponent":              {page(`10<sup>6</sup>`), page(`10<sub>6</sub>`)},
		"two values of display":    {page(`<p style="display:none;display:block">a`), page(`<p style="display:none">b`)},
		"a hidden element":         {page(`<p style="visibility:hidden">a<b style="visibility:visible">b`), page(`<p style="visibility:hidden">a<b>b`)},
		"no height":                {page(`<p style="max-height:0">a`), page(`<p style="max-height:0">b`)},
		"Outlook":                  {page(`<p style="mso-hide:all">a`), page(`<p style="mso-hide:all">b`)},
		"a conditional comment":    {page(`<!--[if mso]>a<![endif]-->`), page(`<!--[if mso]>b<![endif]-->`)},
		"space in HTML":            {page(`<b>now</b> here`), page(`<b>now</b>here`)},
		"no base64":                {encoded("base64", "ABCD*EFGH"), encoded("base64", "ABCD+EFGH")},
		"text as base64":           {encoded("base64", "We meet at five, not at six."), encoded("base64", "We meet at five; not at six!")},
		"no quoted-printable":      {encoded("quoted-printable", "a=Zb"), encoded("quoted-printable", "a=3DZb")},
		"an unknown encoding":      {encoded("x-uuencode", "abc"), encoded("8bit", "abc")},
		"characters without shape": {"Content-Type: text/plain; charset=shift_jis\n\na\x80b", "Content-Type: text/plain; charset=shift_jis\n\na\xa0b"},
		"utf-7":                    {"Content-Type: text/plain; charset=utf-7\n\na+AA-b", "Content-Type: text/plain; charset=utf-7\n\na+AAA-b"},
		"an external body":         {"Content-Type: message/external-body; name=a\n\nx", "Content-Type: message/external-body; name=b\n\nx"},
		"a part of a message":      {"Content-Type: message/partial; id=a; number=1\n\nx", "Content-Type: message/partial; id=a; number=2\n\nx"},
		"From of a forward":        {forwarded("From: a@x"), forwarded("From: b@x")},
		"Date of a forward":        {forwarded("Date: Mon, 16 Nov 2026 10:00:00 +0000"), forwarded("Date: Mon, 16 Nov 2026 11:00:00 +0000")},
		"a third alternative":      {multipart("alternative", "\ntext", "Content-Type: text/enriched\n\n<x>a", "Content-Type: text/html\n\ntext"), multipart("alternative", "\ntext", "Content-Type: text/enriched\n\n<x>b", "Content-Type: text/html\n\ntext")},
		"the root of a page":       {multipart("related; start=\"<1>\"", "\ntext"), multipart("related; start=\"<2>\"", "\ntext")},
		"after the last part":      {multipart("mixed", "\ntext") + "a", multipart("mixed", "\ntext") + "b"},
		"no boundary":              {"Content-Type: multipart/mixed; boundary=x\n\ntext", "\ntext"},
		"two types":                {"Content-Type: multipart/mixed; boundary=b\nContent-Type: multipart/mixed; boundary=c\n\n--b\n\ntext\n--b--\n--c\n\na", "Content-Type: multipart/mixed; boundary=b\nContent-Type: multipart/mixed; boundary=c\n\n--b\n\ntext\n--b--\n--c\n\nb"},
		"a file name":              {png + "Content-Disposition: attachment; filename=yes.png\n\nQUJD", png + "Content-Disposition: attachment; filename=no.png\n\nQUJD"},
		"images exchanged":         {multipart("related", png+"Content-ID: <1>\n\nQUJD", png+"Content-ID: <2>\n\nREVG"), multipart("related", png+"Content-ID: <2>\n\nQUJD", png+"Content-ID: <1>\n\nREVG")},
		"space before a mark":      {"\nThe value is 3 -2.\n", "\nThe value is 3-2.\n"},
		"an asterisk":              {"\nThe value is 3 * 2.\n", "\nThe value is 3 2.\n"},
		"columns":                  {"\nname  yes   no\nBob   x\n", "\nname  yes   no\nBob         x\n"},
		"who is quoted":            {"\nA> yes\n", "\nB> yes\n"},
		"a quote in a quote":       {"\n> yes\n", "\n> > yes\n"},
		"flags":                    {"\n\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f\n", "\n\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f\n"},
		"the order of letters":     {"\npay \u202e12 EUR\n", "\npay 12 EUR\n"},
		"a control character":      {"\na\x1bb\n", "\na b\n"},
		"an unknown charset":       {"Content-Type: text/plain; charset=hz-gb-2312\n\n~{<:Ky~}", "\n~{<:Ky~}"},
		"the place of a picture":   {multipart("mixed", "\na", png+"\nQUJD", "\nb"), multipart("mixed", "\na", "\nb", png+"\nQUJD")},
		"a mark on a symbol":       {"\n\u2713\u20e0\n", "\n\u2713\n"},
		"columns after a colon":    {"\nBob:     x\n", "\nBob:  x\n"},
		"columns of wide blanks":   {"\nBob\u3000\u3000x\n", "\nBob\u3000x\n"},
		"HTML as text":             {"Content-Type: text/html\n\nyes <!-- no -->", "\nyes <!-- no -->"},
		"a quoted From":            {"\n>>From now on\n", "\nFrom now on\n"},
		"a file of a forward":      {multipart("mixed", forwarded("From: a@x"), png+"\nQUJD"), "Content-Type: message/rfc822\n\nFrom: a@x\nSubject: x\n" + multipart("mixed", "\n"+long, png+"\nQUJD")},
		"two blocks":               {alternative(long+"-- \na\n", "<p>"+long+"</p>"), alternative(long, "<p>"+long+"</p><hr><p>b</p>")},
		"the end of a line":        {page(`<div>Pay <a href=x>Bob</a></div>`), page(`<div>Pay <a href=x>Bob</a> nothing</div>`)},
		"a block that hides":       {page(""), page(`<hr><style>p{display:none}</style>`)},
		"a block that covers":      {page(""), page(`<hr style="position:absolute"><p>a`)},
		"lines of a named text":    {multipart("mixed", "\n"+long, "Content-Type: text/csv; name=pay.csv\n\nBob,5\nAnn\n600,x"), multipart("mixed", "\n"+long, "Content-Type: text/csv; name=pay.csv\n\nBob,5\nAnn 600,x")},
		"a row after a line":       {multipart("mixed", "\n"+long, "Content-Type: text/csv; name=a.csv\n\na,1"), multipart("mixed", "\n"+long, "Content-Type: text/csv; name=a.csv\n\na,1\n-----\nb,2")},
		"the name of a text":       {multipart("mixed", "\n"+long, "Content-Type: text/plain; name=a.txt\n\nsame"), multipart("mixed", "\n"+long, "Content-Type: text/plain; name=b.txt\n\nsame")},
		"lines of a script":        {multipart("mixed", "\n"+long, "Content-Type: text/x-sh\n\n# do not\nrm -rf /"), multipart("mixed", "\n"+long, "Content-Type: text/x-sh\n\n# do not rm -rf /")},
		"lines of a calendar":      {multipart("alternative", "\n"+long, "Content-Type: text/calendar\n\nSUMMARY:Meeting\nSTATUS:CANCELLED"), multipart("alternative", "\n"+long, "Content-Type: text/calendar\n\nSUMMARY:Meeting STATUS:CANCELLED")},
		"a calendar":               {"Content-Type: text/calendar; method=REQUEST\n\nSUMMARY:Meeting\nSTATUS:CANCELLED\n", "Content-Type: text/calendar; method=REQUEST\n\nSUMMARY:Meeting STATUS:CANCELLED\n"},
		"bytes of a file name":     {multipart("mixed", "\n"+long, "Content-Type: application/pdf\nContent-Disposition: attachment; filename*=''J%E4r.pdf\n\nx"), multipart("mixed", "\n"+long, "Content-Type: application/pdf\nContent-Disposition: attachment; filename*=''J%F6r.pdf\n\nx")},
		"a charset of a name":      {multipart("mixed", "\n"+long, "Content-Type: application/pdf\nContent-Disposition: attachment; filename*=x-foo''J%E4r.pdf\n\nx"), multipart("mixed", "\n"+long, "Content-Type: application/pdf\nContent-Disposition: attachment; filename*=x-foo''J%F6r.pdf\n\nx")},
		"a word as a name":         {multipart("mixed", "\n"+long, "Content-Type: application/pdf\nContent-Disposition: attachment; filename=\"=?us-ascii?Q?J=E4r?=\"\n\nx"), multipart("mixed", "\n"+long, "Content-Type: application/pdf\nContent-Disposition: attachment; filename=\"=?us-ascii?Q?J=F6r?=\"\n\nx")},
		"the charset of a file":    {multipart("mixed", "\n"+long, "Content-Type: text/html; charset=koi8-r; name=a.html\nContent-Disposition: attachment\n\n\xf0\xd2"), multipart("mixed", "\n"+long, "Content-Type: text/html; charset=windows-1251; name=a.html\nContent-Disposition: attachment\n\n\xf0\xd2")},
		"who sent a forward again": {forwarded("Resent-To: q@x"), forwarded("Resent-To: z@x")},
		"blanks in a target":       {page(`<a href="https://x/a  b">x</a>`), page(`<a href="https://x/a b">x</a>`)},
		"a line in a target":       {page("<a href='https://x/a\nb'>x</a>"), page(`<a href='https://x/a b'>x</a>`)},
		"blanks of a source":       {page(`<img src = "https://x/a b">`), page(`<img src = "https://x/ab">`)},
		"lines of a pre":           {page("<pre>a\nb</pre>"), page("<pre>a b</pre>")},
		"blanks of a pre":          {page("<pre>a   b</pre>"), page("<pre>a b</pre>")},
		"an indent in a pre":       {page("<pre><b>x</b>\n  a</pre>"), page("<pre><b>x</b>\n a</pre>")},
		"white space by a style":   {page(`<p style="white-space:pre">a  b`), page(`<p style="white-space:pre">a b`)},
		"no-break spaces":          {page("Bob\u00a0\u00a0\u00a0x"), page("Bob\u00a0x")},
		"columns of HTML":          {page("Bob\u00a0\u00a0\u00a0x"), "\n" + long + "\nBob x"},
		"an indent of one blank":   {"\nif a:\n b\nc\n", "\nif a:\n b\n c\n"},
		"an icon":                  {page(`<b style="font-family:FontAwesome">f</b>`), "\n" + long + "\nf"},
		"a table to the right":     {page(`<table align=right><tr><td>a</table>b`), "\n" + long + "\na\n\nb"},
		"a table":                  {page(`<table><tr><td>Bob<td><td>x</table>`), "\n" + long + "\nBob x"},
		"text beside the page":     {page(`<p style="margin-left:100%">a`), "\n" + long + "\na"},
		"text far away":            {page(`<p style="margin:0 0 0 99em">a`), "\n" + long + "\na"},
		"a block of a forward":     {forwarded("From: a@x") + "P.S.: no\n", forwarded("From: a@x")},
		"a head of a forward":      {"Content-Type: message/rfc822\n\nFrom: a@x\n\nNo\n-----\n" + long, "Content-Type: message/rfc822\n\nFrom: a@x\n\n" + long},
		"a shown picture":          {png + "Content-Disposition: inline\n\nQUJD", png + "Content-Disposition: attachment\n\nQUJD"},
		"two names of a file":      {png + "Content-Disposition: attachment; filename=a.png\n\nQUJD", "Content-Type: image/png; name=b.png\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=a.png\n\nQUJD"},
		"a name with blanks":       {png + "Content-Disposition: attachment; filename=a b.png\n\nQUJD", png + "Content-Disposition: attachment; filename=\"a b.png\"\n\nQUJD"},
		"a name with a backslash":  {png + "Content-Disposition: attachment; filename=\"a\\b.png\"\n\nQUJD", png + "Content-Disposition: attachment; filename=\"ab.png\"\n\nQUJD"},
		"a word as a file name":    {png + "Content-Disposition: attachment; filename=\"=?utf-8?q?a?=\"\n\nQUJD", png + "Content-Disposition: attachment; filename=a\n\nQUJD"},
		"a name in two forms":      {png + "Content-Disposition: attachment; filename=b; filename*=utf-8''a\n\nQUJD", png + "Content-Disposition: attachment; filename=a\n\nQUJD"},
		"two charsets":             {"Content-Type: text/plain; charset=iso-8859-1; charset=iso-8859-2\n\n\xa1", "Content-Type: text/plain; charset=iso-8859-1\n\n\xa1"},
		"the order of Hebrew":      {"Content-Type: text/plain; charset=iso-8859-8\n\n\xe0\xe1", "Content-Type: text/plain; charset=iso-8859-8-i\n\n\xe0\xe1"},
		"a cell":                   {page(`<table><tr><td>Bob</td>`), page(`<table><tr><td>Bob</td><td>not</td>`)},
	} {
		for _, header := range []string{head + id1, head + strings.Replace(id1, "1@", "9@", 1)} {
			a, b := read(head+id1+c[0]), read(header+c[1])
			for range 2 {
				if v := Compare(a, b); v.Copy {
					t.Errorf("%s: %+v", name, v)
				}
				a, b = b, a
			}
		}
		if v := Compare(read(head+id1+c[0]), read(head+id1+c[0])); !v.Copy {
			t.Errorf("%s: not a copy of itself: %+v", name, v)
		}
	}
}

// TestOrigin compares messages of the same content in both orders. By default, they have the same
// author and recipients, no Message-ID, and two dates.
func TestOrigin(t *testing.T) {
	notice := strings.Repeat("Only the people to whom this mail is sent may read it, and all others have to delete it. ", 4) + "\n"
	one := "Subject: The bridge\nFrom: Alice <alice@example.org>\nTo: x@example.org\nDate: Mon, 16 Nov 2026 10:00:00 +0000\n"
	two := strings.Replace(one, "10:00:00", "11:22:33", 1)
	id := "Message-ID: <1@example.org>\n"
	change := func(header, from, to string) string { return strings.Replace(header, from, to, 1) }
	for name, c := range map[string]struct {
		a, b, text string
		copy       bool
		why        string
	}{
		"a long text":                       {one, two, long, true, "equal"},
		"a signature":                       {one, two, "Yes, I will come.\n-- \n" + notice, false, "few words, other date"},
		"a notice":                          {one, two, "Yes, I will come.\n\n" + notice, false, "few words, other date"},
		"a notice after a line":             {one, two, "Yes, I will come.\n" + wrap(notice), false, "few words, other date"},
		"a notice after a rule":             {one, two, strings.Repeat("_", 40) + "\n" + notice, false, "few words, other date"},
		"a notice on top":                   {one, two, "CAUTION: this mail comes from an external sender, so " + notice + "\nYes.\n", false, "few words, other date"},
		"a salutation":                      {one, two, "Dear Bob,\n\n" + long, true, "equal"},
		"an answer without a field":         {change(one, "The", "Re: The"), change(two, "The", "RE: The"), long, false, "few words, other date"},
		"an answer, one date":               {change(one, "The", "Re: The"), change(one, "The", "RE: The"), "Yes.", true, "equal"},
		"two dates of one Message-ID":       {id + one, id + two, "backup: ok", false, "few words, other date"},
		"one Message-ID":                    {id + one, id + change(one, "Alice", "B"), "backup: ok", true, "equal"},
		"no clock":                          {change(one, "2026", "1970"), change(one, "2026", "1970"), "backup: ok", false, "few words, other date"},
		"few different words":               {one, two, wrap(strings.Repeat("host OK ", 30)), false, "few words, other date"},
		"another sender":                    {one + "Sender: a@x\n", one + "Sender: b@x\n", long, false, "other author"},
		"a recipient without an address":    {one + "Cc: Bob\n", one + "Cc: Eve\n", long, false, "other recipients"},
		"a tag of no list":                  {list + one, change(one, "The", "[CANCELLED] The"), long, false, "other subject"},
		"a tag of a list, two dates":        {list + change(one, "The", "[Talk] The"), two, long, false, "other subject"},
		"a tag of a list":                   {list + change(one, "The", "[Talk] The"), one, long, true, "equal but for a tag"},
		"midnight":                          {change(one, "10:", "00:"), change(one, "10:", "00:"), "backup: ok", false, "few words, other date"},
		"another name":                      {change(one, "Alice", "Ann"), two, long, false, "other author"},
		"another address for answers":       {one + "Reply-To: a@x\n", one + "Reply-To: b@x\n", long, false, "other author"},
		"an address for answers":            {one + "Reply-To: a@x\n", one, long, false, "other author"},
		"in the name of others":             {change(one, "Alice <alice", "A via S <s"), change(one, "Alice <alice", "B via S <s"), long, false, "other author"},
		"X-Original-From without a list":    {one + "X-Original-From: a@x\n", change(one, "alice@", "bob@") + "X-Original-From: a@x\n", long, false, "other author"},
		"two authors":                       {one + "From: b@example.org\n", one + "From: c@example.org\n", long, false, "unknown author"},
		"another recipient":                 {one, change(one, "x@", "y@"), long, false, "other recipients"},
		"a further recipient":               {one, one + "Cc: y@example.org\n", long, false, "other recipients"},
		"the order of recipients":           {change(one, "x@example.org", "X <x@example.org>, y@x"), change(one, "x@", "y@x, x@"), long, true, "equal"},
		"delivered to others":               {"Delivered-To: a@x\n" + one, "Delivered-To: b@x\n" + one, long, false, "other recipients"},
		"delivered to others, one mail":     {"Delivered-To: a@x\n" + id + one, "Delivered-To: b@x\n" + id + one, long, true, "equal"},
		"another recipient, one Message-ID": {id + one, id + change(one, "x@", "y@"), long, true, "equal"},
		"answers to two messages":           {"References: <1@x> <2@x>\n" + one, "References: <1@x> <3@x>\n" + one, long, false, "answers to two messages"},
		"a word in brackets":                {list + change(one, "The", "[not] The"), one, long, false, "other subject"},
		"a word in brackets, one ID":        {id + change(one, "The", "[CANCELLED] The"), id + one, long, false, "other subject"},
		"a number in brackets, one ID":      {list + id + change(one, "The", "[1/2] The"), id + one, long, false, "other subject"},
		"a number in Re":                    {id + change(one, "The", "Re[2]: The"), id + change(one, "The", "Re: The"), long, false, "other subject"},
		"bytes of a name":                   {change(one, "Alice", "J\xe4r"), change(one, "Alice", "J\xf6r"), long, false, "other author"},
		"bytes of a recipient":              {change(one, "x@", "J\xe4r@"), change(one, "x@", "J\xf6r@"), long, false, "other recipients"},
		"bytes in ASCII words":              {change(one, "Alice", "=?us-ascii?Q?J=E4r?="), change(one, "Alice", "=?us-ascii?Q?J=F6r?="), long, false, "other author"},
		"bytes of an unknown charset":       {change(one, "Alice", "=?x-foo?Q?J=E4r?="), change(one, "Alice", "=?x-foo?Q?J=F6r?="), long, false, "other author"},
		"bytes of a subject":                {id + change(one, "The", "=?us-ascii?Q?=A3?="), id + change(one, "The", "=?us-ascii?Q?=A5?="), long, false, "other subject"},
		"names of zones":                    {change(one, "+0000", "EST"), change(one, "+0000", "PST"), "Yes, I agree.", false, "few words, other date"},
		"names of zones, one ID":            {id + change(one, "+0000", "EST"), id + change(one, "+0000", "PST"), "Yes, I agree.", false, "few words, other date"},
		"one date in two zones":             {change(one, "+0000", "GMT"), change(one, "10:00:00 +0000", "11:00:00 +0100 (CET)"), "Yes, I agree.", true, "equal"},
		"a placeholder of blanks":           {"Message-ID: < @ >\n" + one, "Message-ID: < @ >\n" + change(one, "x@", "y@"), long, false, "other recipients"},
		"a placeholder of a template":       {"Message-ID: <%MSGID%@x.org>\n" + one, "Message-ID: <%MSGID%@x.org>\n" + change(one, "x@", "y@"), long, false, "other recipients"},
		"a placeholder in brackets":         {"Message-ID: <{{id}}@x.org>\n" + one, "Message-ID: <{{id}}@x.org>\n" + change(one, "x@", "y@"), long, false, "other recipients"},
		"a placeholder in a word":           {"Message-ID: <null@x.org>\n" + one, "Message-ID: <null@x.org>\n" + change(one, "x@", "y@"), long, false, "other recipients"},
		"a usual Message-ID":                {"Message-ID: <000001c9$5d4a$0a@[10.0.0.1]> (x)\n" + one, "Message-ID: <000001c9$5d4a$0a@[10.0.0.1]>\n" + change(one, "x@", "y@"), long, true, "equal"},
		"sent again after days":             {one, change(one, "Mon, 16", "Fri, 20"), long, true, "equal"},
		"a reminder of the next week":       {one, change(one, "Mon, 16", "Mon, 23"), long, false, "other date"},
		"a reminder of another year":        {one, change(one, "2026", "2027"), long, false, "other date"},
		"no date to compare":                {one, change(two, "Date: ", "X: "), long, false, "other date"},
		"an alert of the next day":          {change(one, "alice@", "root@"), change(two, "alice@", "root@"), long, false, "other date"},
		"sent by a program":                 {"Auto-Submitted: auto-generated\n" + one, "Auto-Submitted: auto-generated\n" + two, long, false, "other date"},
		"sent by a program, one date":       {"Auto-Submitted: auto-generated\n" + one, "Auto-Submitted: auto-generated\n" + one, long, true, "equal"},
		"two Message-IDs":                   {id + id + one, id + id + two, "backup: ok", false, "few words, other date"},
	} {
		a, b := read(c.a+"\n"+c.text), read(c.b+"\n"+c.text)
		for range 2 {
			if v := Compare(a, b); v.Copy != c.copy || v.Why != c.why {
				t.Errorf("%s: %+v, want %q", name, v, c.why)
			}
			a, b = b, a
		}
	}
}

// TestMarkRepeated checks that a message counts as one with few words if three different texts have its
// first paragraph.
func TestMarkRepeated(t *testing.T) {
	for text, want := range map[string]bool{"yes": false, "no": true} {
		a, b, c := read(head+id1+"\n"+long+"\nyes\n"), read(head+id2+"\n"+long+"\nyes\n"), read(head+id2+"\n"+long+"\n"+text+"\n")
		MarkRepeated(slices.Values([]*Message{a, b, c, read(head + id2 + "\n" + long)}))
		if v := Compare(a, b); v.Copy == want {
			t.Errorf("%q: %+v", text, v)
		}
	}
}

// TestMarkSeries checks that a text with three dates, and a Message-ID that unrelated messages have, prove
// nothing.
func TestMarkSeries(t *testing.T) {
	for _, c := range []struct {
		dates string
		copy  bool
	}{{"16 Nov 2026 11,16 Nov 2026 12,16 Nov 2026 13", true}, {"16 Nov 2026 11,16 Nov 2026 12,16 Nov 2026 13,16 Nov 2026 14", false}, {"16 Nov 2026 11,17 Nov 2026 11", true}, {"16 Nov 2026 11,17 Nov 2026 11,18 Nov 2026 11", false}} {
		var all []*Message
		for date := range strings.SplitSeq(c.dates, ",") {
			text := strings.Replace(head+id2+"\n"+long, "16 Nov 2026 11", date, 1)
			all = append(all, read(strings.Replace(text, "2@", fmt.Sprintf("%d@", len(all)), 1)))
		}
		MarkRepeated(slices.Values(all))
		if v := Compare(all[0], all[1]); v.Copy != c.copy {
			t.Errorf("%s: %+v", c.dates, v)
		}
	}
	to := "To: x@example.org\n"
	for third, want := range map[string]bool{
		head + id1 + list + "\n" + long:                                          true,
		strings.Replace(head+id1+list, ": The", ": [Talk] The", 1) + "\n" + long: true,
		head + strings.Replace(id1, "16", "17", 1) + "\nother":                   false,
		strings.Replace(head+id1, "The", "Other", 1) + "\nother":                 false,
	} {
		a, b, c := read(head+id1+"\n"+long), read(to+head+id1+"\n"+long), read(third)
		MarkRepeated(slices.Values([]*Message{a, b, c}))
		if v := Compare(a, b); v.Copy != want {
			t.Errorf("%q: %+v", third, v)
		}
	}
}

// TestBlocks checks which message may be removed if only one of two has a block.
func TestBlocks(t *testing.T) {
	one := "Subject: The bridge\nFrom: Alice <alice@example.org>\nDate: Mon, 16 Nov 2026 10:00:00 +0000\nMessage-ID: <1@example.org>\n"
	other := strings.Replace(one, "1@", "2@", 1)
	page := html1 + "\n<div><p>" + long + "</p></div>"
	for name, c := range map[string]struct {
		short, long         string // long has a block
		removeShort, remove bool
	}{
		"a postscript":            {one + "\n" + long, one + "\n" + long + "\nP.S.: not at five, at six.\n", true, false},
		"a footer":                {one + "\n" + long, one + "\n" + long + "_______\nnotice\n", true, true},
		"a footer with a link":    {one + page, one + page + "<hr><div>see <a href=https://x/>here</a></div></body>", true, true},
		"a footer of a list":      {one + "\n" + long, one + list + "\n" + long + "Talk\n", true, true},
		"a postscript, one date":  {one + "\n" + long, other + "\n" + long + "_______\nP.S.: at six.\n", false, false},
		"a list, one date":        {one + "\n" + long, other + list + "\n" + long + "Talk\n", true, true},
		"a postscript for a list": {one + list + "\n" + long, other + "\n" + long + "Talk\n", false, false},
		"in the plain text only":  {one + alternative(long, "<p>"+long), one + list + alternative(long+"Talk\n", "<p>"+long), true, true},
		"a form less":             {one + "\n" + long, one + alternative(long, "<p>"+long+"<p>more"), true, false},
	} {
		a, b := read(c.short), read(c.long)
		if v := Compare(b, a); v.Copy != c.removeShort {
			t.Errorf("%s: the short message: %+v", name, v)
		}
		if v := Compare(a, b); v.Copy != c.remove {
			t.Errorf("%s: the long message: %+v", name, v)
		}
		if c.removeShort && !meet(a, b) {
			t.Errorf("%s: the keys do not meet", name)
		}
	}
}
