package main

import (
	"context"
	"encoding/json"
	"time"
)

// scenario is the input of the operation `client`: a client with an empty
// memory that makes some calls one after the other.
type scenario struct {
	Resolvers []string          `json:"resolvers"`
	Ask       string            `json:"ask"`
	Budgets   budgets           `json:"budgets"`
	Connect   map[string]string `json:"connect"`
	Calls     []call            `json:"calls"`
}

type budgets struct {
	ResolverMS int64 `json:"resolverMs"`
	CallMS     int64 `json:"callMs"`
}

type call struct {
	Now         string            `json:"now"`
	Need        string            `json:"need"`
	Constraints map[string]string `json:"constraints"`
	Record      *recordCall       `json:"record"`
}

type recordCall struct {
	Issuer string  `json:"issuer"`
	ID     *string `json:"id"`
	URL    *string `json:"url"`
}

type scenarioOutput struct {
	Calls []interface{} `json:"calls"`
}

type needCallOutput struct {
	Refused    *fault        `json:"refused"`
	Candidates []merged      `json:"candidates"`
	Asked      []askedOutput `json:"asked"`
}

type recordCallOutput struct {
	Refused *fault        `json:"refused"`
	Record  *statedRecord `json:"record"`
	Asked   []askedOutput `json:"asked"`
}

type statedRecord struct {
	URL       string `json:"url"`
	Status    string `json:"status"`
	CheckedAt string `json:"checkedAt"`
	Expires   string `json:"expires"`
	Name      string `json:"name"`
	FirstSeen string `json:"firstSeen"`
}

type askedOutput struct {
	Issuer       string   `json:"issuer"`
	Name         *string  `json:"name"`
	Skipped      *fault   `json:"skipped"`
	Refresh      *fault   `json:"refresh"`
	Dropped      []drop   `json:"dropped"`
	CopyDiffers  []string `json:"copyDiffers"`
	DuplicateURL []int    `json:"duplicateUrl"`
	ClockDoubt   bool     `json:"clockDoubt"`
}

func askClient(raw json.RawMessage) (reply, error) {
	var in scenario
	if err := json.Unmarshal(raw, &in); err != nil {
		return reply{}, err
	}
	if in.Connect == nil {
		in.Connect = map[string]string{} // never the real network
	}
	c := newClient(in.Resolvers, in.Connect)
	defer c.fetch.transport.CloseIdleConnections()
	c.atOnce = in.Ask == "at-once"
	c.resolverTime = time.Duration(in.Budgets.ResolverMS) * time.Millisecond
	c.callTime = time.Duration(in.Budgets.CallMS) * time.Millisecond
	out := scenarioOutput{Calls: []interface{}{}}
	var first fault
	for _, call := range in.Calls {
		done, reason, err := play(c, call)
		if err != nil {
			return reply{}, err
		}
		if first == none {
			first = reason
		}
		out.Calls = append(out.Calls, done)
	}
	return reply{valid: first == none, reason: first, output: out}, nil
}

// play makes one call. It also gives the first code in its output.
func play(c *client, call call) (interface{}, fault, error) {
	now, err := readNow(call.Now)
	if err != nil {
		return nil, none, err
	}
	ctx := context.Background()
	if r := call.Record; r != nil {
		asked := c.record(ctx, now, r.Issuer, r.ID, r.URL)
		out := recordCallOutput{Asked: writeAsked(asked)}
		for _, o := range asked {
			out.Record = writeRecord(o.record)
		}
		return out, firstCode(none, asked), nil
	}
	r := c.need(ctx, now, call.Need, call.Constraints)
	out := needCallOutput{code(r.refused), append([]merged{}, r.candidates...), writeAsked(r.asked)}
	return out, firstCode(r.refused, r.asked), nil
}

func writeRecord(v *recordVerdict) *statedRecord {
	if v == nil {
		return nil
	}
	c := v.claims
	return &statedRecord{c.url, c.status, c.checkedAt, c.expires(), v.name, v.firstSeen}
}

func writeAsked(asked []outcome) []askedOutput {
	list := []askedOutput{}
	for _, o := range asked {
		a := askedOutput{
			Issuer: o.issuer, Skipped: code(o.skipped), Refresh: code(o.refresh), ClockDoubt: o.clockDoubt,
			Dropped: []drop{}, CopyDiffers: []string{}, DuplicateURL: []int{},
		}
		if o.skipped == none {
			name := o.name
			a.Name = &name
		}
		if v := o.verdict; v != nil {
			a.Dropped, a.CopyDiffers, a.DuplicateURL = drops(v.dropped), strs(v.copyDiffers), ints(v.duplicateURL)
		}
		if v := o.record; v != nil {
			a.CopyDiffers = strs(v.copyDiffers)
		}
		list = append(list, a)
	}
	return list
}

// code makes null of no fault.
func code(f fault) *fault {
	if f == none {
		return nil
	}
	return &f
}

func firstCode(refused fault, asked []outcome) fault {
	if refused != none {
		return refused
	}
	for _, o := range asked {
		if o.skipped != none {
			return o.skipped
		}
		if o.refresh != none {
			return o.refresh
		}
		if o.verdict != nil && len(o.verdict.dropped) > 0 {
			return o.verdict.dropped[0].Reason
		}
	}
	return none
}
