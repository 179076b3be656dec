//! What a resolver holds of a host after some fetches of its file (§11.7).

use serde_json::{Value, json};

use super::build::{HOST, endpoint};
use crate::generate::build::{ISSUER, NOW};
use crate::generate::cases::Cases;
use crate::model::{Input, Kind, Operation, VectorFile};

/// The plain file.
const FILE: &str = "Conformance: Capability Resolution 0.2\n\
                    Contact: mailto:tools@example.com\n\
                    Expires: 2027-04-30T00:00:00Z\n\
                    Resolvers: *\n\
                    \n\
                    Endpoint: https://mail.example.com/mcp\n\
                    Protocol: mcp\n\
                    Jobs: send a transactional email\n\
                    Sign-in: none\n\
                    Payment: none\n";

/// An hour before now.
const HOUR_AGO: &str = "2026-11-30T11:00:00Z";

/// Before [`HOUR_AGO`].
const EARLIER: &str = "2026-11-30T10:00:00Z";

/// The plain file with a deny of the resolver.
fn denying() -> String {
    FILE.replace("Resolvers: *", "Resolvers: *, -https://resolver.example")
}

/// An answer of status 200 with this file.
fn served(at: &str, file: &str) -> Value {
    let mut fetch = status(at, 200);
    fetch["contentType"] = json!("text/plain; charset=utf-8");
    fetch["file"] = json!(file);
    fetch
}

/// An answer without a file.
fn status(at: &str, status: u16) -> Value {
    json!({"at": at, "redirects": [], "failure": null, "status": status, "contentType": null, "file": null})
}

/// No complete answer.
fn failure(at: &str, failure: &str) -> Value {
    let mut fetch = unfollowed(at, &[]);
    fetch["failure"] = json!(failure);
    fetch
}

/// Redirects of which the last was not followed.
fn unfollowed(at: &str, redirects: &[&str]) -> Value {
    json!({"at": at, "redirects": redirects, "failure": null, "status": null, "contentType": null, "file": null})
}

fn with(mut fetch: Value, member: &str, value: Value) -> Value {
    fetch[member] = value;
    fetch
}

/// What is asked.
#[derive(Clone)]
struct Ask {
    host: &'static str,
    now: &'static str,
    public_suffixes: Vec<&'static str>,
    fetches: Vec<Value>,
}

fn after(fetches: impl IntoIterator<Item = Value>) -> Ask {
    Ask {
        host: HOST,
        now: NOW,
        public_suffixes: Vec::new(),
        fetches: fetches.into_iter().collect(),
    }
}

impl Ask {
    fn of(self, host: &'static str, public_suffixes: &[&'static str]) -> Self {
        let public_suffixes = public_suffixes.to_vec();
        Self {
            host,
            public_suffixes,
            ..self
        }
    }

    fn input(&self) -> Input {
        let members = [
            ("host", json!(self.host)),
            ("resolver", json!(ISSUER)),
            ("now", json!(self.now)),
            ("publicSuffixes", json!(self.public_suffixes)),
            ("fetches", json!(self.fetches)),
        ];
        Input(members.map(|(name, value)| (name.to_owned(), value)).into())
    }
}

/// What the resolver holds.
#[derive(Clone)]
struct Held {
    endpoints: Vec<Value>,
    why_none: Option<&'static str>,
    allowed: bool,
    due: bool,
}

/// The claim of the plain file, no restriction, and no fetch is due.
fn held() -> Held {
    Held {
        endpoints: vec![endpoint().0],
        why_none: None,
        allowed: true,
        due: false,
    }
}

impl Held {
    /// The claims of the file do not count, for this code.
    fn refused(self, code: &'static str) -> Self {
        Self {
            why_none: Some(code),
            ..self.no_file()
        }
    }

    fn no_file(self) -> Self {
        Self {
            endpoints: Vec::new(),
            ..self
        }
    }

    fn denied(self) -> Self {
        Self {
            allowed: false,
            ..self
        }
    }

    fn due(self) -> Self {
        Self { due: true, ..self }
    }

    fn endpoint(self, endpoint: Value) -> Self {
        let endpoints = vec![endpoint];
        Self { endpoints, ..self }
    }

