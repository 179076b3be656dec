package main

// merged is what all resolvers together said of one server.
type merged struct {
	URL        string      `json:"url"`
	Status     string      `json:"status"`
	Statements []statement `json:"statements"`
}

type statement struct {
	Issuer    string `json:"issuer"`
	Status    string `json:"status"`
	CheckedAt string `json:"checkedAt"`
	Expires   string `json:"expires"`
}

// merge is [client.merge] and [client.contradiction]. Outcomes come in the
// order of the list, so the first statement of a server fixes its place.
func merge(asked []outcome) []merged {
	out := []merged{}
	places := map[string]int{}
	for _, o := range asked {
		if o.verdict == nil {
			continue
		}
		for _, k := range o.verdict.kept {
			place, ok := places[k.claims.url]
			if !ok {
				place = len(out)
				places[k.claims.url] = place
				out = append(out, merged{URL: k.claims.url})
			}
			m := &out[place]
			m.Statements = append(m.Statements, statement{o.issuer, k.claims.status, k.claims.checkedAt, k.claims.expires()})
		}
	}
	for i := range out {
		out[i].Status = latest(out[i].Statements).Status
	}
	return out
}

// latest gives the statement with the latest checked_at, the first of equal
// ones. The form of times lets texts be compared.
func latest(statements []statement) statement {
	best := statements[0]
	for _, s := range statements[1:] {
		if s.CheckedAt > best.CheckedAt {
			best = s
		}
	}
	return best
}
