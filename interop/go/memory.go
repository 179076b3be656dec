package main

// memory is what a client keeps of one resolver between calls. One call uses
// it from one goroutine only.
type memory struct {
	// copy is the newest discovery document, fresh or not.
	copy *heldDocument
	// refetched is when a document was last fetched again for an unknown kid.
	refetched    int64
	hasRefetched bool
	// blockedUntil is until when Retry-After forbids to ask.
	blockedUntil int64
	answers      map[string]*heldAnswer
}

type heldDocument struct {
	document *discovery
	tag      string // ETag
	received int64
	lifetime int64
	cache    cacheControl
}

type heldAnswer struct {
	answer   *answer
	received int64
	lifetime int64
	// firstExp is the first exp of the candidates that were kept when it came.
	firstExp int64
	// clockDiffers is from when it came too ([client.clock]).
	clockDiffers bool
}

// isFresh is [discovery.cache-time] and [client.cache-clock].
func (h *heldDocument) isFresh(now int64) bool {
	return h.received <= now && now-h.received < h.lifetime
}

// isFresh is [client.cache] and [client.cache-clock].
func (h *heldAnswer) isFresh(now int64) bool {
	return now < h.firstExp && h.received <= now && now-h.received < h.lifetime
}

// isBlocked is [client.retry-after]. A time that no answer can have named is
// of a clock that has gone back since ([client.cache-clock]).
func (m *memory) isBlocked(now int64) bool {
	return now < m.blockedUntil && m.blockedUntil <= now+maxRetryAfter
}

// mayRefetch is the limit of [keys.unknown-kid], and of [client.cache-clock].
func (m *memory) mayRefetch(now int64) bool {
	return !m.hasRefetched || now < m.refetched || now-m.refetched >= 300
}

// keep replaces the copy. What must not be stored ends the older one too: that
// is not the newest any more ([keys.withdrawn]).
func (m *memory) keep(h *heldDocument) {
	m.copy = h
	if h.cache.noStore {
		m.copy = nil
	}
}
