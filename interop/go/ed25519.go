package main

import (
	"crypto/ed25519"
	"encoding/hex"
)

const (
	keyMalformed          fault = "key-malformed"
	keyWeak               fault = "key-weak"
	signatureLength       fault = "signature-length"
	signatureNoncanonical fault = "signature-noncanonical"
	signatureSmallOrder   fault = "signature-small-order"
	signatureInvalid      fault = "signature-invalid"
)

// smallOrder is the list of [token.signature.point].
var smallOrder = [][]byte{
	unhex("0000000000000000000000000000000000000000000000000000000000000000"),
	unhex("0100000000000000000000000000000000000000000000000000000000000000"),
	unhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
	unhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
	unhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
}

// Little-endian, as all numbers of Ed25519.
var (
	fieldPrime         = unhex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")
	fieldMinusOne      = smallOrder[4]
	fieldOne           = smallOrder[1]
	groupOrder         = unhex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
	highBit       byte = 0x80
)

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// less compares two little-endian integers of 32 bytes.
func less(a, b []byte) bool {
	for i := 31; i >= 0; i-- {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// isCanonicalPoint and isSmallOrder are [token.signature.point]: comparisons
// of bytes, which ask no library.
func isCanonicalPoint(b []byte) bool {
	y, sign := splitSign(b)
	if !less(y, fieldPrime) {
		return false
	}
	xIsZero := string(y) == string(fieldOne) || string(y) == string(fieldMinusOne)
	return !(xIsZero && sign)
}

func isSmallOrder(b []byte) bool {
	y, _ := splitSign(b)
	for _, small := range smallOrder {
		if string(y) == string(small) {
			return true
		}
	}
	return false
}

func splitSign(b []byte) (y []byte, sign bool) {
	y = append([]byte(nil), b...)
	sign = y[31]&highBit != 0
	y[31] &^= highBit
	return y, sign
}

// checkPublicKey is tests 4 and 5 of [discovery.keys.usable].
func checkPublicKey(key []byte) fault {
	if len(key) != ed25519.PublicKeySize {
		return keyMalformed
	}
	if !isCanonicalPoint(key) || isSmallOrder(key) {
		return keyWeak
	}
	return none
}

// checkSignature is §6.3 in its order. crypto/ed25519 computes the cofactorless
// equation with k reduced modulo L and compares the encoding of R byte for
// byte; what it would leave to taste is refused before it is asked.
func checkSignature(key, message, signature []byte) fault {
	if len(signature) != ed25519.SignatureSize { // [token.signature.length]
		return signatureLength
	}
	r, s := signature[:32], signature[32:]
	if !less(s, groupOrder) { // [token.signature.s]
		return signatureNoncanonical
	}
	if !isCanonicalPoint(r) { // [token.signature.r]
		return signatureNoncanonical
	}
	if isSmallOrder(r) {
		return signatureSmallOrder
	}
	if !ed25519.Verify(key, message, signature) { // [token.signature.equation]
		return signatureInvalid
	}
	return none
}
