package exacthash

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
)

// defaultPorts maps each scheme to the port that a URL may omit.
var defaultPorts = map[string]string{"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}

// tracking lists the query parameters that record how a reader came to a page but do not
// select the page. doppel-exact(1) documents them. Names with the prefix utm_ are tracking,
// too.
var tracking = []string{
	"_ga", "_gl", "_hsenc", "_hsmi", "_openstat", "dclid", "epik", "fbclid", "gad_source", "gbraid", "gclid", "gclsrc",
	"igsh", "igshid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "rb_clickid",
	"srsltid", "ttclid", "twclid", "vero_conv", "vero_id", "wbraid", "wickedid", "yclid", "ysclid",
}

const trackingPrefix = "utm_"

// AppendURL appends the form of a URL that is compared: scheme and host with ASCII letters in
// lower case, without the default port, the fragment and the tracking parameters, with "/" for an
// empty path, and the query sorted by the names of its parameters. Parameters with the same name
// keep their order. A text that is not a URL with a scheme and a host is appended unchanged. So
// is a URL with a zone in its host address, because package url can write a zone that it rejects.
func AppendURL(dst, text []byte) []byte {
	u, err := url.Parse(string(bytes.Trim(text, "\t\n\v\f\r ")))
	if err != nil || u.Scheme == "" || u.Host == "" || strings.Contains(u.Host, "%") || u.Host[0] != '[' && strings.Count(u.Host, ":") > 1 {
		return append(dst, text...)
	}
	host := []byte(u.Host)
	for i, c := range host { // other letters stay: the lower case of İ does not fold to it
		if 'A' <= c && c <= 'Z' {
			host[i] += 'a' - 'A'
		}
	}
	u.Host = string(host)
	if port := u.Port(); port == "" || port == defaultPorts[u.Scheme] {
		u.Host = strings.TrimSuffix(strings.TrimSuffix(u.Host, port), ":")
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.RawQuery = strings.Join(sortedQuery(strings.ReplaceAll(u.RawQuery, " ", "%20")), "&")
	u.ForceQuery, u.Fragment, u.RawFragment = false, "", ""
	return append(dst, u.String()...) // Parse has put the scheme in lower case
}

// sortedQuery returns the parameters of a query without the tracking parameters, sorted
// by name.
func sortedQuery(query string) []string {
	all := strings.Split(query, "&")
	all = slices.DeleteFunc(all, func(p string) bool {
		name := strings.ToLower(parameterName(p))
		_, tracks := slices.BinarySearch(tracking, name)
		return p == "" || tracks || strings.HasPrefix(name, trackingPrefix)
	})
	slices.SortStableFunc(all, func(a, b string) int { return strings.Compare(parameterName(a), parameterName(b)) })
	return all
}

func parameterName(parameter string) string {
	name, _, _ := strings.Cut(parameter, "=")
	return name
}
