package main

const (
	maxRecord     = 65536
	maxServerName = 200
)

// recordText is a record of which nothing was verified yet.
type recordText struct {
	name  string
	token string
	all   *object
}

// recordVerdict is what a record comes to at a certain time.
type recordVerdict struct {
	claims      *claims
	name        string
	firstSeen   string
	copyDiffers []string // JSON pointers
}

// readRecord checks a record up to its token ([record.order]).
func readRecord(text []byte, issuer string) (*recordText, fault) {
	o, f := readDocument(text, maxRecord)
	if f != none {
		return nil, f
	}
	iss, f := stringMember(o, "iss")
	if f != none {
		return nil, f
	}
	r := &recordText{all: o}
	if r.name, f = stringMember(o, "resolver"); f != none {
		return nil, f
	}
	if r.token, f = stringMember(o, "jws"); f != none {
		return nil, f
	}
	if iss != issuer {
		return nil, issMismatch
	}
	return r, none
}

// judge checks the token of a record and what it states beyond that of a
// candidate. requested is the URL that was asked for, or nil ([record.requested]).
func (r *recordText) judge(d *discovery, requested *string, now int64) (*recordVerdict, fault) {
	c, f := verifyToken(r.token, d, now)
	if f != none {
		return nil, f
	}
	v := &recordVerdict{claims: c}
	if v.name, f = stringClaim(c.all, "name"); f != none { // [record.claims]
		return nil, f
	}
	if !isName(v.name, maxServerName) { // [record.name]
		return nil, nameInvalid
	}
	if v.firstSeen, f = stringClaim(c.all, "first_seen"); f != none {
		return nil, f
	}
	if !isFirstSeen(v.firstSeen, c.checkedAt) {
		return nil, "first-seen-invalid"
	}
	if history, ok := c.all.get("history"); ok { // [record.history-form]
		s, ok := history.(string)
		if !ok || !isServerURL(s) || originOf(s) != d.issuer {
			return nil, "history-invalid"
		}
	}
	if requested != nil && *requested != c.url {
		return nil, "url-mismatch"
	}
	v.copyDiffers = r.differing(d, v)
	return v, none
}

// isFirstSeen is [record.first-seen].
func isFirstSeen(firstSeen, checkedAt string) bool {
	first, ok := readTime(firstSeen)
	checked, _ := readTime(checkedAt) // verified before
	return ok && first <= checked
}

// differing is [record.copy-differs]: unlike that of a candidate, a copy that
// is missing does not differ.
func (r *recordText) differing(d *discovery, v *recordVerdict) []string {
	var pointers []string
	for _, copied := range []struct{ name, claim string }{
		{"resolver", d.name},
		{"url", v.claims.url},
		{"status", v.claims.status},
		{"checked_at", v.claims.checkedAt},
		{"expires", v.claims.expires()},
		{"name", v.name},
		{"first_seen", v.firstSeen},
	} {
		if r.all.has(copied.name) && !isText(r.all.members[copied.name], copied.claim) {
			pointers = append(pointers, "/"+copied.name)
		}
	}
	return pointers
}
