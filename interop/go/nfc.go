package main

import (
	"sort"

	"golang.org/x/text/unicode/norm"
)

// nfc normalizes as [UAX 15] says. norm.NFC alone would not do: it follows the
// stream-safe text process, which puts U+034F into a run of more than 30
// combining marks, and it lets a mark pass a vowel sign such as U+09BE to join
// the character before that. Here norm decomposes single characters and
// composes pairs, and nothing longer.
func nfc(s string) string {
	if isASCII(s) {
		return s
	}
	runes := decompose(s)
	return string(compose(runes))
}

func decompose(s string) []rune {
	var out []rune
	for _, r := range s {
		out = append(out, []rune(norm.NFD.String(string(r)))...)
	}
	for i := 0; i < len(out); {
		if class(out[i]) == 0 {
			i++
			continue
		}
		end := i
		for end < len(out) && class(out[end]) != 0 {
			end++
		}
		marks := out[i:end]
		sort.SliceStable(marks, func(a, b int) bool { return class(marks[a]) < class(marks[b]) })
		i = end
	}
	return out
}

// compose is the canonical composition algorithm: a character joins the last
// starter unless something between them blocks it.
func compose(in []rune) []rune {
	var out []rune
	starter := -1
	last := uint8(0)
	for _, r := range in {
		c := class(r)
		if starter >= 0 {
			adjacent := starter == len(out)-1
			if adjacent || last < c && last != 0 {
				if joined, ok := pair(out[starter], r); ok {
					out[starter] = joined
					continue
				}
			}
		}
		out = append(out, r)
		last = c
		if c == 0 {
			starter = len(out) - 1
		}
	}
	return out
}

func pair(a, b rune) (rune, bool) {
	joined := []rune(norm.NFC.String(string([]rune{a, b})))
	if len(joined) != 1 {
		return 0, false
	}
	return joined[0], true
}

func class(r rune) uint8 {
	return norm.NFD.PropertiesString(string(r)).CCC()
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
