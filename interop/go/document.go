package main

const (
	documentTooLarge   fault = "document-too-large"
	memberMissing      fault = "member-missing"
	memberType         fault = "member-type"
	versionUnsupported fault = "version-unsupported"
	issMismatch        fault = "iss-mismatch"
	nameInvalid        fault = "name-invalid"
)

// protocolVersion is [version.value].
const protocolVersion = "0.2"

// readDocument is how discovery documents, answers and records begin: size,
// JSON, object, version.
func readDocument(text []byte, limit int) (*object, fault) {
	if len(text) > limit {
		return nil, documentTooLarge
	}
	o, f := readObject(text)
	if f != none {
		return nil, "document-" + f // [json.document-code]
	}
	v, f := stringMember(o, "v")
	if f != none {
		return nil, f
	}
	if v != protocolVersion { // [version.unknown]
		return nil, versionUnsupported
	}
	return o, none
}

func stringMember(o *object, name string) (string, fault) {
	v, ok := o.get(name)
	if !ok {
		return "", memberMissing
	}
	s, ok := v.(string)
	if !ok {
		return "", memberType
	}
	return s, none
}

// optionalString is for a member that may be absent, but not null.
func optionalString(o *object, name string) (string, bool, fault) {
	if !o.has(name) {
		return "", false, none
	}
	s, f := stringMember(o, name)
	return s, true, f
}
