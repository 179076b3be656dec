package main

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/bidi"
)

const acePrefix = "xn--"

var (
	// mapOne says of a single character what [UTS 46] makes of it, with the
	// flags of [origin.idna] that matter for one character.
	mapOne = idna.New(idna.MapForLookup(), idna.ValidateLabels(false), idna.StrictDomainName(false), idna.Transitional(false))
	// checkLabel looks at the first character and at joiners, and maps nothing.
	checkLabel = idna.New(idna.CheckJoiners(true))
)

// isCanonicalIDNA says whether ToASCII of [UTS 46] leaves a domain of ASCII
// labels as it is ([origin.idna]). It is put together from parts of the
// library: as a whole that passes labels without right-to-left characters by
// the Bidi rule, and normalizes as a stream.
func isCanonicalIDNA(labels []string) bool {
	decoded := make([]string, len(labels))
	isBidi := false
	for i, label := range labels {
		decoded[i] = label
		if strings.HasPrefix(label, acePrefix) {
			u, ok := decodeLabel(label)
			if !ok {
				return false
			}
			decoded[i] = u
		}
		isBidi = isBidi || hasRTL(decoded[i])
	}
	if isBidi {
		for _, label := range decoded {
			if !isBidiLabel(label) {
				return false
			}
		}
	}
	return true
}

// decodeLabel gives the characters that a label with the prefix stands for, if
// they are valid and are written back as the same label.
func decodeLabel(label string) (string, bool) {
	u, err := idna.Punycode.ToUnicode(label)
	if err != nil || isASCII(u) || !utf8.ValidString(u) || strings.HasPrefix(u, acePrefix) {
		return "", false
	}
	back, err := idna.Punycode.ToASCII(u)
	if err != nil || back != label {
		return "", false
	}
	if nfc(u) != u {
		return "", false
	}
	for _, r := range u {
		c := string(r)
		if mapped, err := mapOne.ToUnicode(c); err != nil || mapped != c || c == "." {
			return "", false
		}
	}
	if _, err := checkLabel.ToUnicode(u); err != nil {
		return "", false
	}
	return u, true
}

func bidiClass(r rune) bidi.Class {
	p, _ := bidi.LookupString(string(r))
	return p.Class()
}

func hasRTL(s string) bool {
	for _, r := range s {
		switch bidiClass(r) {
		case bidi.R, bidi.AL, bidi.AN:
			return true
		}
	}
	return false
}

// isBidiLabel is the Bidi rule, section 2 of RFC 5893, for one label of a
// domain that has right-to-left characters somewhere.
func isBidiLabel(s string) bool {
	var classes []bidi.Class
	for _, r := range s {
		classes = append(classes, bidiClass(r))
	}
	var rtl bool
	switch classes[0] { // 1
	case bidi.R, bidi.AL:
		rtl = true
	case bidi.L:
	default:
		return false
	}
	seen := map[bidi.Class]bool{}
	last := classes[0]
	for _, c := range classes {
		switch c {
		case bidi.EN, bidi.ES, bidi.CS, bidi.ET, bidi.ON, bidi.BN, bidi.NSM:
		case bidi.R, bidi.AL, bidi.AN: // 2
			if !rtl {
				return false
			}
		case bidi.L: // 5
			if rtl {
				return false
			}
		default:
			return false
		}
		seen[c] = true
		if c != bidi.NSM {
			last = c
		}
	}
	if rtl {
		if seen[bidi.EN] && seen[bidi.AN] { // 4
			return false
		}
		return last == bidi.R || last == bidi.AL || last == bidi.EN || last == bidi.AN // 3
	}
	return last == bidi.L || last == bidi.EN // 6
}
