package main

import (
	"net/http"
	"strconv"
	"strings"
)

const (
	defaultDiscoveryTime = 3600
	maxDiscoveryTime     = 86400
	maxAnswerTime        = 3600
	maxRetryAfter        = 3600
)

// cacheControl is what the header fields of an answer say of keeping it.
type cacheControl struct {
	present   bool
	maxAge    int64
	hasMaxAge bool // decimal digits in the first max-age
	noStore   bool
	noCache   bool
}

func readCacheControl(h http.Header) cacheControl {
	fields := h.Values("Cache-Control")
	cc := cacheControl{present: len(fields) > 0}
	first := true
	for _, directive := range splitList(strings.Join(fields, ",")) {
		name, argument, _ := strings.Cut(directive, "=")
		switch strings.ToLower(name) {
		case "no-store":
			cc.noStore = true
		case "no-cache":
			cc.noCache = true
		case "max-age":
			// Only the first counts, also if it is of no use.
			if first {
				cc.maxAge, cc.hasMaxAge = seconds(argument)
			}
			first = false
		}
	}
	return cc
}

// splitList cuts a list of a header field at its commas, but not at those
// inside of quotes.
func splitList(s string) []string {
	var items []string
	quoted := false
	start := 0
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			items = append(items, trimOWS(s[start:i]))
			start = i + 1
		}
	}
	return append(items, trimOWS(s[start:]))
}

func trimOWS(s string) string { return strings.Trim(s, " \t") }

// seconds reads decimal digits. A number too large for anything stays large.
func seconds(s string) (int64, bool) {
	if !isDigits(s) {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > maxInteger {
		return maxInteger, true
	}
	return n, true
}

// age is the header field Age, or 0 if it has no form.
func age(h http.Header) int64 {
	n, _ := seconds(trimOWS(h.Get("Age")))
	return n
}

// discoveryTime is how long a discovery document is used without asking for
// it again ([discovery.cache-time]). Zero or less is: in the running call only.
func discoveryTime(cc cacheControl, age int64) int64 {
	switch {
	case cc.noStore || cc.noCache:
		return 0
	case !cc.hasMaxAge:
		return defaultDiscoveryTime
	}
	return min(cc.maxAge-age, maxDiscoveryTime)
}

// answerTime is how long an answer is reused ([client.cache]).
func answerTime(cc cacheControl, age int64) int64 {
	if cc.noStore || cc.noCache || !cc.hasMaxAge {
		return 0
	}
	return min(cc.maxAge-age, maxAnswerTime)
}

// retryTime is until when a resolver is left alone ([client.retry-after]); it
// is not after now if Retry-After is missing or has no form.
func retryTime(h http.Header, now int64) int64 {
	field := trimOWS(h.Get("Retry-After"))
	if n, ok := seconds(field); ok {
		return now + min(n, maxRetryAfter)
	}
	if date, ok := httpDate(field); ok {
		return min(date, now+maxRetryAfter)
	}
	return now
}

// httpDate reads the three forms of RFC 9110.
func httpDate(s string) (int64, bool) {
	t, err := http.ParseTime(s)
	if err != nil {
		return 0, false
	}
	return t.Unix(), true
}

// clockDiffers says whether the Date of an answer is not that of the clock
// ([client.clock]). Without a Date nothing is known.
func clockDiffers(h http.Header, now int64) bool {
	date, ok := httpDate(trimOWS(h.Get("Date")))
	if !ok {
		return false
	}
	difference := date - now
	return difference > leeway || difference < -leeway
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}
