package main

import (
	"strconv"
	"strings"
)

const (
	claimMissing    fault = "claim-missing"
	claimType       fault = "claim-type"
	claimRange      fault = "claim-range"
	issuedInFuture  fault = "issued-in-future"
	expired         fault = "expired"
	notYetValid     fault = "not-yet-valid"
	checkedAtFuture fault = "checked-at-future"
)

const (
	maxLife           = 172800
	maxObservationAge = 86400
)

// claims are what a token states, once it is verified. The object they were
// read from has the further claims of a record.
type claims struct {
	url       string
	status    string
	checkedAt string
	iat, exp  int64
	all       *object
}

// expires is the claim exp as the copies beside a token have it.
func (c *claims) expires() string { return writeTime(c.exp) }

// readClaims checks a payload in the order of [token.claims.order]: each claim
// whole before the next.
func readClaims(payload []byte, issuer string, now int64) (*claims, fault) {
	o, f := readObject(payload)
	if f != none {
		return nil, "payload-" + f // [token.payload.json]
	}
	c := &claims{all: o}
	iss, f := stringClaim(o, "iss")
	if f != none {
		return nil, f
	}
	if iss != issuer { // [token.iss]
		return nil, issMismatch
	}
	if c.iat, f = timeClaim(o, "iat"); f != none {
		return nil, f
	}
	if c.exp, f = timeClaim(o, "exp"); f != none {
		return nil, f
	}
	var nbf int64
	if o.has("nbf") {
		if nbf, f = timeClaim(o, "nbf"); f != none {
			return nil, f
		}
	}
	if f = checkTimes(c.iat, c.exp, nbf, now); f != none {
		return nil, f
	}
	if o.has("aud") { // [token.aud]
		return nil, "aud-unexpected"
	}
	if c.url, f = stringClaim(o, "url"); f != none {
		return nil, f
	}
	if !isServerURL(c.url) { // [token.url]
		return nil, "url-invalid"
	}
	if c.status, f = stringClaim(o, "status"); f != none {
		return nil, f
	}
	if !isStatus(c.status) { // [token.status]
		return nil, "status-invalid"
	}
	if c.checkedAt, f = stringClaim(o, "checked_at"); f != none {
		return nil, f
	}
	return c, checkCheckedAt(c, now)
}

// checkTimes is §6.5. All numbers are small enough that nothing overflows. A
// token without nbf is as one with 0, which no clock is before.
func checkTimes(iat, exp, nbf, now int64) fault {
	switch {
	case exp <= iat: // [token.exp.after-iat]
		return "lifetime-invalid"
	case exp-iat > maxLife: // [token.exp.max-life]
		return "lifetime-too-long"
	case iat > now+leeway: // [token.iat.future]
		return issuedInFuture
	case now > exp+leeway: // [token.exp.expired]
		return expired
	case nbf > now+leeway: // [token.nbf]
		return notYetValid
	}
	return none
}

func checkCheckedAt(c *claims, now int64) fault {
	at, ok := readTime(c.checkedAt)
	switch {
	case !ok: // [token.checked-at]
		return "checked-at-invalid"
	case at > now+leeway: // [token.checked-at.future]
		return checkedAtFuture
	case c.iat-at > maxObservationAge: // [status.max-age]
		return "observation-too-old"
	}
	return none
}

func isStatus(s string) bool {
	return s == "ok" || s == "sign_in" || s == "down" || s == "unknown"
}

func stringClaim(o *object, name string) (string, fault) {
	v, ok := o.get(name)
	if !ok {
		return "", claimMissing
	}
	s, ok := v.(string)
	if !ok {
		return "", claimType
	}
	return s, none
}

// timeClaim is [time.numeric] with the codes of [token.claims.integer], which
// depend on how the number was written: 1.0 and 1e3 are of the wrong type.
func timeClaim(o *object, name string) (int64, fault) {
	v, ok := o.get(name)
	if !ok {
		return 0, claimMissing
	}
	n, ok := v.(number)
	if !ok || n == "-0" || strings.ContainsAny(string(n), ".eE") {
		return 0, claimType
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	if err != nil || i < 0 || i > maxInteger {
		return 0, claimRange
	}
	return i, none
}
