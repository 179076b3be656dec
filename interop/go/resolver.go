package main

import (
	"context"
	"math"
)

const discoveryPath = "/.well-known/capability-resolver"

// session is one resolver in one call. Its context ends when the time of the
// resolver or of the call is over.
type session struct {
	ctx    context.Context
	issuer string
	now    int64
	fetch  *fetcher
	memory *memory
	// held is the discovery document of this call, which may be one that is
	// not kept after it.
	held *heldDocument
}

// outcome is what one resolver contributed to a call.
type outcome struct {
	issuer     string
	skipped    fault
	refresh    fault
	name       string
	verdict    *verdict
	record     *recordVerdict
	clockDoubt bool
}

// get is fetcher.get, unless the resolver is to be left alone.
func (s *session) get(url, tag string, limit int) (*response, fault) {
	if s.ctx.Err() != nil {
		return nil, timeout
	}
	if s.memory.isBlocked(s.now) {
		return nil, statusCode
	}
	r, busy, f := s.fetch.get(s.ctx, url, tag, limit)
	if busy != nil {
		s.memory.blockedUntil = retryTime(busy, s.now)
	}
	return r, f
}

// discover makes sure that there is a discovery document to judge by.
func (s *session) discover() fault {
	if s.ctx.Err() != nil {
		return timeout
	}
	if held := s.memory.copy; held != nil && held.isFresh(s.now) {
		s.held = held
		return none
	}
	return s.fetchDocument()
}

// fetchDocument asks for the discovery document, with the tag of the copy if
// there is one ([discovery.etag]). If that fails everything stays as it was.
func (s *session) fetchDocument() fault {
	old := s.held
	if old == nil {
		old = s.memory.copy
	}
	tag := ""
	if old != nil {
		tag = old.tag
	}
	r, f := s.get(s.issuer+discoveryPath, tag, maxDiscovery)
	if f != none {
		return f
	}
	held := &heldDocument{received: s.now, cache: readCacheControl(r.header)}
	if r.confirmed { // [discovery.not-modified]
		held.document, held.tag = old.document, old.tag
		if !held.cache.present {
			held.cache = old.cache
		}
	} else {
		held.tag = r.header.Get("ETag")
		if held.document, f = readDiscovery(r.body, s.issuer); f != none {
			return f
		}
	}
	held.lifetime = discoveryTime(held.cache, age(r.header))
	s.held = held
	s.memory.keep(held)
	return none
}

// refetch is [keys.unknown-kid]: it fetches the document again, if that may be
// done, and says whether there is another one and with which code it failed.
// What is not sent, since the resolver is to be left alone or the time is over,
// does not count as a fetch.
func (s *session) refetch() (bool, fault) {
	if !s.memory.mayRefetch(s.now) {
		return false, none
	}
	if s.ctx.Err() == nil && !s.memory.isBlocked(s.now) {
		s.memory.refetched, s.memory.hasRefetched = s.now, true
	}
	f := s.fetchDocument()
	return f == none, f
}

// askNeed asks for candidates, or reuses an answer.
func (s *session) askNeed(query string) outcome {
	out := outcome{issuer: s.issuer}
	if out.skipped = s.discover(); out.skipped != none {
		return out
	}
	held := s.memory.answers[query]
	isNew := held == nil || !held.isFresh(s.now)
	if isNew {
		if held, out.skipped = s.fetchAnswer(query); out.skipped != none {
			return out
		}
	}
	v := held.answer.judge(s.held.document, s.now)
	if v.has(kidUnknown) {
		var again bool
		if again, out.refresh = s.refetch(); again {
			v = held.answer.judge(s.held.document, s.now)
		}
	}
	if isNew {
		held.firstExp = firstExp(v)
		s.memory.answers[query] = held
	}
	out.name = s.held.document.name
	out.verdict = v
	out.clockDoubt = held.clockDiffers && v.allByClock()
	return out
}

func (s *session) fetchAnswer(query string) (*heldAnswer, fault) {
	r, f := s.get(s.held.document.resolve+"?"+query, "", maxAnswer)
	if f != none {
		return nil, f
	}
	a, f := readAnswer(r.body, s.issuer)
	if f != none {
		return nil, f
	}
	return &heldAnswer{
		answer:       a,
		received:     s.now,
		lifetime:     answerTime(readCacheControl(r.header), age(r.header)),
		clockDiffers: clockDiffers(r.header, s.now),
	}, none
}

// firstExp is until when the candidates of an answer let it be reused.
func firstExp(v *verdict) int64 {
	first := int64(math.MaxInt64)
	for _, k := range v.kept {
		first = min(first, k.claims.exp)
	}
	return first
}

// askRecord asks for a record. requested is the URL asked for, if it was not
// asked for by id. Records are never reused: the text lets only answers be.
func (s *session) askRecord(query string, requested *string) outcome {
	out := outcome{issuer: s.issuer}
	if out.skipped = s.discover(); out.skipped != none {
		return out
	}
	r, f := s.get(s.held.document.record+"?"+query, "", maxRecord)
	if f != none {
		out.skipped = f
		return out
	}
	text, f := readRecord(r.body, s.issuer)
	if f != none {
		out.skipped = f
		return out
	}
	v, f := text.judge(s.held.document, requested, s.now)
	if f == kidUnknown {
		var again bool
		if again, out.refresh = s.refetch(); again {
			v, f = text.judge(s.held.document, requested, s.now)
		}
	}
	if f != none {
		out.skipped = f
		return out
	}
	out.name = s.held.document.name
	out.record = v
	return out
}
