//! Faults of policy and changelog.

use super::*;

pub(super) fn faults() -> Vec<Fault> {
    let head = |name: &str, rule, does: &str, kind, edit| fault(name, rule, does, Head(kind, edit));
    let bytes =
        |name: &str, rule, does: &str, kind, edit| fault(name, rule, does, Bytes(kind, edit));
    vec![
        head(
            "policy-missing",
            "policy.page",
            "has no policy",
            Policy,
            |response| response.status = 404,
        ),
        head(
            "policy-of-another-type",
            "policy.page",
            "serves the policy as application/pdf",
            Policy,
            |response| response.set("Content-Type", "application/pdf"),
        ),
        bytes(
            "policy-too-large",
            "policy.page",
            "has a policy of more than a mebibyte",
            Policy,
            |bytes| [bytes.as_slice(), &[b' '; 1_048_577]].concat(),
        ),
        bytes(
            "policy-without-sale",
            "policy.statements",
            "says nothing of obligation.no-sale",
            Policy,
            |bytes| replaced(&bytes, "obligation.no-sale", "selling"),
        ),
        bytes(
            "policy-of-ids",
            "policy.statements",
            "names obligation.payment without a statement",
            Policy,
            |bytes| {
                replaced(
                    &bytes,
                    "We accept nothing of value for a place in an answer.",
                    "",
                )
            },
        ),
        bytes(
            "policy-undisclosed",
            "obligation.disclosure",
            "leaves open what it discloses",
            Policy,
            |bytes| {
                replaced(
                    &bytes,
                    "We have no relationship with any owner of a listed server.",
                    "Our relationships are: [name each one]",
                )
            },
        ),
        bytes(
            "policy-undated",
            "policy.dated",
            "has a policy without a date",
            Policy,
            |bytes| replaced(&bytes, "2026-11-30", "30 November 2026"),
        ),
        head(
            "changelog-missing",
            "policy.changelog",
            "has no changelog",
            Changelog,
            |response| response.status = 404,
        ),
        head(
            "changelog-of-another-type",
            "policy.changelog",
            "serves the changelog as application/rss+xml",
            Changelog,
            |response| response.set("Content-Type", "application/rss+xml"),
        ),
        bytes(
            "changelog-too-large",
            "policy.changelog",
            "has a changelog of more than a mebibyte",
            Changelog,
            |bytes| [bytes.as_slice(), &[b' '; 1_048_577]].concat(),
        ),
        bytes(
            "changelog-empty",
            "policy.changelog",
            "has a changelog with a date and no word",
            Changelog,
            |_| b"# Changelog\n\n## 2026-11-30\n\n".to_vec(),
        ),
        bytes(
            "changelog-oldest-first",
            "policy.changelog",
            "has the oldest entry first",
            Changelog,
            |bytes| replaced(&bytes, "2026-11-30", "2026-10-01"),
        ),
    ]
}
