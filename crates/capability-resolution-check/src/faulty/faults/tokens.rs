//! Faults of tokens.

use super::*;

pub(super) fn faults() -> Vec<Fault> {
    let signed = |name: &str, rule, does: &str, edit| {
        fault(format!("token-{name}"), rule, does, Signed(edit))
    };
    let parts = |name: &str, rule, does: &str, edit| {
        fault(format!("token-{name}"), rule, does, Token(edit))
    };
    let mut faults = vec![
        parts(
            "too-long",
            "token.length",
            "is longer than 8,192 bytes",
            |parts| parts.edit_payload(|payload| payload["more"] = json!("x".repeat(8_000))),
        ),
        signed("padded", "token.characters", "ends in =", |signed| {
            signed.whole = Some(signed.text() + "=")
        }),
        signed(
            "four-segments",
            "token.segments",
            "has four segments",
            |signed| signed.whole = Some(signed.text() + ".x"),
        ),
        signed(
            "unsigned",
            "token.segment-empty",
            "has an empty signature",
            |signed| signed.signature.clear(),
        ),
        signed(
            "trailing-bits",
            "token.base64",
            "has trailing bits in its signature",
            |signed| {
                let text = signed.text();
                // The last character of 64 bytes holds four zero bits.
                signed.whole = Some(text[..text.len() - 1].to_owned() + "B");
            },
        ),
        parts(
            "header-no-json",
            "token.header.json",
            "has a header that is no JSON",
            |parts| parts.header = b"{alg:EdDSA}".to_vec(),
        ),
        signed(
            "signature-short",
            "token.signature.length",
            "has a signature of 63 bytes",
            |signed| signed.signature.truncate(63),
        ),
        signed(
            "signature-large",
            "token.signature.s",
            "has a signature whose S is not less than L",
            |signed| {
                if let Some(s) = signed.signature.get_mut(32..) {
                    s.fill(0xff);
                }
            },
        ),
        signed(
            "signature-small-order",
            "token.signature.r",
            "has a signature whose R is of small order",
            |signed| {
                if let Some(r) = signed.signature.get_mut(..32) {
                    r.fill(0);
                    r[0] = 1;
                }
            },
        ),
        signed(
            "signature-wrong",
            "token.signature.equation",
            "has the signature of something else",
            |signed| {
                if let Some(first) = signed.signature.get_mut(40) {
                    *first ^= 1;
                }
            },
        ),
        parts(
            "payload-no-json",
            "token.payload.json",
            "has a payload that is no JSON",
            |parts| parts.payload = b"ok".to_vec(),
        ),
        fault(
            "token-of-unusable-key",
            "token.kid.usable",
            "names a key that is not for signatures",
            Act::Quirk(UnusableKey),
        ),
        quirk(
            "token-for-each-request",
            "token.same-for-all",
            "signs anew for each request",
            SignedEachTime,
        ),
        quirk(
            "record-for-each-request",
            "token.same-for-all",
            "signs a record anew for each request",
            RecordSignedEachTime,
        ),
        quirk(
            "token-holds-need",
            "token.no-need",
            "signs the need",
            TokenHoldsNeed,
        ),
        quirk(
            "token-holds-constraint",
            "token.no-need",
            "signs the constraints",
            TokenHoldsConstraint,
        ),
        quirk(
            "token-holds-caller",
            "token.no-need",
            "signs who asked",
            TokenHoldsCaller,
        ),
    ];
    let header = |name: &str, rule, does: &str, edit: fn(&mut Parts)| {
        fault(format!("token-{name}"), rule, does, Token(edit))
    };
    faults.extend([
        header("without-alg", "token.alg.missing", "has no alg", |parts| {
            parts.edit_header(|header| remove(header, "alg"))
        }),
        header(
            "of-another-alg",
            "token.alg",
            "has the alg Ed25519",
            |parts| parts.edit_header(|header| header["alg"] = json!("Ed25519")),
        ),
        header("with-crit", "token.crit", "has a member crit", |parts| {
            parts.edit_header(|header| header["crit"] = json!(["exp"]))
        }),
        header("with-b64", "token.b64", "has a member b64", |parts| {
            parts.edit_header(|header| header["b64"] = json!(true))
        }),
        header(
            "with-key",
            "token.key-material",
            "has a member jku",
            |parts| {
                parts.edit_header(|header| header["jku"] = json!("https://another.example/keys"))
            },
        ),
        header("with-cty", "token.cty", "has a member cty", |parts| {
            parts.edit_header(|header| header["cty"] = json!("JWT"))
        }),
        header("of-another-typ", "token.typ", "has another typ", |parts| {
            parts.edit_header(|header| header["typ"] = json!("cr+jwt"))
        }),
        header("without-kid", "token.kid.missing", "has no kid", |parts| {
            parts.edit_header(|header| remove(header, "kid"))
        }),
        header("kid-empty", "token.kid.form", "has an empty kid", |parts| {
            parts.edit_header(|header| header["kid"] = json!(""))
        }),
        header(
            "kid-unpublished",
            "discovery.keys.published",
            "is of a key that is not published",
            |parts| parts.edit_header(|header| header["kid"] = json!("new")),
        ),
        header(
            "header-of-more",
            "token.header.sent",
            "has a member jti in its header",
            |parts| parts.edit_header(|header| header["jti"] = json!("1")),
        ),
        header(
            "of-another-issuer",
            "token.iss",
            "has another iss",
            |parts| parts.edit_payload(|payload| payload["iss"] = json!("https://another.example")),
        ),
        header("without-url", "token.claims", "has no url", |parts| {
            parts.edit_payload(|payload| remove(payload, "url"))
        }),
        header(
            "iat-fraction",
            "token.claims.integer",
            "has an iat with a fraction",
            |parts| parts.edit_payload(|payload| payload["iat"] = json!(1.5)),
        ),
        header(
            "exp-before-iat",
            "token.exp.after-iat",
            "ends before it was issued",
            |parts| later(parts, "exp", "iat", -1),
        ),
        header(
            "too-long-lived",
            "token.exp.max-life",
            "lives a second longer than 48 hours",
            |parts| later(parts, "exp", "iat", 172_801),
        ),
        header(
            "issued-in-future",
            "token.iat.future",
            "was issued in an hour",
            |parts| {
                later(parts, "iat", "iat", 3_600);
                later(parts, "exp", "iat", 3_600);
            },
        ),
        header(
            "expired",
            "token.exp.expired",
            "ended an hour ago",
            |parts| {
                later(parts, "exp", "iat", -3_600);
                later(parts, "iat", "exp", -3_600);
            },
        ),
        header(
            "not-yet-valid",
            "token.nbf",
            "is valid from in an hour on",
            |parts| later(parts, "nbf", "iat", 3_600),
        ),
        header("with-aud", "token.aud", "has an aud", |parts| {
            parts.edit_payload(|payload| payload["aud"] = json!("https://client.example"))
        }),
        header(
            "url-with-fragment",
            "token.url",
            "has a url with a fragment",
            |parts| parts.edit_payload(|payload| append(&mut payload["url"], "#x")),
        ),
        header(
            "of-another-word",
            "token.status",
            "has the status up",
            |parts| parts.edit_payload(|payload| payload["status"] = json!("up")),
        ),
        header(
            "checked-at-fraction",
            "token.checked-at",
            "has a checked_at with a fraction",
            |parts| {
                parts.edit_payload(|payload| {
                    payload["checked_at"] = json!("2026-11-30T12:00:00.5Z")
                });
            },
        ),
        header(
            "checked-in-future",
            "token.checked-at.future",
            "was observed in the year 2099",
            |parts| {
                parts.edit_payload(|payload| payload["checked_at"] = json!("2099-01-01T00:00:00Z"));
            },
        ),
        header(
            "checked-long-ago",
            "status.max-age",
            "was observed more than a day before it was issued",
            |parts| {
                parts.edit_payload(|payload| payload["checked_at"] = json!("2026-01-01T00:00:00Z"));
            },
        ),
        header(
            "checked-after-iat",
            "status.checked-at",
            "was observed a minute after it was issued",
            |parts| {
                later(parts, "iat", "iat", -660);
            },
        ),
    ]);
    faults
}
