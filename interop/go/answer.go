package main

import "strconv"

const (
	maxAnswer     = 262144
	maxCandidates = 10

	tooManyCandidates fault = "too-many-candidates"
	jwsMissing        fault = "jws-missing"
)

// answer is an answer of which nothing was verified yet.
type answer struct {
	name       string
	candidates array
}

// verdict is what an answer comes to at a certain time, with certain keys.
type verdict struct {
	kept         []kept
	dropped      []drop
	copyDiffers  []string // JSON pointers
	duplicateURL []int
}

type kept struct {
	at     int
	claims *claims
}

type drop struct {
	At     int   `json:"at"`
	Reason fault `json:"reason"`
}

// readAnswer checks an answer up to its candidates ([resolve.answer.order]).
func readAnswer(text []byte, issuer string) (*answer, fault) {
	o, f := readDocument(text, maxAnswer)
	if f != none {
		return nil, f
	}
	iss, f := stringMember(o, "iss")
	if f != none {
		return nil, f
	}
	name, f := stringMember(o, "resolver")
	if f != none {
		return nil, f
	}
	v, ok := o.get("candidates")
	if !ok {
		return nil, memberMissing
	}
	candidates, ok := v.(array)
	if !ok {
		return nil, memberType
	}
	if iss != issuer { // [resolve.answer.iss]
		return nil, issMismatch
	}
	if len(candidates) > maxCandidates { // [resolve.answer.count]
		return nil, tooManyCandidates
	}
	return &answer{name, candidates}, none
}

// judge verifies every token of an answer ([client.verify]). A candidate that
// is refused spoils no other.
func (a *answer) judge(d *discovery, now int64) *verdict {
	v := &verdict{}
	if a.name != d.name { // [resolve.answer.name-read]
		v.copyDiffers = append(v.copyDiffers, "/resolver")
	}
	urls := map[string]bool{}
	for at, entry := range a.candidates {
		candidate, _ := entry.(*object)
		token, ok := tokenOf(candidate)
		if !ok { // [candidate.unsigned]
			v.dropped = append(v.dropped, drop{at, jwsMissing})
			continue
		}
		c, f := verifyToken(token, d, now)
		if f != none { // [candidate.dropped]
			v.dropped = append(v.dropped, drop{at, f})
			continue
		}
		if urls[c.url] { // [candidate.duplicate]: and nothing else is said
			v.duplicateURL = append(v.duplicateURL, at)
			continue
		}
		urls[c.url] = true
		v.kept = append(v.kept, kept{at, c})
		for _, name := range differing(candidate, c) { // [candidate.copy-differs]
			v.copyDiffers = append(v.copyDiffers, "/candidates/"+strconv.Itoa(at)+"/"+name)
		}
	}
	return v
}

func tokenOf(o *object) (string, bool) {
	if o == nil {
		return "", false
	}
	s, ok := o.members["jws"].(string)
	return s, ok
}

// differing names the copies of a candidate that are missing or differ.
func differing(o *object, c *claims) []string {
	var names []string
	for _, copied := range []struct{ name, claim string }{
		{"url", c.url}, {"status", c.status}, {"checked_at", c.checkedAt}, {"expires", c.expires()},
	} {
		if !isText(o.members[copied.name], copied.claim) {
			names = append(names, copied.name)
		}
	}
	return names
}

// has says whether some candidate was dropped for this reason.
func (v *verdict) has(reason fault) bool {
	for _, d := range v.dropped {
		if d.Reason == reason {
			return true
		}
	}
	return false
}

// allByClock says whether there was a token, and all were refused for reasons
// that a wrong clock would explain ([client.clock]).
func (v *verdict) allByClock() bool {
	if len(v.kept) > 0 {
		return false
	}
	tokens := 0
	for _, d := range v.dropped {
		switch d.Reason {
		case jwsMissing: // no token
			continue
		case expired, issuedInFuture, checkedAtFuture, notYetValid:
			tokens++
		default:
			return false
		}
	}
	return tokens > 0
}
