//! Whom a file names as a resolver, for people who want to see what the deny reader makes of it.

use capability_resolution::Origin;

use crate::deny::{Denied, Found, Judge, Verdict, decodings, judge, scan};

/// How many resolvers are told of.
const NAMED_MAX: usize = 100;

/// What the Resolvers lines of any bytes come to, valid or not: `captxt.deny.verdict` for everybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restriction {
    /// The answer for each resolver that is not named.
    pub others: Verdict,
    /// The resolvers that are named, in the order of the file, each once and at most 100.
    pub named: Vec<Named>,
    /// Whether more than these are named.
    pub more: bool,
}

/// A resolver that a file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its origin.
    pub origin: Origin,
    /// Whether those are meant as well that have the same port and a host below: `captxt.deny.repair`.
    pub and_below: bool,
    /// The answer for it.
    pub verdict: Verdict,
}

impl Restriction {
    /// Reads the first 524,288 bytes, in time linear in them.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        let (mut found, mut more) = (Vec::new(), false);
        for text in decodings(bytes) {
            scan(&text, |what| {
                let resolver = match what {
                    Found::Deny { what, .. } => Denied::read(what).and_then(|d| d.named()),
                    Found::Other(piece) => Origin::from_written(piece).ok().map(|o| (o, false)),
                    Found::None { .. } | Found::End => None,
                };
                if let Some(resolver) = resolver
                    && !found.contains(&resolver)
                {
                    more |= found.len() == NAMED_MAX;
                    if !more {
                        found.push(resolver);
                    }
                }
            });
        }
        let resolvers = found.iter().map(|(origin, _)| Some(origin));
        let mut judges: Vec<_> = resolvers.chain([None]).map(Judge::new).collect();
        for text in decodings(bytes) {
            judge(&text, &mut judges);
        }
        let mut verdicts: Vec<_> = judges.iter().map(Judge::verdict).collect();
        let others = verdicts.pop().unwrap_or(Verdict::Denied);
        let named = |((origin, and_below), verdict)| Named {
            origin,
            and_below,
            verdict,
        };
        Self {
            others,
            named: found.into_iter().zip(verdicts).map(named).collect(),
            more,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let restriction = Restriction::read(text.as_bytes());
        let word = |verdict: Verdict| if verdict.is_allowed() { "yes" } else { "no" };
        let named = restriction.named.iter().map(|named| {
            let below = if named.and_below { " and below" } else { "" };
            format!("{}{below} {}", named.origin, word(named.verdict))
        });
        let others = format!("others {}", word(restriction.others));
        named.chain([others]).collect::<Vec<_>>().join(", ")
    }

    // r[captxt.deny.verdict]
    #[test]
    fn says_of_each_what_is_said_of_it_alone() {
        let text = "Resolvers: *, https://a.example, -b.example\nResolvers: https://c.example, https://a.example\n\
                    Resolver = –*.d.example:8443 https://a.example https://e.d.example:8443 *";
        for bytes in [text.as_bytes(), &b"\xff\xfeResolvers: -c.example"[..]] {
            for named in Restriction::read(bytes).named {
                assert_eq!(
                    named.verdict,
                    crate::allows(bytes, &named.origin),
                    "{named:?}"
                );
            }
        }
    }

    // r[captxt.deny.verdict]
    #[test]
    fn tells_of_everybody() {
        for (text, expected) in [
            ("", "others yes"),
            ("Resolvers: *", "others yes"),
            ("Resolvers: none", "others no"),
            ("Resolvers: -*", "others no"),
            (
                "Resolvers: *, -https://a.example",
                "https://a.example no, others yes",
            ),
            ("Resolvers: –a.example", "https://a.example no, others yes"),
            (
                "Resolvers: https://A.example/",
                "https://a.example yes, others no",
            ),
            (
                "Resolvers: *, -*.a.example:8443, a.example",
                "https://a.example:8443 and below no, others yes",
            ),
            (
                "Resolvers: https://a.example, https://b.example, -https://b.example\nResolvers: *",
                "https://a.example yes, https://b.example no, others no",
            ),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn tells_of_no_more_than_a_hundred() {
        let line = |n: u32| {
            let named: Vec<_> = (0..n).map(|n| format!("-https://r{n}.example")).collect();
            Restriction::read(format!("Resolvers: {0}, {0}", named.join(", ")).as_bytes())
        };
        assert!(line(100).named.len() == 100 && !line(100).more);
        assert!(line(101).named.len() == 100 && line(101).more);
    }
}
