//! A scenario: what is asked, what is played, and what comes of it, put together step by step.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::super::cases::Cases;
use super::party::{ELSEWHERE, Offer, Party, at};
use super::reply::Reply;
use crate::model::{Input, Level, Vector};

/// The need of most calls.
pub(super) const NEED: &str = "send a transactional email";

/// The header fields of an honest discovery document and of an honest answer.
pub(super) const DISCOVERY: [&str; 2] = [
    "Content-Type: application/json",
    "Cache-Control: public, max-age=3600",
];
pub(super) const ANSWER: [&str; 2] = [
    "Content-Type: application/json",
    "Cache-Control: private, max-age=600",
];

/// The rule that every scenario names in which a client without a memory would make other requests.
const REUSE: &str = "client.reuse";

/// A scenario, as far as it was told.
#[derive(Clone)]
pub(super) struct Scenario {
    resolvers: Vec<&'static str>,
    ask: &'static str,
    budgets: (u64, u64),
    play: BTreeMap<String, Option<Vec<Value>>>,
    calls: Vec<Value>,
    outcomes: Vec<Value>,
    requests: Vec<Value>,
    /// The query of the present call as it is sent.
    query: Map<String, Value>,
    /// The origins and paths that were asked in the present call.
    asked: Vec<(String, String)>,
    /// Whether a client without a memory would make other requests.
    is_reusing: bool,
}

/// What a client says of one resolver after a call.
pub(super) struct Asked(Value);

impl Party {
    /// It answered.
    pub(super) fn answered(self) -> Asked {
        Asked(json!({
            "issuer": self.issuer, "name": self.name, "skipped": null, "refresh": null, "dropped": [],
            "copyDiffers": [], "duplicateUrl": [], "clockDoubt": false,
        }))
    }

    /// It was skipped.
    pub(super) fn skipped(self, code: &str) -> Asked {
        let mut asked = self.answered();
        asked.0["name"] = Value::Null;
        asked.0["skipped"] = json!(code);
        asked
    }
}

impl Asked {
    /// A candidate was dropped.
    pub(super) fn dropped(mut self, place: usize, code: &str) -> Self {
        if let Some(dropped) = self.0["dropped"].as_array_mut() {
            dropped.push(json!({"at": place, "reason": code}));
        }
        self
    }

    /// The discovery document could not be renewed.
    pub(super) fn refresh(mut self, code: &str) -> Self {
        self.0["refresh"] = json!(code);
        self
    }

    pub(super) fn copy_differs(mut self, pointers: &[&str]) -> Self {
        self.0["copyDiffers"] = json!(pointers);
        self
    }

    pub(super) fn duplicates(mut self, places: &[usize]) -> Self {
        self.0["duplicateUrl"] = json!(places);
        self
    }

    pub(super) fn clock_doubt(mut self) -> Self {
        self.0["clockDoubt"] = json!(true);
        self
    }

    /// Under another name.
    pub(super) fn named(mut self, name: &str) -> Self {
        self.0["name"] = json!(name);
        self
    }

    /// Under another issuer.
    pub(super) fn of(mut self, issuer: &str) -> Self {
        self.0["issuer"] = json!(issuer);
        self
    }
}

impl Scenario {
    pub(super) fn in_order<const N: usize>(resolvers: [Party; N]) -> Self {
        Self::of(resolvers.map(|party| party.issuer).to_vec(), "in-order")
    }

    pub(super) fn at_once<const N: usize>(resolvers: [Party; N]) -> Self {
        Self::of(resolvers.map(|party| party.issuer).to_vec(), "at-once")
    }

    pub(super) fn of(resolvers: Vec<&'static str>, ask: &'static str) -> Self {
        let origins = resolvers.iter().copied().chain([ELSEWHERE]);
        Self {
            play: origins
                .map(|origin| (origin.to_owned(), Some(Vec::new())))
                .collect(),
            resolvers,
            ask,
            budgets: (5000, 10_000),
            calls: Vec::new(),
            outcomes: Vec::new(),
            requests: Vec::new(),
            query: Map::new(),
            asked: Vec::new(),
            is_reusing: false,
        }
    }

    /// Milliseconds for each resolver, and for a call in all.
    pub(super) fn budgets(mut self, resolver: u64, call: u64) -> Self {
        self.budgets = (resolver, call);
        self
    }

