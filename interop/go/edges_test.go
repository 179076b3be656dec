package main

import (
	"strings"
	"testing"
)

// Edges that a change of this code showed to be in no vector.

func TestUnsafeCharactersAtTheEdges(t *testing.T) {
	for r, want := range map[rune]bool{
		0x2064: true, 0x2065: false, 0x2066: true, 0xE0000: true, 0xE0080: false, 0x200C: false, 0x200D: false,
	} {
		if isUnsafe(r) != want {
			t.Errorf("%U", r)
		}
	}
}

func TestBidiRule(t *testing.T) {
	for label, want := range map[string]bool{
		"a1": true, "1a": false, "a-": false,
		"א": true, "א\u05B0": true, "א-": false, "אa": false, "aא": false,
		"ا1ا": true, "ا\u0661ا": true, "ا1\u0661ا": false,
	} {
		if isBidiLabel(label) != want {
			t.Errorf("%+q", label)
		}
	}
}

// Both halves of this signature are at fault; S is looked at first.
func TestSignatureOrder(t *testing.T) {
	signature := append(append([]byte{}, smallOrder[2]...), groupOrder...)
	if f := checkSignature(make([]byte, 32), nil, signature); f != signatureNoncanonical {
		t.Errorf("got %q", f)
	}
	signature = append(append([]byte{}, smallOrder[2]...), make([]byte, 32)...)
	if f := checkSignature(make([]byte, 32), nil, signature); f != signatureSmallOrder {
		t.Errorf("got %q", f)
	}
}

func TestQueryEdges(t *testing.T) {
	for query, want := range map[string]fault{
		"need=abc&":         none,
		"&&need=abc":        none,
		"need=abc&=":        parameterUnknown,
		"need=abc&%":        queryEncoding,
		"need=abc&need=%FF": queryEncoding,
		"need=abc&x&x":      parameterUnknown,
		"need&need":         parameterRepeated,
		"need":              needLength,
		"":                  needMissing,
	} {
		if _, f := readQuery(query); f != want {
			t.Errorf("%q: got %q", query, f)
		}
	}
}

// The depth is bounded before the parser runs, so no text exhausts the stack.
func TestDepthOfHugeText(t *testing.T) {
	if _, f := readObject([]byte(strings.Repeat("[", 1<<20))); f != tooDeep {
		t.Errorf("got %q", f)
	}
}