    fn output(&self) -> [(&'static str, Value); 3] {
        [
            ("endpoints", json!(self.endpoints)),
            ("resolverAllowed", json!(self.allowed)),
            ("fetchDue", json!(self.due)),
        ]
    }
}

/// Adds vectors about fetches.
struct Fetched(Cases);

impl Fetched {
    fn case(&mut self, slug: &str, rules: &str, change: &str, comment: &str, ask: Ask, held: Held) {
        let input = ask.input();
        let vector = if held.endpoints.is_empty() {
            self.0
                .without_claims(slug, held.why_none, rules, change, comment, input)
        } else {
            self.0.valid(slug, rules, change, comment, input)
        };
        vector.yields(held.output());
    }
}

/// The file of vectors about fetches.
pub(in crate::generate) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::CapabilitiesTxtFetch, Operation::CaptxtFetch);
    cases
        .base(
            "plain",
            "captxt.fetch.outcome captxt.fetch.cache",
            "A file that was fetched an hour ago: its claim counts, and it restricts nobody.",
            after([served(HOUR_AGO, FILE)]).input(),
        )
        .yields(held().output());
    let mut fetched = Fetched(cases);
    first(&mut fetched);
    media_types(&mut fetched);
    gone(&mut fetched);
    last_known(&mut fetched);
    too_many_redirects(&mut fetched);
    final_url(&mut fetched);
    unreachable(&mut fetched);
    cache(&mut fetched);
    fetched.0.into_file()
}

fn first(fetched: &mut Fetched) {
    fetched.case(
        "never",
        "captxt.fetch.outcome captxt.fetch.cache",
        "no fetch",
        "Where nothing is known yet there is no claim and no restriction; a fetch is due.",
        after([]),
        held().no_file().due(),
    );
    fetched.case(
        "deny",
        "captxt.fetch.outcome captxt.two-readers",
        "a deny of the resolver in the file",
        "The deny reader restricts, and the claims are sound.",
        after([served(HOUR_AGO, &denying())]),
        held().denied(),
    );
    fetched.case(
        "second-file",
        "captxt.fetch.outcome",
        "a file with a deny, and an hour later the plain file",
        "The newest file counts: its owner took the deny out.",
        after([served(EARLIER, &denying()), served(HOUR_AGO, FILE)]),
        held(),
    );
    fetched.case(
        "not-valid",
        "captxt.fetch.outcome captxt.claims-valid-only",
        "a file with a fault and a deny",
        "No claim of a file that is not valid; the deny holds.",
        after([served(
            HOUR_AGO,
            &denying().replace("Protocol: mcp", "Protocol: m c p"),
        )]),
        held().refused("invalid-token").denied(),
    );
    fetched.case(
        "expired-since",
        "captxt.claims-valid-only captxt.fetch.outcome captxt.expires.past",
        "a file with a deny that expired half an hour after it was fetched",
        "A claim counts only while its file is valid; the deny holds.",
        after([served(
            HOUR_AGO,
            &denying().replace("2027-04-30T00:00:00Z", "2026-11-30T11:30:00Z"),
        )]),
        held().refused("expired").denied(),
    );
}

fn media_types(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.outcome";
    let typed = |value: Value| after([with(served(HOUR_AGO, &denying()), "contentType", value)]);
    for (slug, value, comment) in [
        ("plain", "text/plain", "Without charset."),
        (
            "case",
            "Text/PLAIN;CHARSET=UTF-8",
            "Neither type nor charset has case.",
        ),
        (
            "quoted",
            "text/plain; charset=\"utf-8\"",
            "A value in quotes is the same value.",
        ),
        (
            "other-parameter",
            "text/plain; format=flowed",
            "Another parameter alone.",
        ),
        (
            "parameters",
            "text/plain; format=flowed; charset=utf-8",
            "The charset behind another parameter.",
        ),
    ] {
        fetched.case(
            &format!("type-{slug}"),
            RULES,
            value,
            comment,
            typed(json!(value)),
            held().denied(),
        );
    }
    for (slug, value, comment) in [
        (
            "html",
            json!("text/html; charset=utf-8"),
            "A web page that answers for every path.",
        ),
        ("markdown", json!("text/markdown"), "Another kind of text."),
        (
            "octets",
            json!("application/octet-stream"),
            "What servers say of files they do not know.",
        ),
        (
            "longer",
            json!("text/plainer"),
            "A type that only starts like the right one.",
        ),
        (
            "latin-1",
            json!("text/plain; charset=iso-8859-1"),
            "Another charset.",
        ),
        (
            "utf-16",
            json!("text/plain; charset=utf-16"),
            "Another charset.",
        ),
        (
            "utf8",
            json!("text/plain; charset=utf8"),
            "The name of the charset has a hyphen.",
        ),
        ("none", Value::Null, "No media type."),
    ] {
        fetched.case(
            &format!("type-not-{slug}"),
            RULES,
            &value.to_string(),
            &format!("{comment} The claims do not count, and the deny does."),
            typed(value),
            held().refused("fetch-content-type").denied(),
        );
    }
}

