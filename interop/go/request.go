package main

import (
	"strings"
	"unicode/utf8"
)

const (
	queryEncoding     fault = "query-encoding"
	parameterUnknown  fault = "parameter-unknown"
	parameterRepeated fault = "parameter-repeated"
	needMissing       fault = "need-missing"
	needCharacter     fault = "need-character"
	needLength        fault = "need-length"
	constraintValue   fault = "constraint-value"
)

const (
	minNeed        = 3
	maxNeed        = 200
	maxHandshakeMS = 60000
)

type parameter struct{ name, value string }

// readNeed is [resolve.need.read]. Control characters are looked for after
// trimming, since some of them are white space, and characters are counted
// after normalization, which changes how many there are.
func readNeed(s string) (string, fault) {
	s = strings.TrimFunc(s, isWhiteSpace)
	for _, r := range s {
		if isControl(r) { // [resolve.need.control]
			return "", needCharacter
		}
	}
	s = nfc(s)
	if n := characters(s); n < minNeed || n > maxNeed { // [resolve.need.length]
		return "", needLength
	}
	return s, none
}

// readQuery reads the query of a resolve request and gives the need.
func readQuery(query string) (string, fault) {
	parameters, ok := parseQuery(query)
	if !ok {
		return "", queryEncoding
	}
	return checkParameters(parameters)
}

// checkParameters reports the first error in the order of [resolve.order].
func checkParameters(parameters []parameter) (string, fault) {
	values := map[string]string{}
	repeated := false
	for _, p := range parameters {
		if p.name != "need" && !isConstraint(p.name) { // [resolve.parameter.unknown]
			return "", parameterUnknown
		}
		_, twice := values[p.name]
		repeated = repeated || twice
		values[p.name] = p.value
	}
	if repeated { // [resolve.parameter.repeated]
		return "", parameterRepeated
	}
	need, ok := values["need"]
	if !ok { // [resolve.need.missing]
		return "", needMissing
	}
	need, f := readNeed(need)
	if f != none {
		return "", f
	}
	for name, v := range values {
		if name != "need" && !isConstraintValue(name, v) { // [constraint.names]
			return "", constraintValue
		}
	}
	return need, none
}

func isConstraint(name string) bool {
	switch name {
	case "sign_in", "read_only", "max_handshake_ms", "payment":
		return true
	}
	return false
}

func isConstraintValue(name, v string) bool {
	switch name {
	case "sign_in", "payment":
		return v == "none"
	case "read_only":
		return v == "true"
	case "max_handshake_ms":
		n, ok := decimal(v, 5)
		return ok && n >= 1 && n <= maxHandshakeMS
	}
	return false
}

// parseQuery is [resolve.query.encoding]. url.ParseQuery would not do: it
// refuses semicolons and takes bytes that are not UTF-8.
func parseQuery(query string) ([]parameter, bool) {
	var parameters []parameter
	for _, piece := range strings.Split(query, "&") {
		if piece == "" {
			continue
		}
		name, v, _ := strings.Cut(piece, "=")
		name, ok1 := decodePiece(name)
		v, ok2 := decodePiece(v)
		if !ok1 || !ok2 {
			return nil, false
		}
		parameters = append(parameters, parameter{name, v})
	}
	return parameters, true
}

func decodePiece(s string) (string, bool) {
	var out []byte
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '+':
			out = append(out, ' ')
		case '%':
			if i+2 >= len(s) {
				return "", false
			}
			high, ok1 := hexDigit(s[i+1])
			low, ok2 := hexDigit(s[i+2])
			if !ok1 || !ok2 {
				return "", false
			}
			out = append(out, high<<4|low)
			i += 2
		default:
			out = append(out, s[i])
		}
	}
	return string(out), utf8.Valid(out)
}

// encodePiece writes a name or value for a query: everything but the
// unreserved characters in percent-encoding.
func encodePiece(s string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isBase64(c) || c == '.' || c == '~' {
			out.WriteByte(c)
		} else {
			out.WriteByte('%')
			out.WriteByte(hex[c>>4])
			out.WriteByte(hex[c&15])
		}
	}
	return out.String()
}

func writeQuery(parameters []parameter) string {
	var pieces []string
	for _, p := range parameters {
		pieces = append(pieces, encodePiece(p.name)+"="+encodePiece(p.value))
	}
	return strings.Join(pieces, "&")
}
