package main

import "strings"

const scheme = "https://"

// splitPort cuts host and port apart. Between the brackets of an address
// colons are no port.
func splitPort(s string) (host, port string, hasPort bool) {
	end := strings.LastIndexByte(s, ':')
	if end < 0 || strings.HasSuffix(s, "]") {
		return s, "", false
	}
	return s[:end], s[end+1:], true
}

func isHostPort(s string) bool {
	host, port, hasPort := splitPort(s)
	if hasPort {
		// [origin.serialization]: 443 is never written.
		n, ok := decimal(port, 5)
		if !ok || n < 1 || n > 65535 || n == 443 {
			return false
		}
	}
	return isHost(host)
}

// isOrigin is [origin.serialization] with [origin.host].
func isOrigin(s string) bool {
	return strings.HasPrefix(s, scheme) && isHostPort(s[len(scheme):])
}

// isIssuer is [origin.issuer].
func isIssuer(s string) bool {
	if !isOrigin(s) {
		return false
	}
	host, _, _ := splitPort(s[len(scheme):])
	return isDomain(host)
}

const maxURL = 2048

// isServerURL is [url.form] and [url.dot-segment].
func isServerURL(s string) bool {
	if len(s) > maxURL || !strings.HasPrefix(s, scheme) {
		return false
	}
	path := pathOf(s)
	if path == "" || !isHostPort(s[len(scheme):len(s)-len(path)]) {
		return false
	}
	path, query, _ := strings.Cut(path, "?")
	for _, segment := range strings.Split(path[1:], "/") {
		if !isChars(segment, "'") || isDotSegment(segment) {
			return false
		}
	}
	return isChars(query, "/?")
}

// pathOf gives path and query of a server URL, or nothing without a path.
func pathOf(url string) string {
	slash := strings.IndexByte(url[len(scheme):], '/')
	if slash < 0 {
		return ""
	}
	return url[len(scheme)+slash:]
}

// originOf gives the origin of a server URL: both are canonical, so it is a
// part of it.
func originOf(url string) string {
	return strings.TrimSuffix(url, pathOf(url))
}

func hasQuery(url string) bool { return strings.IndexByte(url, '?') >= 0 }

// isChars says whether s holds only qchar of the grammar, and what is in more.
func isChars(s, more string) bool {
	const plain = "-._~!$&()*+,;=:@"
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', isDigit(c):
		case strings.IndexByte(plain, c) >= 0, strings.IndexByte(more, c) >= 0:
		case c == '%':
			if i+2 >= len(s) {
				return false
			}
			_, ok1 := hexDigit(s[i+1])
			_, ok2 := hexDigit(s[i+2])
			if !ok1 || !ok2 {
				return false
			}
			i += 2
		default:
			return false
		}
	}
	return true
}

func isDotSegment(s string) bool {
	s = strings.ReplaceAll(s, "%2e", ".")
	s = strings.ReplaceAll(s, "%2E", ".")
	return s == "." || s == ".."
}