fn gone(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.outcome";
    for code in [404, 410] {
        fetched.case(
            &format!("status-{code}"),
            RULES,
            &format!("a file with a deny, and an hour later status {code}"),
            "The owner took the file away, and the restriction with it.",
            after([served(EARLIER, &denying()), status(HOUR_AGO, code)]),
            held().no_file(),
        );
    }
    for code in [400, 401, 403, 451] {
        fetched.case(
            &format!("status-{code}"),
            RULES,
            &format!("a file with a deny, and an hour later status {code}"),
            "No file, so no claims; but nobody said that the restriction has ended.",
            after([served(EARLIER, &denying()), status(HOUR_AGO, code)]),
            held().no_file().denied(),
        );
    }
    fetched.case(
        "status-403-first",
        RULES,
        "status 403 and nothing before",
        "There is no earlier restriction.",
        after([status(HOUR_AGO, 403)]),
        held().no_file(),
    );
    fetched.case(
        "status-403-behind-404",
        RULES,
        "a file with a deny, then 404, then 403",
        "The restriction ended with 404, and 403 does not bring it back.",
        after([
            served("2026-11-30T09:00:00Z", &denying()),
            status(EARLIER, 404),
            status(HOUR_AGO, 403),
        ]),
        held().no_file(),
    );
}

fn last_known(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.outcome";
    for code in [204, 206, 429, 500, 503] {
        fetched.case(
            &format!("status-{code}"),
            RULES,
            &format!("a file with a deny, and an hour later status {code}"),
            "Claims and restriction are the last known.",
            after([served(EARLIER, &denying()), status(HOUR_AGO, code)]),
            held().denied(),
        );
    }
    for (name, comment) in [
        ("timeout", "No answer in time."),
        ("tls", "No connection that can be trusted."),
        ("transfer", "The connection broke."),
        ("truncated", "The body was shorter than announced."),
    ] {
        fetched.case(
            &format!("failure-{name}"),
            RULES,
            &format!("a file with a deny, and an hour later the failure {name}"),
            &format!("{comment} Claims and restriction are the last known."),
            after([served(EARLIER, &denying()), failure(HOUR_AGO, name)]),
            held().denied(),
        );
    }
    fetched.case(
        "failure-first",
        RULES,
        "a failure and nothing before",
        "Nothing is known yet.",
        after([failure(HOUR_AGO, "timeout")]),
        held().no_file(),
    );
    for (slug, fetch, held, comment) in [
        (
            "404",
            status(EARLIER, 404),
            held().no_file(),
            "No file and no restriction is what was last known.",
        ),
        (
            "403",
            status(EARLIER, 403),
            held().no_file().denied(),
            "No file and the restriction is what was last known.",
        ),
        (
            "html",
            with(
                served(EARLIER, &denying()),
                "contentType",
                json!("text/html"),
            ),
            held().refused("fetch-content-type").denied(),
            "A restriction without claims is what was last known.",
        ),
    ] {
        fetched.case(
            &format!("failure-behind-{slug}"),
            RULES,
            &format!("a file with a deny, then {slug}, then a failure"),
            comment,
            after([
                served("2026-11-30T09:00:00Z", &denying()),
                fetch,
                failure(HOUR_AGO, "timeout"),
            ]),
            held,
        );
    }
}

const HOPS: [&str; 6] = [
    "https://example.com/1",
    "https://example.com/2",
    "https://example.com/3",
    "https://example.com/4",
    "https://example.com/5",
    "https://example.com/6",
];

