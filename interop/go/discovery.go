package main

const (
	maxDiscovery = 65536
	maxKeys      = 32
	maxName      = 100

	endpointInvalid fault = "endpoint-invalid"
	endpointOrigin  fault = "endpoint-origin"
	keysTooMany     fault = "keys-too-many"
	keyPrivate      fault = "key-private"
	kidAmbiguous    fault = "kid-ambiguous"
)

// discovery is what a client needs of a discovery document.
type discovery struct {
	issuer  string
	name    string
	resolve string
	record  string
	keys    keySet
}

// discoveryText holds the members that were there and of the right type.
type discoveryText struct {
	iss, name, resolve, record, policy string
	mcp, changelog                     string
	hasMCP, hasChangelog               bool
	keys                               array
}

// readDiscovery checks a discovery document in the order of [discovery.order].
func readDiscovery(text []byte, issuer string) (*discovery, fault) {
	o, f := readDocument(text, maxDiscovery)
	if f != none {
		return nil, f
	}
	t, f := discoveryMembers(o)
	if f != none {
		return nil, f
	}
	if t.iss != issuer || !isIssuer(t.iss) { // [discovery.iss], [origin.refused]
		return nil, issMismatch
	}
	if !isName(t.name, maxName) { // [discovery.name]
		return nil, nameInvalid
	}
	for _, endpoint := range []string{t.resolve, t.record} {
		// [discovery.endpoints], [discovery.endpoints.query]
		if !isServerURL(endpoint) || hasQuery(endpoint) {
			return nil, endpointInvalid
		}
		if originOf(endpoint) != issuer { // [discovery.endpoints.origin]
			return nil, endpointOrigin
		}
	}
	if t.hasMCP {
		if !isServerURL(t.mcp) {
			return nil, endpointInvalid
		}
		if originOf(t.mcp) != issuer {
			return nil, endpointOrigin
		}
	}
	keys, f := readKeys(t.keys)
	if f != none {
		return nil, f
	}
	if !isServerURL(t.policy) || t.hasChangelog && !isServerURL(t.changelog) {
		return nil, endpointInvalid
	}
	return &discovery{issuer, t.name, t.resolve, t.record, keys}, none
}

// discoveryMembers looks for presence and type of each member in turn.
func discoveryMembers(o *object) (t discoveryText, f fault) {
	if t.iss, f = stringMember(o, "iss"); f != none {
		return t, f
	}
	if t.name, f = stringMember(o, "resolver"); f != none {
		return t, f
	}
	v, ok := o.get("endpoints")
	if !ok {
		return t, memberMissing
	}
	endpoints, ok := v.(*object)
	if !ok {
		return t, memberType
	}
	if t.resolve, f = stringMember(endpoints, "resolve"); f != none {
		return t, f
	}
	if t.record, f = stringMember(endpoints, "record"); f != none {
		return t, f
	}
	if t.mcp, t.hasMCP, f = optionalString(endpoints, "mcp"); f != none {
		return t, f
	}
	if v, ok = o.get("keys"); !ok {
		return t, memberMissing
	}
	if t.keys, ok = v.(array); !ok {
		return t, memberType
	}
	if t.policy, f = stringMember(o, "policy"); f != none {
		return t, f
	}
	t.changelog, t.hasChangelog, f = optionalString(o, "changelog")
	return t, f
}
