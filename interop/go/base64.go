package main

import "encoding/base64"

// decodeBase64 reads base64url without padding and with trailing bits of zero.
// The standard library skips line breaks even when it is strict, so the
// characters are looked at first.
func decodeBase64(s string) ([]byte, bool) {
	for i := 0; i < len(s); i++ {
		if !isBase64(s[i]) {
			return nil, false
		}
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return b, err == nil
}

func isBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}
