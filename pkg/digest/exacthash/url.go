package exacthash

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
)

// defaultPorts maps each scheme to its default port, which a URL may omit.
var defaultPorts = map[string]string{"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}

// tracking contains the query parameters that record how a reader came to a page but do not select
// the page. doppel-exact(1) documents them. Parameters with the prefix utm_ are tracking
// parameters, too.
var tracking = []string{
	"_ga", "_gl", "_hsenc", "_hsmi", "_openstat", "dclid", "epik", "fbclid", "gad_source", "gbraid", "gclid", "gclsrc",
	"igsh", "igshid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "rb_clickid",
	"srsltid", "ttclid", "twclid", "vero_conv", "vero_id", "wbraid", "wickedid", "yclid", "ysclid",
}

const trackingPrefix = "utm_"

// AppendURL appends the normalised form of a URL to dst. It converts ASCII letters of the scheme
// and the host to lower case, drops the default port, the fragment and the tracking parameters,
// replaces an empty path with "/", and sorts the query by the names of its parameters. Parameters
// with the same name keep their order. A text that is not a URL with a scheme and a host is
// appended unchanged. A URL with a zone in its host address is appended unchanged, too, because
// package url may format a zone in a way that it cannot parse.
func AppendURL(dst, text []byte) []byte {
	u, err := url.Parse(string(bytes.Trim(text, "\t\n\v\f\r ")))
	if err != nil || u.Scheme == "" || u.Host == "" || strings.Contains(u.Host, "%") || u.Host[0] != '[' && strings.Count(u.Host, ":") > 1 {
		return append(dst, text...)
	}
	host := []byte(u.Host)
	for i, c := range host { // only ASCII: the lower case of İ, for example, does not equal İ under case folding
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
	return append(dst, u.String()...) // Parse has converted the scheme to lower case
}

// sortedQuery returns the parameters of a query, sorted by name and without tracking parameters.
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
