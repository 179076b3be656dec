package main

import (
	"net/netip"
	"strconv"
	"strings"
)

// isHost is [origin.host]: a domain, or an address, in canonical form.
func isHost(s string) bool {
	return isIPv4(s) || isIPv6(s) || isDomain(s)
}

// isDomain is the domain of [origin.host], [origin.numeric-label] and
// [origin.idna].
func isDomain(s string) bool {
	if len(s) < 1 || len(s) > 253 {
		return false
	}
	labels := strings.Split(s, ".")
	encoded := false
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
		if strings.HasPrefix(label, acePrefix) {
			encoded = true
		}
	}
	if isNumericLabel(labels[len(labels)-1]) {
		return false
	}
	return !encoded || isCanonicalIDNA(labels)
}

func isLabel(s string) bool {
	if len(s) < 1 || len(s) > 63 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || isDigit(c) || c == '-' || c == '_') {
			return false
		}
	}
	return true
}

// isNumericLabel says whether URL parsers would take a domain that ends in
// this label for an address.
func isNumericLabel(s string) bool {
	if strings.HasPrefix(s, "0x") {
		for i := 2; i < len(s); i++ {
			if _, ok := hexDigit(s[i]); !ok {
				return false
			}
		}
		return true
	}
	return isDigits(s)
}

func isIPv4(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return false
	}
	for _, part := range parts {
		n, ok := decimal(part, 3)
		if !ok || n > 255 {
			return false
		}
	}
	return true
}

// isIPv6 takes only what is its own serialization by section 4 of RFC 5952.
func isIPv6(s string) bool {
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return false
	}
	inner := s[1 : len(s)-1]
	a, err := netip.ParseAddr(inner)
	if err != nil || !a.Is6() || a.Zone() != "" {
		return false
	}
	return writeIPv6(a.As16()) == inner
}

// writeIPv6 is not netip's String, which writes mapped addresses in the dotted
// form that [origin.host] excludes.
func writeIPv6(b [16]byte) string {
	var groups [8]uint16
	for i := range groups {
		groups[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	// The longest run of at least two zeros, the first of equal ones.
	from, length := -1, 1
	for i := 0; i < 8; i++ {
		n := 0
		for i+n < 8 && groups[i+n] == 0 {
			n++
		}
		if n > length {
			from, length = i, n
		}
	}
	var out strings.Builder
	for i := 0; i < 8; i++ {
		if i == from {
			out.WriteString("::")
			i += length - 1
			continue
		}
		if i > 0 && i != from+length {
			out.WriteByte(':')
		}
		out.WriteString(strconv.FormatUint(uint64(groups[i]), 16))
	}
	return out.String()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// decimal reads a decimal integer of at most max digits, without sign and
// leading zero.
func decimal(s string, max int) (int, bool) {
	if !isDigits(s) || len(s) > max || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
