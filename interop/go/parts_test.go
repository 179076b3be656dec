package main

import (
	"math/rand"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// norm.NFC is right for texts without long runs of marks, so both have to agree
// on those. U+09BE and the like are not in the pool: norm lets a mark behind
// them join the character before, which [UAX 15] does not.
func TestNFCAgreesWithTheLibrary(t *testing.T) {
	pool := []rune("aeoAıß한각각가ㄱΩÅé\u0301\u0300\u0323\u0327\u0345\u05B0\u05BC\u0915\u093C\u09C7\u0DDD\u1E0A\u0307\u2126\uFB1D\u0344\u0F73\U0001D15E\U000110AB")
	random := rand.New(rand.NewSource(1))
	for i := 0; i < 200000; i++ {
		var s []rune
		for n := random.Intn(9); n >= 0; n-- {
			s = append(s, pool[random.Intn(len(pool))])
		}
		if got, want := nfc(string(s)), norm.NFC.String(string(s)); got != want {
			t.Fatalf("%+q: got %+q, want %+q", string(s), got, want)
		}
	}
}

func TestNFCMarkJoinsTheLastStarter(t *testing.T) {
	s := "o\u09BE\u0308"
	if got := nfc(s); got != s {
		t.Errorf("got %+q", got)
	}
}

func TestNFCAddsNothingToLongRuns(t *testing.T) {
	s := "q" + strings.Repeat("\u0301", 60)
	if got := nfc(s); got != s {
		t.Errorf("got %+q", got)
	}
}

func TestIDNA(t *testing.T) {
	for domain, want := range map[string]bool{
		"xn--bcher-kva.example": true,
		"xn--bcher-kva":         true,
		"xn--.example":          false, // stands for nothing
		"xn--a-.example":        false, // stands for ASCII
		"xn--4dbrk0ce":          true,  // Hebrew
		"1a.xn--4dbrk0ce":       false, // Bidi rule 1, for a label of ASCII
		"a1.xn--4dbrk0ce":       true,
		"xn--e-xbb.example":     false, // decomposed
		"xn--Bcher-kva.example": false,
		"xn--bcher-kva.1":       false, // read as an address
	} {
		if got := isDomain(domain); got != want {
			t.Errorf("%s: got %v", domain, got)
		}
	}
}

func TestIPv6(t *testing.T) {
	for host, want := range map[string]bool{
		"[::]":                   true,
		"[::1]":                  true,
		"[1::]":                  true,
		"[2001:db8::1:0:0:1]":    true,
		"[2001:db8:0:0:1::1]":    false, // the second of equal runs
		"[2001:db8:0:1:1:1:1:1]": true,
		"[2001:db8::1:1:1:1:1]":  false, // one zero is not shortened
		"[::ffff:102:304]":       true,
		"[::ffff:1.2.3.4]":       false,
		"[::A]":                  false,
		"[::1%25eth0]":           false,
	} {
		if got := isIPv6(host); got != want {
			t.Errorf("%s: got %v", host, got)
		}
	}
}

func TestCacheControl(t *testing.T) {
	for _, c := range []struct {
		fields    []string
		discovery int64
		answer    int64
	}{
		{nil, 3600, 0},
		{[]string{"max-age=60"}, 60, 60},
		{[]string{"Max-Age=60"}, 60, 60},
		{[]string{"private", "max-age=60, max-age=90"}, 60, 60},
		{[]string{"max-age=x, max-age=90"}, 3600, 0},
		{[]string{"max-age=99999999999999999999"}, 86400, 3600},
		{[]string{`ext="a, max-age=5", max-age=60`}, 60, 60},
		{[]string{"no-store, max-age=60"}, 0, 0},
		{[]string{"max-age=60, No-Cache"}, 0, 0},
	} {
		cc := readCacheControl(http.Header{"Cache-Control": c.fields})
		if got := discoveryTime(cc, 0); got != c.discovery {
			t.Errorf("%q: discovery %d", c.fields, got)
		}
		if got := answerTime(cc, 0); got != c.answer {
			t.Errorf("%q: answer %d", c.fields, got)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	const now = 1796040000 // 2026-11-30T12:00:00Z
	for field, want := range map[string]int64{
		"":                               now,
		"0":                              now,
		"120":                            now + 120,
		"99999999999999999999":           now + 3600,
		"-1":                             now,
		"1.5":                            now,
		"Mon, 30 Nov 2026 12:01:00 GMT":  now + 60,
		"Monday, 30-Nov-26 12:01:00 GMT": now + 60,
		"Mon Nov 30 12:01:00 2026":       now + 60,
		"soon":                           now,
	} {
		if got := retryTime(http.Header{"Retry-After": {field}}, now); got != want {
			t.Errorf("%q: got %d", field, got-now)
		}
	}
}

// What no answer at all, or one that means nothing, does to the program is not
// for vectors: it must end only when its input ends.
func TestServeAnswersEveryLine(t *testing.T) {
	in := `{"id":"a","operation":"time","input":{"value":"2026-11-30T12:00:00Z"}}
{"id":"b","operation":"captxt","input":{}}
{"id":"c","operation":"need","input":{"need":"  cafe\u0301 "}}`
	want := `{"id":"a","result":"valid","reason":null,"output":null}
{"id":"b","unsupported":true}
{"id":"c","result":"valid","reason":null,"output":{"need":"café"}}
`
	var out strings.Builder
	if err := serve(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("got %s", out.String())
	}
}

func FuzzReadObject(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\ud83d\ude00",{"b":null}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if o, code := readObject(text); (o == nil) == (code == none) {
			t.Errorf("%v with %q", o, code)
		}
	})
}
