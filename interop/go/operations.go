package main

import (
	"encoding/hex"
	"encoding/json"
	"time"
)

// reply is the answer to one question.
type reply struct {
	valid  bool
	reason fault
	output interface{}
}

func replied(f fault, output interface{}) reply {
	if f != none {
		return reply{reason: f}
	}
	return reply{valid: true, output: output}
}

var operations = map[string]func(json.RawMessage) (reply, error){
	"token":      askToken,
	"discovery":  askDiscovery,
	"answer":     askAnswer,
	"record":     askRecord,
	"ed25519":    askEd25519,
	"request":    askRequest,
	"need":       askNeed,
	"origin":     askName(isOrigin),
	"issuer":     askName(isIssuer),
	"server-url": askName(isServerURL),
	"time":       askName(isTime),
	"client":     askClient,
}

// input has the members of all operations but that of clients. A text that is
// not UTF-8 comes as base64, which encoding/json decodes for bytes.
type input struct {
	Token           string  `json:"token"`
	TokenBase64     []byte  `json:"token_base64"`
	Discovery       string  `json:"discovery"`
	DiscoveryBase64 []byte  `json:"discovery_base64"`
	Document        string  `json:"document"`
	DocumentBase64  []byte  `json:"document_base64"`
	Issuer          string  `json:"issuer"`
	Now             string  `json:"now"`
	RequestedURL    *string `json:"requestedUrl"`
	PublicKey       string  `json:"publicKey"`
	Message         string  `json:"message"`
	Signature       string  `json:"signature"`
	Query           string  `json:"query"`
	Need            string  `json:"need"`
	Value           string  `json:"value"`
}

func readInput(raw json.RawMessage) (*input, error) {
	in := &input{}
	return in, json.Unmarshal(raw, in)
}

func text(plain string, coded []byte) []byte {
	if coded != nil {
		return coded
	}
	return []byte(plain)
}

// readNow rounds down to whole seconds ([time.now]).
func readNow(s string) (int64, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	return t.Unix(), err
}

// judged reads what all questions about something signed have in common. A
// document that is refused gives its code to all that would be judged by it
// ([discovery.refused]).
func judged(raw json.RawMessage) (in *input, d *discovery, now int64, f fault, err error) {
	if in, err = readInput(raw); err != nil {
		return
	}
	if now, err = readNow(in.Now); err != nil {
		return
	}
	d, f = readDiscovery(text(in.Discovery, in.DiscoveryBase64), in.Issuer)
	return
}

func askToken(raw json.RawMessage) (reply, error) {
	in, d, now, f, err := judged(raw)
	if err != nil || f != none {
		return replied(f, nil), err
	}
	_, f = verifyToken(string(text(in.Token, in.TokenBase64)), d, now)
	return replied(f, nil), nil
}

func askDiscovery(raw json.RawMessage) (reply, error) {
	in, err := readInput(raw)
	if err != nil {
		return reply{}, err
	}
	_, f := readDiscovery(text(in.Document, in.DocumentBase64), in.Issuer)
	return replied(f, nil), nil
}

// answerOutput is what an answer comes to. Empty lists are lists.
type answerOutput struct {
	Candidates   []int    `json:"candidates"`
	Dropped      []drop   `json:"dropped"`
	CopyDiffers  []string `json:"copyDiffers"`
	DuplicateURL []int    `json:"duplicateUrl"`
}

func askAnswer(raw json.RawMessage) (reply, error) {
	in, d, now, f, err := judged(raw)
	if err != nil || f != none {
		return replied(f, nil), err
	}
	a, f := readAnswer(text(in.Document, in.DocumentBase64), in.Issuer)
	if f != none {
		return replied(f, nil), nil
	}
	v := a.judge(d, now)
	out := answerOutput{[]int{}, drops(v.dropped), strs(v.copyDiffers), ints(v.duplicateURL)}
	for _, k := range v.kept {
		out.Candidates = append(out.Candidates, k.at)
	}
	return replied(none, out), nil
}

type recordOutput struct {
	CopyDiffers []string `json:"copyDiffers"`
}

func askRecord(raw json.RawMessage) (reply, error) {
	in, d, now, f, err := judged(raw)
	if err != nil || f != none {
		return replied(f, nil), err
	}
	r, f := readRecord(text(in.Document, in.DocumentBase64), in.Issuer)
	if f != none {
		return replied(f, nil), nil
	}
	v, f := r.judge(d, in.RequestedURL, now)
	if f != none {
		return replied(f, nil), nil
	}
	return replied(none, recordOutput{strs(v.copyDiffers)}), nil
}

func askEd25519(raw json.RawMessage) (reply, error) {
	in, err := readInput(raw)
	if err != nil {
		return reply{}, err
	}
	var parts [3][]byte
	for i, s := range []string{in.PublicKey, in.Message, in.Signature} {
		if parts[i], err = hex.DecodeString(s); err != nil {
			return reply{}, err
		}
	}
	f := checkPublicKey(parts[0])
	if f == none {
		f = checkSignature(parts[0], parts[1], parts[2])
	}
	return replied(f, nil), nil
}

type needOutput struct {
	Need string `json:"need"`
}

func askRequest(raw json.RawMessage) (reply, error) {
	in, err := readInput(raw)
	if err != nil {
		return reply{}, err
	}
	need, f := readQuery(in.Query)
	return replied(f, needOutput{need}), nil
}

func askNeed(raw json.RawMessage) (reply, error) {
	in, err := readInput(raw)
	if err != nil {
		return reply{}, err
	}
	need, f := readNeed(in.Need)
	return replied(f, needOutput{need}), nil
}

// askName is for what is only valid or not: bare names have no codes.
func askName(valid func(string) bool) func(json.RawMessage) (reply, error) {
	return func(raw json.RawMessage) (reply, error) {
		in, err := readInput(raw)
		if err != nil {
			return reply{}, err
		}
		return reply{valid: valid(in.Value)}, nil
	}
}

func isTime(s string) bool {
	_, ok := readTime(s)
	return ok
}

func drops(list []drop) []drop    { return append([]drop{}, list...) }
func strs(list []string) []string { return append([]string{}, list...) }
func ints(list []int) []int       { return append([]int{}, list...) }