    /// Another origin of which nothing may be asked.
    pub(super) fn trap(mut self, origin: &str) -> Self {
        self.play.insert(origin.to_owned(), Some(Vec::new()));
        self
    }

    /// Nobody listens there.
    pub(super) fn unreachable(mut self, party: Party) -> Self {
        self.play.insert(party.issuer.to_owned(), None);
        self
    }

    /// A call so many seconds after the first.
    pub(super) fn need(self, seconds: i64, need: &str) -> Self {
        self.need_with(seconds, need, need, &[])
    }

    /// A call with constraints, and with a need that is sent in another form.
    pub(super) fn need_with(
        mut self,
        seconds: i64,
        need: &str,
        sent: &str,
        constraints: &[(&str, &str)],
    ) -> Self {
        let constraints: Map<_, _> = constraints
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        self.calls
            .push(json!({"now": at(seconds), "need": need, "constraints": constraints}));
        self.outcomes
            .push(json!({"refused": null, "candidates": [], "asked": []}));
        self.asked.clear();
        self.query = constraints;
        self.query.insert("need".to_owned(), json!(sent));
        self
    }

    /// A call for a record, by `id` or `url`.
    pub(super) fn record(mut self, seconds: i64, party: Party, by: &str, value: &str) -> Self {
        let mut record = json!({"issuer": party.issuer, "id": null, "url": null});
        record[by] = json!(value);
        self.calls
            .push(json!({"now": at(seconds), "record": record}));
        self.outcomes
            .push(json!({"refused": null, "record": null, "asked": []}));
        self.asked.clear();
        self.query = [(by.to_owned(), json!(value))].into_iter().collect();
        self
    }

    /// The client asks for the discovery document and gets it.
    pub(super) fn discovery(self, party: Party) -> Self {
        let reply = Reply::of(&party.discovery(), &DISCOVERY);
        self.discovers(party, &reply)
    }

    /// The client asks for the discovery document and gets this.
    pub(super) fn discovers(self, party: Party, reply: &Reply) -> Self {
        self.request(party.issuer, WELL_KNOWN, &Map::new(), reply)
    }

    /// The client asks for candidates and gets these.
    pub(super) fn resolve(self, party: Party, offers: &[&Offer]) -> Self {
        let reply = Reply::of(&party.answer(offers), &ANSWER);
        self.resolves(party, &reply)
    }

    /// The client asks for candidates and gets this.
    pub(super) fn resolves(self, party: Party, reply: &Reply) -> Self {
        self.sends(party.issuer, "/resolve", reply)
    }

    /// The client asks for a record and gets this.
    pub(super) fn records(self, party: Party, reply: &Reply) -> Self {
        self.sends(party.issuer, "/record", reply)
    }

    /// The client sends the query of the present call to a path of an origin.
    pub(super) fn sends(self, origin: &str, path: &str, reply: &Reply) -> Self {
        let query = self.query.clone();
        self.request(origin, path, &query, reply)
    }

    /// A request without a query.
    pub(super) fn fetches(self, origin: &str, path: &str, reply: &Reply) -> Self {
        self.request(origin, path, &Map::new(), reply)
    }

    fn request(
        mut self,
        origin: &str,
        path: &str,
        query: &Map<String, Value>,
        reply: &Reply,
    ) -> Self {
        let has_copy = path == WELL_KNOWN || self.was_asked(origin, WELL_KNOWN);
        self.is_reusing |= !has_copy;
        self.asked.push((origin.to_owned(), path.to_owned()));
        self.requests.push(json!({
            "origin": origin, "method": "GET", "path": path, "query": query, "headers": {},
        }));
        let answers = self.play.entry(origin.to_owned()).or_default();
        answers.get_or_insert_default().push(reply.value());
        self
    }

    /// The call is refused before anything is sent.
    pub(super) fn refuses(mut self, code: &str) -> Self {
        self.outcome()["refused"] = json!(code);
        self
    }

    /// What the call says of one resolver.
    pub(super) fn says(mut self, asked: Asked) -> Self {
        let issuer = asked.0["issuer"].as_str().unwrap_or_default();
        let is_answer = |(origin, path): &(String, String)| origin == issuer && path != WELL_KNOWN;
        self.is_reusing |= asked.0["skipped"].is_null() && !self.asked.iter().any(is_answer);
        self.push("asked", asked.0);
        self
    }