fn too_many_redirects(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.redirect captxt.fetch.outcome";
    let redirected =
        |redirects: &[&str]| with(served(HOUR_AGO, &denying()), "redirects", json!(redirects));
    fetched.case(
        "redirects-5",
        RULES,
        "five redirects",
        "As many as are followed.",
        after([redirected(&HOPS[..5])]),
        held().denied(),
    );
    fetched.case(
        "redirects-6",
        RULES,
        "a file with a deny, and an hour later six redirects",
        "One too many: no file, and the restriction stays.",
        after([served(EARLIER, &denying()), unfollowed(HOUR_AGO, &HOPS)]),
        held().no_file().denied(),
    );
    for (slug, redirects) in [
        ("http", &["http://example.com/capabilities.txt"][..]),
        (
            "http-second",
            &["https://example.com/1", "http://example.com/2"],
        ),
    ] {
        fetched.case(
            &format!("redirect-{slug}"),
            RULES,
            &format!(
                "a file with a deny, and an hour later {} redirects, the last one to http",
                redirects.len()
            ),
            "Only https is followed: no file, and the restriction stays.",
            after([served(EARLIER, &denying()), unfollowed(HOUR_AGO, redirects)]),
            held().no_file().denied(),
        );
    }
    fetched.case(
        "redirect-http-first",
        RULES,
        "a redirect to http and nothing before",
        "There is no earlier restriction.",
        after([unfollowed(
            HOUR_AGO,
            &["http://example.com/capabilities.txt"],
        )]),
        held().no_file(),
    );
}

fn final_url(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.redirect captxt.scope";
    let redirected =
        |redirects: &[&str]| after([with(served(HOUR_AGO, FILE), "redirects", json!(redirects))]);
    for (slug, redirects, comment) in [
        (
            "www",
            &["https://www.example.com/capabilities.txt"][..],
            "The file is that of the host first asked, which speaks for mail.example.com.",
        ),
        (
            "port",
            &["https://example.com:8443/capabilities.txt"],
            "Another port.",
        ),
        (
            "there-and-back",
            &[
                "https://cdn.example/x",
                "https://example.com/capabilities.txt",
            ],
            "Only the final URL counts.",
        ),
    ] {
        fetched.case(
            &format!("redirect-{slug}"),
            RULES,
            redirects.join(" ").as_str(),
            comment,
            redirected(redirects),
            held(),
        );
    }
    for (slug, redirects, comment) in [
        (
            "cross-site",
            &["https://cdn.example/capabilities.txt"][..],
            "Another registrable domain.",
        ),
        (
            "cross-site-ending",
            &["https://notexample.com/capabilities.txt"],
            "The same ending, and another registrable domain.",
        ),
        (
            "cross-site-last",
            &["https://www.example.com/x", "https://example.net/x"],
            "The final URL counts.",
        ),
        (
            "cross-site-address",
            &["https://192.0.2.1/capabilities.txt"],
            "An address lies under no registrable domain.",
        ),
    ] {
        let denied = after([with(
            served(HOUR_AGO, &denying()),
            "redirects",
            json!(redirects),
        )]);
        fetched.case(
            &format!("redirect-{slug}"),
            RULES,
            redirects.join(" ").as_str(),
            &format!("{comment} The claims do not count, and the deny does."),
            denied,
            held().refused("fetch-cross-site").denied(),
        );
    }
    let of_user = FILE.replace("mail.example.com/mcp", "user.pages.example/");
    let url = endpoint().url("https://user.pages.example/").0;
    let pages = |host: &'static str, suffixes: &[&'static str], to: &str| {
        after([with(served(HOUR_AGO, &of_user), "redirects", json!([to]))]).of(host, suffixes)
    };
    fetched.case(
        "redirect-neighbour",
        "captxt.fetch.redirect captxt.scope.public-suffix",
        "https://user.pages.example redirected to https://other.pages.example, where pages.example is a public suffix",
        "Neighbours under a public suffix are other sites.",
        pages("user.pages.example", &["pages.example"], "https://other.pages.example/x"),
        held().refused("fetch-cross-site"),
    );
    fetched.case(
        "redirect-no-neighbour",
        "captxt.fetch.redirect captxt.scope.public-suffix",
        "https://user.pages.example redirected to https://other.pages.example",
        "Without that rule of the list both lie under pages.example.",
        pages("user.pages.example", &[], "https://other.pages.example/x"),
        held().endpoint(url),
    );
    fetched.case(
        "redirect-of-suffix",
        "captxt.fetch.redirect captxt.scope.public-suffix",
        "https://pages.example, a public suffix, redirected to https://user.pages.example",
        "The file of a public suffix has to come from that host.",
        pages(
            "pages.example",
            &["pages.example"],
            "https://user.pages.example/x",
        ),
        held().refused("fetch-cross-site"),
    );
    let of_address = FILE.replace("mail.example.com/mcp", "192.0.2.1/");
    let address = |to: &str| {
        after([with(
            served(HOUR_AGO, &of_address),
            "redirects",
            json!([to]),
        )])
        .of("192.0.2.1", &[])
    };
    fetched.case(
        "redirect-of-address",
        RULES,
        "https://192.0.2.1 redirected to another port",
        "The same address.",
        address("https://192.0.2.1:8443/x"),
        held().endpoint(endpoint().url("https://192.0.2.1/").0),
    );
    fetched.case(
        "redirect-of-address-other",
        RULES,
        "https://192.0.2.1 redirected to https://192.0.2.2",
        "Another address is another host.",
        address("https://192.0.2.2/x"),
        held().refused("fetch-cross-site"),
    );
}

