package exact

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
)

// defaultPorts are the ports that a URL need not name.
var defaultPorts = map[string]string{"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}

// tracking are the query parameters that tell how a reader came to a page, not which page it is.
// doppel-exact(1) lists them. All that begin with utm_ are of them, too.
var tracking = []string{
	"_ga", "_gl", "_hsenc", "_hsmi", "_openstat", "dclid", "epik", "fbclid", "gad_source", "gbraid", "gclid", "gclsrc",
	"igsh", "igshid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "rb_clickid",
	"srsltid", "ttclid", "twclid", "vero_conv", "vero_id", "wbraid", "wickedid", "yclid", "ysclid",
}

const trackingPrefix = "utm_"

// AppendURL appends a URL as it is compared: scheme and host in lower case, without the default
// port, the fragment and the tracking parameters, with "/" for an empty path, and the query
// sorted by the names of its parameters. Parameters of one name keep their order. A text that is
// no URL with a scheme and a host is appended unchanged.
func AppendURL(dst, text []byte) []byte {
	u, err := url.Parse(string(bytes.Trim(text, "\t\n\v\f\r ")))
	if err != nil || u.Scheme == "" || u.Host == "" || u.Host[0] != '[' && strings.Count(u.Host, ":") > 1 {
		return append(dst, text...)
	}
	dst = append(append(dst, u.Scheme...), "://"...) // Parse makes the scheme lower case
	if u.User != nil {
		dst = append(append(dst, u.User.String()...), '@')
	}
	host := strings.ToLower(u.Host)
	if port := u.Port(); port == "" || port == defaultPorts[u.Scheme] {
		host = strings.TrimSuffix(strings.TrimSuffix(host, port), ":")
	}
	dst = append(dst, host...)
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	dst = append(dst, path...)
	mark := byte('?')
	for _, p := range sortedQuery(strings.ReplaceAll(u.RawQuery, " ", "%20")) {
		dst = append(append(dst, mark), p...)
		mark = '&'
	}
	return dst
}

// sortedQuery returns the parameters of a query that tell which page it is, by their names.
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
