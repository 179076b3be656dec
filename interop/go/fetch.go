package main

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"strings"
)

// The codes of [client.failure-codes] that are no rule's of a document.
const (
	network       fault = "network"
	timeout       fault = "timeout"
	statusCode    fault = "status-code"
	contentCoding fault = "content-coding"
	redirect      fault = "redirect"
	mediaType     fault = "media-type"
)

const (
	jsonType  = "application/json"
	userAgent = "capability-resolution-go/0.1"
)

// fetcher makes single HTTP requests. It uses a transport and no http.Client:
// a transport follows no redirect and keeps no cookie.
type fetcher struct {
	transport *http.Transport
	// connect says where connections for an origin go, in plain HTTP. It is
	// for tests; nil is the real network.
	connect map[string]string
}

func newFetcher(connect map[string]string) *fetcher {
	return &fetcher{
		transport: &http.Transport{
			// No proxy from the environment: it would learn the need.
			Proxy:              nil,
			DisableCompression: true,
			TLSClientConfig:    &tls.Config{MinVersion: tls.VersionTLS12}, // [http.tls-version]
		},
		connect: connect,
	}
}

// response is an answer with status 200, or a 304 that confirms a copy.
type response struct {
	confirmed bool
	header    http.Header
	body      []byte
}

// get asks for a URL. With a tag the request is conditional. The header is
// given also with a fault, when there was one: it may hold Retry-After.
func (f *fetcher) get(ctx context.Context, url, tag string, limit int) (*response, http.Header, fault) {
	request, ok := f.request(ctx, url)
	if !ok {
		return nil, nil, network
	}
	if tag != "" {
		request.Header.Set("If-None-Match", tag)
	}
	answer, err := f.transport.RoundTrip(request)
	if err != nil {
		return nil, nil, failure(ctx)
	}
	defer answer.Body.Close()
	if tag != "" && answer.StatusCode == http.StatusNotModified {
		return &response{confirmed: true, header: answer.Header}, nil, none
	}
	if code := checkHead(answer); code != none {
		if isBusy(answer.StatusCode) {
			return nil, answer.Header, code
		}
		return nil, nil, code
	}
	if answer.ContentLength > int64(limit) {
		return nil, nil, documentTooLarge // however much of it comes
	}
	// One byte more than the limit tells a body that is too long from one that
	// is not, however it ends ([client.failure-order]).
	body, err := io.ReadAll(io.LimitReader(answer.Body, int64(limit)+1))
	if len(body) > limit {
		return nil, nil, documentTooLarge
	}
	if err != nil {
		return nil, nil, failure(ctx)
	}
	return &response{header: answer.Header, body: body}, nil, none
}

func (f *fetcher) request(ctx context.Context, url string) (*http.Request, bool) {
	target, host := url, ""
	if f.connect != nil {
		origin := originOf(url)
		address := f.connect[origin]
		if address == "" {
			return nil, false
		}
		target = address + pathOf(url)
		host = strings.TrimPrefix(origin, scheme)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, false
	}
	if host != "" {
		request.Host = host
	}
	request.Header.Set("Accept", jsonType)
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", userAgent)
	return request, true
}

// failure tells why no whole answer came.
func failure(ctx context.Context) fault {
	if ctx.Err() != nil {
		return timeout
	}
	return network
}

// checkHead is [client.failure-order] without the document.
func checkHead(r *http.Response) fault {
	switch {
	case r.StatusCode >= 300 && r.StatusCode <= 399:
		return redirect // [http.redirect-not-followed]
	case r.StatusCode != http.StatusOK:
		return statusCode
	case isCoded(r.Header):
		return contentCoding
	case !isJSON(r.Header):
		return mediaType
	}
	return none
}

func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// isCoded says whether the body has a coding: one `identity`, which was asked
// for, is none.
func isCoded(h http.Header) bool {
	fields := h.Values("Content-Encoding")
	if len(fields) == 0 {
		return false
	}
	return len(fields) > 1 || !strings.EqualFold(trimOWS(fields[0]), "identity")
}

// isJSON is [http.media-type-read].
func isJSON(h http.Header) bool {
	fields := h.Values("Content-Type")
	if len(fields) != 1 {
		return false
	}
	media, _, _ := strings.Cut(fields[0], ";")
	return strings.EqualFold(trimOWS(media), jsonType)
}
