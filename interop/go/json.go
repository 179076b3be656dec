package main

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// value is one JSON value: nil, bool, number, string, array or *object.
type value interface{}

// number keeps how a number was written: [token.claims.integer] asks for it.
type number string

type array []value

type object struct {
	members map[string]value
}

// get gives a member and whether it is present; a member that is null is.
func (o *object) get(name string) (value, bool) {
	v, ok := o.members[name]
	return v, ok
}

func (o *object) has(name string) bool {
	_, ok := o.members[name]
	return ok
}

// The ends of the codes of [json.order].
const (
	notUTF8         fault = "not-utf8"
	tooDeep         fault = "too-deep"
	notJSON         fault = "not-json"
	notObject       fault = "not-object"
	duplicateMember fault = "duplicate-member"
)

const maxDepth = 32

// readObject reads a text that has to be one JSON object, in the order of
// [json.order], so that a text with two faults has one code.
func readObject(text []byte) (*object, fault) {
	if !utf8.Valid(text) { // [json.utf8]
		return nil, notUTF8
	}
	if depth(text) > maxDepth { // [json.depth]
		return nil, tooDeep
	}
	p := parser{text: text}
	v, ok := p.document()
	if !ok {
		return nil, notJSON
	}
	o, ok := v.(*object)
	if !ok {
		return nil, notObject
	}
	if p.duplicate { // [json.duplicate], at any depth
		return nil, duplicateMember
	}
	return o, none
}

// depth is [json.depth-measure]: of any text, valid or not, by its brackets.
func depth(text []byte) int {
	deepest, now := 0, 0
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\':
			i++ // what a backslash escapes does not end the string
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			now++
			if now > deepest {
				deepest = now
			}
		case (c == ']' || c == '}') && now > 0:
			now--
		}
	}
	return deepest
}

// parser reads RFC 8259 and nothing more ([json.syntax]). Its recursion is
// bounded: the depth was measured before.
type parser struct {
	text      []byte
	at        int
	duplicate bool
}

func (p *parser) document() (value, bool) {
	p.space()
	v, ok := p.value()
	if !ok {
		return nil, false
	}
	p.space()
	return v, p.at == len(p.text)
}

// peek gives the next byte, or 0 at the end: a NUL is nowhere allowed.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) take(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) value() (value, bool) {
	switch p.peek() {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		return wrap(p.str())
	case 't':
		return true, p.word("true")
	case 'f':
		return false, p.word("false")
	case 'n':
		return nil, p.word("null")
	}
	return p.number()
}

// wrap makes a value of a string; without it the bool of two results is lost.
func wrap(s string, ok bool) (value, bool) { return s, ok }

func (p *parser) word(w string) bool {
	if len(p.text)-p.at < len(w) || string(p.text[p.at:p.at+len(w)]) != w {
		return false
	}
	p.at += len(w)
	return true
}

func (p *parser) object() (value, bool) {
	o := &object{members: map[string]value{}}
	p.take('{')
	p.space()
	if p.take('}') {
		return o, true
	}
	for {
		p.space()
		if p.peek() != '"' {
			return nil, false
		}
		name, ok := p.str()
		if !ok {
			return nil, false
		}
		p.space()
		if !p.take(':') {
			return nil, false
		}
		p.space()
		v, ok := p.value()
		if !ok {
			return nil, false
		}
		if o.has(name) {
			p.duplicate = true
		}
		o.members[name] = v
		p.space()
		if p.take('}') {
			return o, true
		}
		if !p.take(',') {
			return nil, false
		}
	}
}

func (p *parser) array() (value, bool) {
	a := array{}
	p.take('[')
	p.space()
	if p.take(']') {
		return a, true
	}
	for {
		p.space()
		v, ok := p.value()
		if !ok {
			return nil, false
		}
		a = append(a, v)
		p.space()
		if p.take(']') {
			return a, true
		}
		if !p.take(',') {
			return nil, false
		}
	}
}

func (p *parser) str() (string, bool) {
	p.take('"')
	var out []byte
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == '"':
			p.at++
			return string(out), true
		case c < 0x20:
			return "", false
		case c == '\\':
			p.at++
			r, ok := p.escape()
			if !ok {
				return "", false
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
			p.at++
		}
	}
	return "", false
}

func (p *parser) escape() (rune, bool) {
	c := p.peek()
	p.at++
	switch c {
	case '"', '\\', '/':
		return rune(c), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'u':
		return p.unicode()
	}
	return 0, false
}

// unicode reads what stands behind \u. Half a pair of surrogates is refused
// ([json.surrogate]).
func (p *parser) unicode() (rune, bool) {
	r, ok := p.hex4()
	if !ok || !utf16.IsSurrogate(r) {
		return r, ok
	}
	if !p.take('\\') || !p.take('u') {
		return 0, false
	}
	low, ok := p.hex4()
	if !ok {
		return 0, false
	}
	both := utf16.DecodeRune(r, low)
	return both, both != utf8.RuneError
}

func (p *parser) hex4() (rune, bool) {
	if len(p.text)-p.at < 4 {
		return 0, false
	}
	var r rune
	for _, c := range p.text[p.at : p.at+4] {
		d, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	p.at += 4
	return r, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

func (p *parser) number() (value, bool) {
	start := p.at
	p.take('-')
	if !p.take('0') && !p.digits() {
		return nil, false
	}
	if p.take('.') && !p.digits() {
		return nil, false
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		if !p.digits() {
			return nil, false
		}
	}
	text := string(p.text[start:p.at])
	// [json.number-range]: the only error that a well-formed number can give
	// is that it is too large; one too small becomes zero.
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return nil, false
	}
	return number(text), true
}

func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}