fn unreachable(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.unreachable captxt.fetch.outcome";
    // Thirty days before now, and a second less.
    let (month_ago, less) = ("2026-10-31T12:00:00Z", "2026-10-31T12:00:01Z");
    let since = |at: &str| {
        after([
            served(at, &denying()),
            failure("2026-11-15T12:00:00Z", "timeout"),
            status(HOUR_AGO, 503),
        ])
    };
    fetched.case(
        "unreachable-less",
        RULES,
        "a file with a deny one second less than 30 days ago, and failures since then",
        "Claims and restriction are still the last known.",
        since(less),
        held().denied(),
    );
    fetched.case(
        "unreachable-30-days",
        RULES,
        "a file with a deny 30 days ago, and failures since then",
        "30 days without another outcome: as after 404.",
        since(month_ago),
        held().no_file(),
    );
    fetched.case(
        "unreachable-but-403",
        RULES,
        "a file with a deny 30 days ago, status 403 later, and a failure",
        "403 is another outcome, by which the restriction stays, and the 30 days begin with it.",
        after([
            served(month_ago, &denying()),
            status("2026-11-01T12:00:00Z", 403),
            failure(HOUR_AGO, "timeout"),
        ]),
        held().no_file().denied(),
    );
    fetched.case(
        "unreachable-but-304",
        RULES,
        "a file with a deny 30 days ago, status 304 later, and a failure",
        "304 confirms the file to a resolver that asked with a condition, and the 30 days begin with it.",
        after([
            served(month_ago, &denying()),
            status("2026-11-20T12:00:00Z", 304),
            failure(HOUR_AGO, "timeout"),
        ]),
        held().denied(),
    );
    fetched.case(
        "unreachable-and-403",
        RULES,
        "a file with a deny 31 days ago, failures for 30 days, and 403",
        "The restriction had ended by then, and 403 does not bring it back.",
        after([
            served("2026-10-30T11:00:00Z", &denying()),
            failure("2026-11-15T12:00:00Z", "tls"),
            failure("2026-11-29T10:59:59Z", "tls"),
            status(HOUR_AGO, 403),
        ]),
        held().no_file(),
    );
    fetched.case(
        "unreachable-and-back",
        RULES,
        "failures for more than 30 days, and then a file with a deny",
        "The newest file counts.",
        after([
            served("2026-10-01T12:00:00Z", FILE),
            failure("2026-11-15T12:00:00Z", "tls"),
            served(HOUR_AGO, &denying()),
        ]),
        held().denied(),
    );
}

fn cache(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.cache";
    fetched.case(
        "cache-less",
        RULES,
        "fetched one second less than 24 hours ago",
        "No fetch is due yet.",
        after([served("2026-11-29T12:00:01Z", FILE)]),
        held(),
    );
    fetched.case(
        "cache-24-hours",
        RULES,
        "fetched 24 hours ago",
        "A fetch is due; until then claims and restriction stay.",
        after([served("2026-11-29T12:00:00Z", &denying())]),
        held().denied().due(),
    );
    fetched.case(
        "cache-failure",
        RULES,
        "fetched two days ago, and a failure an hour ago",
        "That was a fetch, though it brought nothing.",
        after([
            served("2026-11-28T12:00:00Z", FILE),
            failure(HOUR_AGO, "timeout"),
        ]),
        held(),
    );
    fetched.case(
        "cache-404",
        RULES,
        "status 404 a day ago",
        "Where there was no file one is looked for again.",
        after([status("2026-11-29T11:59:59Z", 404)]),
        held().no_file().due(),
    );
}
