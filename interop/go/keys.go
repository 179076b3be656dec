package main

const (
	keyWrongType fault = "key-wrong-type"
	keyWrongUse  fault = "key-wrong-use"
	keyWrongAlg  fault = "key-wrong-alg"
)

const maxKid = 128

// key is an entry of `keys`: usable, or with the code why it is not.
type key struct {
	point []byte
	fault fault
}

// keySet maps each kid to its entry. What has no proper kid is not in it.
type keySet map[string]key

// privateMembers are those of [discovery.keys.private].
var privateMembers = []string{"d", "k", "p", "q", "dp", "dq", "qi", "oth"}

// readKeys checks `keys` as the end of [discovery.order] says: each check over
// all entries before the next.
func readKeys(entries array) (keySet, fault) {
	if len(entries) > maxKeys { // [discovery.keys.count]
		return nil, keysTooMany
	}
	var jwks []*object
	for _, entry := range entries {
		jwk, ok := entry.(*object)
		if !ok { // [discovery.key-type]
			return nil, memberType
		}
		jwks = append(jwks, jwk)
	}
	for _, jwk := range jwks {
		for _, name := range privateMembers {
			if jwk.has(name) {
				return nil, keyPrivate
			}
		}
	}
	kids := map[string]bool{}
	for _, jwk := range jwks {
		kid, ok := jwk.members["kid"].(string)
		if !ok {
			continue
		}
		if kids[kid] { // [discovery.keys.kid-unique], usable or not
			return nil, kidAmbiguous
		}
		kids[kid] = true
	}
	keys := keySet{}
	for _, jwk := range jwks {
		kid, ok := jwk.members["kid"].(string)
		if ok && isKid(kid) {
			keys[kid] = readKey(jwk)
		}
	}
	return keys, none
}

func isKid(s string) bool {
	n := characters(s)
	return n >= 1 && n <= maxKid
}

// readKey is the list of [discovery.keys.usable]. A member that is null is
// present, which is why absence is asked for and not a zero value.
func readKey(jwk *object) key {
	if !isText(jwk.members["kty"], "OKP") || !isText(jwk.members["crv"], "Ed25519") {
		return key{fault: keyWrongType}
	}
	if jwk.has("use") && !isText(jwk.members["use"], "sig") {
		return key{fault: keyWrongUse}
	}
	if jwk.has("key_ops") && !holdsVerify(jwk.members["key_ops"]) {
		return key{fault: keyWrongUse}
	}
	if jwk.has("alg") && !isText(jwk.members["alg"], "EdDSA") {
		return key{fault: keyWrongAlg}
	}
	x, ok := jwk.members["x"].(string)
	if !ok {
		return key{fault: keyMalformed}
	}
	point, ok := decodeBase64(x)
	if !ok {
		return key{fault: keyMalformed}
	}
	return key{point, checkPublicKey(point)}
}

func holdsVerify(v value) bool {
	ops, ok := v.(array)
	if !ok {
		return false
	}
	for _, op := range ops {
		if isText(op, "verify") {
			return true
		}
	}
	return false
}

func isText(v value, text string) bool {
	s, ok := v.(string)
	return ok && s == text
}
