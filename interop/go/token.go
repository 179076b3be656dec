package main

import "strings"

const maxToken = 8192

const kidUnknown fault = "kid-unknown"

// headerRefused are the members of a header that are refused whatever their
// value is, in the order of §6.2, and with which code.
var headerRefused = []struct {
	name string
	code fault
}{
	{"crit", "crit-unsupported"},   // [token.crit]
	{"b64", "b64-unsupported"},     // [token.b64]
	{"jwk", "header-key-material"}, // [token.key-material]
	{"jku", "header-key-material"}, //
	{"x5u", "header-key-material"}, //
	{"x5c", "header-key-material"}, //
	{"cty", "cty-unsupported"},     // [token.cty]
}

// verifyToken checks a token in the order of [token.order] and gives its
// claims.
func verifyToken(token string, d *discovery, now int64) (*claims, fault) {
	payload, f := openToken(token, d)
	if f != none {
		return nil, f
	}
	return readClaims(payload, d.issuer, now)
}

// openToken is §6.1 to §6.3: it gives the payload that was signed.
func openToken(token string, d *discovery) ([]byte, fault) {
	if len(token) > maxToken { // [token.length], before it is read
		return nil, "token-too-long"
	}
	for i := 0; i < len(token); i++ { // [token.characters]
		if !isBase64(token[i]) && token[i] != '.' {
			return nil, "token-bad-character"
		}
	}
	segments := strings.Split(token, ".")
	if len(segments) != 3 { // [token.segments]
		return nil, "token-segment-count"
	}
	for _, segment := range segments { // [token.segment-empty]
		if segment == "" {
			return nil, "token-segment-empty"
		}
	}
	var parts [3][]byte
	for i, segment := range segments { // [token.base64]
		part, ok := decodeBase64(segment)
		if !ok {
			return nil, "base64-noncanonical"
		}
		parts[i] = part
	}
	kid, f := readHeader(parts[0])
	if f != none {
		return nil, f
	}
	key, ok := d.keys[kid]
	if !ok { // [token.kid.known]
		return nil, kidUnknown
	}
	if key.fault != none { // [token.kid.usable]
		return nil, key.fault
	}
	// The message is the segments as they stand, not what they decode to.
	message := token[:len(segments[0])+1+len(segments[1])]
	if f := checkSignature(key.point, []byte(message), parts[2]); f != none {
		return nil, f
	}
	return parts[1], none
}

// readHeader is §6.2 as far as the header alone decides. It gives the kid.
func readHeader(text []byte) (string, fault) {
	h, f := readObject(text)
	if f != none {
		return "", "header-" + f // [token.header.json]
	}
	alg, ok := h.get("alg")
	if !ok {
		return "", "alg-missing" // [token.alg.missing]
	}
	if !isText(alg, "EdDSA") {
		return "", "alg-not-allowed" // [token.alg]
	}
	for _, refused := range headerRefused {
		if h.has(refused.name) {
			return "", refused.code
		}
	}
	if typ, ok := h.get("typ"); ok && !isText(typ, "JWT") {
		return "", "typ-not-allowed" // [token.typ]
	}
	v, ok := h.get("kid")
	if !ok {
		return "", "kid-missing" // [token.kid.missing]
	}
	kid, ok := v.(string)
	if !ok || !isKid(kid) {
		return "", "kid-invalid" // [token.kid.form]
	}
	return kid, none
}
