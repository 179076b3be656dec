package main

import "unicode/utf8"

// isWhiteSpace is [text.white-space]. The set is written out and not taken
// from a library, since libraries follow their version of Unicode.
func isWhiteSpace(r rune) bool {
	switch {
	case r >= 0x09 && r <= 0x0D, r >= 0x2000 && r <= 0x200A:
		return true
	}
	switch r {
	case 0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return false
}

// isControl is [text.control].
func isControl(r rune) bool {
	return r >= 0 && r <= 0x1F || r >= 0x7F && r <= 0x9F
}

// unsafeRanges is the table of [text.unsafe].
var unsafeRanges = [][2]rune{
	{0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C}, {0x115F, 0x1160},
	{0x17B4, 0x17B5}, {0x180E, 0x180E}, {0x200B, 0x200B}, {0x200E, 0x200F},
	{0x2028, 0x202E}, {0x2060, 0x2064}, {0x2066, 0x206F}, {0x3164, 0x3164},
	{0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
}

func isUnsafe(r rune) bool {
	for _, span := range unsafeRanges {
		if r >= span[0] && r <= span[1] {
			return true
		}
	}
	return false
}

// characters counts as [text.character] says.
func characters(s string) int { return utf8.RuneCountInString(s) }

// isName says whether s can be a name that people are shown: of 1 to max
// characters, none of them control or unsafe ([discovery.name], [record.name]).
func isName(s string, max int) bool {
	if n := characters(s); n < 1 || n > max {
		return false
	}
	for _, r := range s {
		if isControl(r) || isUnsafe(r) {
			return false
		}
	}
	return true
}
