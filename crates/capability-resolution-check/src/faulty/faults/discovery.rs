//! Faults of the discovery document.

use super::*;

pub(super) fn faults() -> Vec<Fault> {
    let members = |name: &str, rule, does: &str, edit: fn(&mut Value)| {
        fault(
            format!("discovery-{name}"),
            rule,
            does,
            Members(Discovery, edit),
        )
    };
    let head = |name: &str, rule, does: &str, edit| {
        fault(
            format!("discovery-{name}"),
            rule,
            does,
            Head(Discovery, edit),
        )
    };
    vec![
        head(
            "status-203",
            "discovery.path",
            "serves the discovery document with status 203",
            |response| response.status = 203,
        ),
        head(
            "uncached",
            "discovery.caching",
            "sends Cache-Control: no-store",
            |response| response.set("Cache-Control", "no-store"),
        ),
        head(
            "cached-briefly",
            "discovery.caching",
            "sends max-age=59",
            |response| response.set("Cache-Control", "max-age=59"),
        ),
        head(
            "cached-long",
            "discovery.caching",
            "sends max-age=86401",
            |response| response.set("Cache-Control", "max-age=86401"),
        ),
        head(
            "max-age-twice",
            "discovery.caching",
            "sends a second max-age",
            |response| response.set("Cache-Control", "max-age=3600, max-age=86401"),
        ),
        members(
            "without-changelog",
            "discovery.changelog-member",
            "lacks the member changelog",
            |document| remove(document, "changelog"),
        ),
        members(
            "name-invisible",
            "discovery.name",
            "has a name with U+200B in it",
            |document| document["resolver"] = json!("A\u{200b}B"),
        ),
        members(
            "endpoint-with-fragment",
            "discovery.endpoints",
            "has a fragment in an endpoint",
            |document| append(&mut document["endpoints"]["resolve"], "#x"),
        ),
        members(
            "endpoint-with-query",
            "discovery.endpoints.query",
            "has a query in an endpoint",
            |document| append(&mut document["endpoints"]["record"], "?x=1"),
        ),
        members(
            "endpoint-elsewhere",
            "discovery.endpoints.origin",
            "has an endpoint on another origin",
            |document| {
                document["endpoints"]["resolve"] = json!("https://another.example/resolve");
            },
        ),
        members(
            "policy-with-fragment",
            "discovery.endpoints",
            "has a fragment in the policy's URL",
            |document| append(&mut document["policy"], "#x"),
        ),
        members(
            "keys-33",
            "discovery.keys.count",
            "has 33 keys",
            |document| {
                let key = |number| json!({"kty": "OKP", "crv": "Ed25519", "kid": format!("old-{number}"), "x": "AA"});
                push(&mut document["keys"], (0..32).map(key).collect());
            },
        ),
        members(
            "key-no-object",
            "discovery.key-type",
            "has a string among its keys",
            |document| push(&mut document["keys"], vec![json!("key")]),
        ),
        members(
            "key-private",
            "discovery.keys.private",
            "publishes the private key",
            |document| document["keys"][0]["d"] = json!("c2VjcmV0"),
        ),
        members(
            "kid-twice",
            "discovery.keys.kid-unique",
            "has two keys with one kid",
            |document| {
                let key = document["keys"][0].clone();
                push(&mut document["keys"], vec![key]);
            },
        ),
    ]
}
