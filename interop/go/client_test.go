package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const testIssuer = "https://one.example"

// discoveryOf is a discovery document without keys.
func discoveryOf(issuer string) string {
	return `{"v":"0.2","iss":"` + issuer + `","resolver":"One","endpoints":{"resolve":"` + issuer +
		`/resolve","record":"` + issuer + `/record"},"keys":[],"policy":"` + issuer + `/policy"}`
}

func serveJSON(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", jsonType)
	if _, err := w.Write([]byte(body)); err != nil {
		panic(err)
	}
}

func TestNewClientHasTheDefaultBounds(t *testing.T) {
	c := newClient(nil, map[string]string{})
	if c.resolverTime != 5*time.Second || c.callTime != 10*time.Second || len(c.resolvers) != 0 {
		t.Errorf("got %v, %v, %v", c.resolverTime, c.callTime, c.resolvers)
	}
	r := c.need(context.Background(), 0, "send an email", nil)
	if r.refused != none || len(r.asked) != 0 || len(r.candidates) != 0 {
		t.Errorf("an empty list gives an empty result, got %+v", r)
	}
}

func TestCallerCanCancelACall(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
	}))
	defer server.Close()
	c := newClient([]string{testIssuer}, map[string]string{testIssuer: server.URL})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	r := c.need(ctx, 0, "send an email", nil)
	if time.Since(start) > 2*time.Second {
		t.Error("it went on")
	}
	if len(r.asked) != 1 || r.asked[0].skipped != timeout {
		t.Errorf("got %+v", r.asked)
	}
}

// A server that keeps connections open and drops one before it answers may be
// asked again there ([client.once]). The vectors close every connection.
func TestKeptConnectionIsUsedAgain(t *testing.T) {
	var requests int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		atomic.AddInt32(&requests, 1)
		if r.Host != "one.example" {
			t.Errorf("Host %q", r.Host)
		}
		if r.URL.Path == discoveryPath {
			serveJSON(w, discoveryOf(testIssuer))
			return
		}
		if !strings.Contains(r.URL.RawQuery, "need=send%20a%2Bb") {
			t.Errorf("query %q", r.URL.RawQuery)
		}
		serveJSON(w, `{"v":"0.2","iss":"`+testIssuer+`","resolver":"One","candidates":[]}`)
	}))
	defer server.Close()
	c := newClient([]string{testIssuer, testIssuer}, map[string]string{testIssuer: server.URL})
	for i := 0; i < 3; i++ {
		r := c.need(context.Background(), int64(i), "send a+b", nil)
		if len(r.asked) != 1 || r.asked[0].skipped != none || r.asked[0].name != "One" {
			t.Fatalf("got %+v", r.asked)
		}
	}
	if requests != 4 { // one discovery document, three answers without max-age
		t.Errorf("%d requests", requests)
	}
}

func TestNothingIsSentToWhoIsNoResolverOfTheList(t *testing.T) {
	c := newClient([]string{testIssuer, "https://[::1]", "http://one.example"}, map[string]string{})
	url := "https://mail.example/mcp"
	if asked := c.record(context.Background(), 0, "https://two.example", nil, &url); asked != nil {
		t.Errorf("got %+v", asked)
	}
	r := c.need(context.Background(), 0, "send an email", nil)
	for i, want := range []fault{network, issMismatch, issMismatch} {
		if r.asked[i].skipped != want {
			t.Errorf("%d: got %q, want %q", i, r.asked[i].skipped, want)
		}
	}
}

func TestRealConnectionsAreVerified(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		serveJSON(w, "{}")
	}))
	defer server.Close()
	server.Config.ErrorLog = nil
	// The certificate of httptest is signed by nobody that is known.
	_, _, f := newFetcher(nil).get(context.Background(), server.URL+"/", "", 100)
	if f != network {
		t.Errorf("got %q", f)
	}
}

// Every status from 300 to 399 is a redirect, also one that nobody has defined.
func TestEvery3xxIsARedirect(t *testing.T) {
	for status, want := range map[int]fault{299: statusCode, 300: redirect, 310: redirect, 399: redirect, 400: statusCode} {
		if f := checkHead(&http.Response{StatusCode: status}); f != want {
			t.Errorf("%d: got %q", status, f)
		}
	}
}

// A new document that is refused does not end the time of the copy
// ([keys.unknown-kid]).
func TestRefusedDocumentLeavesTheCopy(t *testing.T) {
	documents := 0
	// The token's kid is in no document. Its signature is never looked at.
	token := "eyJhbGciOiJFZERTQSIsImtpZCI6ImsifQ.e30.AA"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != discoveryPath {
			serveJSON(w, `{"v":"0.2","iss":"`+testIssuer+`","resolver":"One","candidates":[{"jws":"`+token+`"}]}`)
			return
		}
		documents++
		if documents > 1 {
			serveJSON(w, "{}")
			return
		}
		serveJSON(w, discoveryOf(testIssuer))
	}))
	defer server.Close()
	c := newClient([]string{testIssuer}, map[string]string{testIssuer: server.URL})
	for i, want := range []fault{memberMissing, none} {
		r := c.need(context.Background(), int64(i), "send an email", nil)
		if len(r.asked) != 1 || r.asked[0].refresh != want || r.asked[0].skipped != none || !r.asked[0].verdict.has(kidUnknown) {
			t.Fatalf("call %d: got %+v", i, r.asked)
		}
	}
	if documents != 2 {
		t.Errorf("%d requests for a document", documents)
	}
}

// What is percent-encoded in an endpoint stays so.
func TestPathIsSentAsItStands(t *testing.T) {
	r, ok := newFetcher(map[string]string{testIssuer: "http://127.0.0.1:1"}).request(context.Background(), testIssuer+"//a%2Fb'%7e?x=%20")
	if !ok || r.URL.RequestURI() != "//a%2Fb'%7e?x=%20" || r.Host != "one.example" {
		t.Errorf("got %q, %q", r.URL.RequestURI(), r.Host)
	}
}