    /// The call gives these candidates, with one statement each.
    pub(super) fn gives(mut self, offers: &[&Offer]) -> Self {
        for offer in offers {
            self = self.gives_merged(offer.status, &[*offer]);
        }
        self
    }

    /// The call gives a candidate of whom several statements were made, in the order of the list.
    pub(super) fn gives_merged(mut self, status: &str, offers: &[&Offer]) -> Self {
        let statements: Vec<_> = offers.iter().map(|offer| offer.statement()).collect();
        let url = offers.first().map(|offer| &offer.url);
        self.push(
            "candidates",
            json!({"url": url, "status": status, "statements": statements}),
        );
        self
    }

    /// The call gives this record.
    pub(super) fn gives_record(mut self, offer: &Offer) -> Self {
        self.outcome()["record"] = offer.recorded();
        self
    }

    fn was_asked(&self, origin: &str, path: &str) -> bool {
        let is_that = |(own, at): &(String, String)| own == origin && at == path;
        self.asked.iter().any(is_that)
    }

    fn push(&mut self, list: &str, value: Value) {
        if let Some(list) = self.outcome()[list].as_array_mut() {
            list.push(value);
        }
    }

    /// What the present call comes to.
    fn outcome(&mut self) -> &mut Value {
        let last = self.outcomes.len() - 1;
        &mut self.outcomes[last]
    }

    fn input(&self) -> Input {
        let members = json!({
            "resolvers": self.resolvers, "ask": self.ask, "calls": self.calls, "play": self.play,
            "budgets": {"resolverMs": self.budgets.0, "callMs": self.budgets.1},
        });
        Input(
            members
                .as_object()
                .cloned()
                .unwrap_or_default()
                .into_iter()
                .collect(),
        )
    }

    /// The requests in the order in which they are compared.
    fn requests(&self) -> Vec<Value> {
        let mut requests = self.requests.clone();
        if self.ask == "at-once" {
            let place = |request: &Value| {
                let of = |own: &&str| request["origin"] == **own;
                self.resolvers.iter().position(of).unwrap_or(usize::MAX)
            };
            requests.sort_by_key(place);
        }
        requests
    }

    fn yielded(&self, vector: &mut Vector) {
        if self.is_reusing && !vector.rules.iter().any(|rule| rule == REUSE) {
            vector.rules.push(REUSE.to_owned());
        }
        vector.level = match vector.rules.first().map(String::as_str) {
            Some(REUSE) => Level::Should,
            Some("discovery.etag") => Level::May,
            _ => Level::Must,
        };
        vector.yields([
            ("calls", json!(self.outcomes)),
            ("requests", json!(self.requests())),
        ]);
    }

    /// The first code in what comes of the scenario.
    fn reason(&self) -> Option<String> {
        let codes = self.outcomes.iter().flat_map(|outcome| {
            let asked = outcome["asked"].as_array().into_iter().flatten();
            let of_asked = asked.flat_map(|asked| {
                let dropped = asked["dropped"].as_array().into_iter().flatten();
                [&asked["skipped"], &asked["refresh"]]
                    .into_iter()
                    .chain(dropped.map(|dropped| &dropped["reason"]))
            });
            [&outcome["refused"]].into_iter().chain(of_asked)
        });
        codes.filter_map(Value::as_str).next().map(str::to_owned)
    }
}

const WELL_KNOWN: &str = "/.well-known/capability-resolver";

/// The vectors of this kind.
impl Cases {
    /// A scenario in which nobody breaks a rule; the ones after it are made from it.
    pub(super) fn scene(&mut self, slug: &str, rules: &str, comment: &str, scenario: &Scenario) {
        assert_eq!(scenario.reason(), None, "{slug} is no base");
        scenario.yielded(self.base(slug, rules, comment, scenario.input()));
    }

    /// A scenario one change away from the base.
    pub(super) fn other_scene(
        &mut self,
        slug: &str,
        rules: &str,
        change: &str,
        comment: &str,
        scenario: &Scenario,
    ) {
        let reason = scenario.reason();
        let input = scenario.input();
        scenario.yielded(self.judged(slug, reason.as_deref(), rules, change, comment, input));
    }
}
