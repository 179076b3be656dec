package main

import (
	"context"
	"sort"
	"sync"
	"time"
)

// client asks the resolvers of its list and verifies what they say. Its list
// is empty until somebody fills it ([client.list], [client.no-default]).
type client struct {
	resolvers    []string
	atOnce       bool
	resolverTime time.Duration
	callTime     time.Duration
	fetch        *fetcher
	memories     map[string]*memory
}

// The bounds of [client.budget].
const (
	defaultResolverTime = 5 * time.Second
	defaultCallTime     = 10 * time.Second
)

// newClient makes a client with an empty memory. A resolver that stands twice
// in the list is asked once: the second time it would get the same request
// ([client.once]).
func newClient(resolvers []string, connect map[string]string) *client {
	c := &client{
		resolverTime: defaultResolverTime,
		callTime:     defaultCallTime,
		fetch:        newFetcher(connect),
		memories:     map[string]*memory{},
	}
	for _, issuer := range resolvers {
		if c.memories[issuer] == nil {
			c.memories[issuer] = &memory{answers: map[string]*heldAnswer{}}
			c.resolvers = append(c.resolvers, issuer)
		}
	}
	return c
}

// result is what a call found out. With refused nothing was asked.
type result struct {
	refused    fault
	candidates []merged
	asked      []outcome
}

// need asks who can do a job. now is the clock for the whole call; ctx lets
// the caller end it early ([client.cancel]).
func (c *client) need(ctx context.Context, now int64, need string, constraints map[string]string) result {
	query, f := needQuery(need, constraints)
	if f != none { // [resolve.client-need]
		return result{refused: f}
	}
	ctx, cancel := context.WithTimeout(ctx, c.callTime)
	defer cancel()
	ask := func(issuer string) outcome {
		return c.with(ctx, issuer, now, func(s *session) outcome { return s.askNeed(query) })
	}
	var asked []outcome
	if c.atOnce {
		asked = all(c.resolvers, ask)
	} else {
		asked = inOrder(c.resolvers, ask)
	}
	return result{candidates: merge(asked), asked: asked}
}

// record asks one resolver for a record, by id or by URL. It has to be one of
// the list ([client.no-other]); of another one nothing is known.
func (c *client) record(ctx context.Context, now int64, issuer string, id, url *string) []outcome {
	if c.memories[issuer] == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.callTime)
	defer cancel()
	p := parameter{"id", ""}
	if id != nil {
		p.value = *id
	} else if url != nil {
		p = parameter{"url", *url}
	}
	query := writeQuery([]parameter{p})
	return []outcome{c.with(ctx, issuer, now, func(s *session) outcome { return s.askRecord(query, url) })}
}

// with runs what is to be asked of one resolver within its time.
func (c *client) with(ctx context.Context, issuer string, now int64, ask func(*session) outcome) outcome {
	if !isIssuer(issuer) {
		// No document can have it as its `iss` ([discovery.iss]).
		return outcome{issuer: issuer, skipped: issMismatch}
	}
	ctx, cancel := context.WithTimeout(ctx, c.resolverTime)
	defer cancel()
	return ask(&session{ctx: ctx, issuer: issuer, now: now, fetch: c.fetch, memory: c.memories[issuer]})
}

// inOrder is [client.order]: the next is asked only if none before had a
// candidate. It costs the least privacy.
func inOrder(resolvers []string, ask func(string) outcome) []outcome {
	var asked []outcome
	for _, issuer := range resolvers {
		out := ask(issuer)
		asked = append(asked, out)
		if out.verdict != nil && len(out.verdict.kept) > 0 {
			break
		}
	}
	return asked
}

func all(resolvers []string, ask func(string) outcome) []outcome {
	asked := make([]outcome, len(resolvers))
	var group sync.WaitGroup
	for i, issuer := range resolvers {
		group.Add(1)
		go func(i int, issuer string) {
			defer group.Done()
			asked[i] = ask(issuer)
		}(i, issuer)
	}
	group.Wait()
	return asked
}

// needQuery checks need and constraints as a resolver would and writes the
// query, with the need as [resolve.need.read] leaves it. The same query means
// the same need and constraints.
func needQuery(need string, constraints map[string]string) (string, fault) {
	parameters := []parameter{{"need", need}}
	var names []string
	for name := range constraints {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		parameters = append(parameters, parameter{name, constraints[name]})
	}
	read, f := checkParameters(parameters)
	if f != none {
		return "", f
	}
	parameters[0].value = read
	return writeQuery(parameters), none
}
