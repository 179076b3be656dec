//! How far redirects are followed, and where they may end.

use serde_json::json;

use super::super::build::endpoint;
use super::{EARLIER, FILE, Fetched, HOUR_AGO, after, denying, held, served, unfollowed, with};

const HOPS: [&str; 6] = [
    "https://example.com/1",
    "https://example.com/2",
    "https://example.com/3",
    "https://example.com/4",
    "https://example.com/5",
    "https://example.com/6",
];

pub(super) fn add(fetched: &mut Fetched) {
    too_many_redirects(fetched);
    final_url(fetched);
}

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
    let page = with(
        served(HOUR_AGO, FILE),
        "redirects",
        json!(["https://cdn.example/x"]),
    );
    fetched.case(
        "redirect-cross-site-html",
        "captxt.fetch.code-order captxt.fetch.outcome captxt.fetch.redirect",
        "https://cdn.example/x, which is text/html",
        "Two reasons not to take the claims, of which one is named.",
        after([with(page, "contentType", json!("text/html"))]),
        held().refused("fetch-content-type"),
    );
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
    fetched.case(
        "redirect-of-address-alike",
        RULES,
        "https://192.0.2.1 redirected to https://198.51.2.1",
        "An address has no registrable domain, whatever its last parts are.",
        address("https://198.51.2.1/x"),
        held().refused("fetch-cross-site"),
    );
}
