//! §6.1: length, characters, segments, base64url.

use crate::generate::build::{
    NOW, Object, Token, ask, ask_of, base64url, claims, discovery_with, header, jwk,
};
use crate::generate::cases::Cases;
use crate::generate::curve::{Key, grind};

pub(super) fn add(cases: &mut Cases) {
    length(cases);
    characters(cases);
    segments(cases);
    base64(cases);
    order(cases);
}

/// A token of exactly this many bytes: an unknown claim fills it up.
fn of_length(length: usize) -> String {
    let filled = |payload: usize, header_filling: u32| {
        Token::plain()
            .payload(
                claims()
                    .and("x", format!("\"{}\"", "x".repeat(payload)))
                    .text(),
            )
            .header(header("key-1").and("y", header_filling.to_string()).text())
    };
    // Three bytes make four characters, so not every length can be made by the payload alone.
    let signature = 1 + base64url(&[0; 64]).len();
    let shortest = filled(0, 0).signing_input().len() + signature;
    let around = (length - shortest) * 3 / 4;
    grind(|number| {
        let header_filling = [0, 10, 100][usize::try_from(number % 3).unwrap_or_default()];
        let less = usize::try_from(number / 3).unwrap_or_default();
        let token = filled(around + 3 - less, header_filling);
        (token.signing_input().len() + signature == length).then(|| token.compact())
    })
}

fn length(cases: &mut Cases) {
    cases.valid(
        "length-8192",
        "token.length",
        "8,192 bytes long",
        "An unknown claim makes the token as long as it may be.",
        ask(of_length(8192)),
    );
    cases.invalid(
        "length-8193",
        "token-too-long",
        "token.length",
        "8,193 bytes long",
        "One byte more than a token may have; everything else is sound.",
        ask(of_length(8193)),
    );
    cases.invalid(
        "length-8193-dots",
        "token-too-long",
        "token.length token.order",
        "8,193 dots",
        "The length is checked before the segments are looked at.",
        ask(".".repeat(8193)),
    );
    cases.invalid(
        "length-8193-spaces",
        "token-too-long",
        "token.length token.order",
        "spaces after it, 8,193 bytes in all",
        "A token is not trimmed before it is measured.",
        ask(format!("{:<8193}", Token::plain().compact())),
    );
}

fn characters(cases: &mut Cases) {
    let plain = Token::plain().compact();
    let (signed, signature) = plain.rsplit_once('.').unwrap_or_default();
    let mut bad = |slug: &str, change: &str, comment: &str, token: Vec<u8>| {
        cases.invalid(
            slug,
            "token-bad-character",
            "token.characters",
            change,
            comment,
            ask(token),
        );
    };
    bad(
        "leading-space",
        "a space before it",
        "A token is not trimmed.",
        format!(" {plain}").into(),
    );
    bad(
        "trailing-space",
        "a space after it",
        "A token is not trimmed.",
        format!("{plain} ").into(),
    );
    bad(
        "trailing-line-feed",
        "a line feed after it",
        "A pattern that ends in $ lets a final line feed pass.",
        format!("{plain}\n").into(),
    );
    bad(
        "trailing-carriage-return",
        "CR LF after it",
        "What a line of a text file leaves on other systems.",
        format!("{plain}\r\n").into(),
    );
    bad(
        "trailing-nul",
        "a zero byte after it",
        "The end for a reader of C strings.",
        format!("{plain}\0").into(),
    );
    bad(
        "tab-before-dot",
        "a tab before the last dot",
        "Lenient decoders skip white space inside.",
        format!("{signed}\t.{signature}").into(),
    );
    bad(
        "line-feed-inside",
        "a line feed in the signature",
        "Lenient decoders skip line ends, as MIME does.",
        format!("{signed}.{}\n{}", &signature[..43], &signature[43..]).into(),
    );
    bad(
        "padded-signature",
        "== after it",
        "The signature with the padding that base64 would have.",
        format!("{plain}==").into(),
    );
    bad(
        "standard-alphabet",
        "an unknown character + in the signature",
        "The alphabet of base64 instead of that of base64url.",
        format!("{signed}.+{}", &signature[1..]).into(),
    );
    bad(
        "slash",
        "a slash in the signature",
        "The other character that base64 has and base64url has not.",
        format!("{signed}./{}", &signature[1..]).into(),
    );
    bad(
        "bearer-prefix",
        "Bearer before it",
        "A scheme of an Authorization header is not part of a token.",
        format!("Bearer {plain}").into(),
    );
    bad(
        "quoted",
        "in double quotes",
        "The quotes of a JSON string are not part of a token.",
        format!("\"{plain}\"").into(),
    );
    bad(
        "byte-order-mark",
        "a byte order mark before it",
        "Often dropped silently.",
        format!("\u{feff}{plain}").into(),
    );
    bad(
        "zero-width-space",
        "a zero width space after it",
        "Invisible, but not nothing.",
        format!("{plain}\u{200b}").into(),
    );
    bad(
        "full-width-dot",
        "U+FF0E in place of a dot",
        "A character that normalizes to a dot is not a dot.",
        plain.replacen('.', "\u{ff0e}", 1).into(),
    );
    bad(
        "percent-encoded-dot",
        "%2E in place of a dot",
        "A token is not percent-decoded.",
        plain.replacen('.', "%2E", 1).into(),
    );
    bad(
        "not-utf8",
        "a byte 0xff after it",
        "A token need not be text at all.",
        [plain.as_bytes(), b"\xff"].concat(),
    );
    bad(
        "tilde",
        "a tilde after it",
        "A selective disclosure JWT ends in a tilde.",
        format!("{plain}~").into(),
    );
    bad(
        "colon",
        "a colon in place of a dot",
        "Just beside the allowed characters.",
        plain.replacen('.', ":", 1).into(),
    );
    let json = |plain: &str| {
        let mut parts = plain.split('.');
        let mut part = || parts.next().unwrap_or_default();
        let (protected, payload, signature) = (part(), part(), part());
        format!(
            "{{\"payload\":\"{payload}\",\"protected\":\"{protected}\",\"signature\":\"{signature}\"}}"
        )
    };
    bad(
        "json-serialization",
        "as flattened JSON",
        "The other serialization of JWS is not a token.",
        json(&plain).into(),
    );
    let unencoded = Token::plain().header(header("key-1").and("b64", "false").text());
    let raw = String::from_utf8_lossy(&unencoded.payload).into_owned();
    bad(
        "unencoded-payload",
        "payload not encoded, as b64 false says",
        "RFC 7797 lets a payload stand as it is; a token does not.",
        format!("{}.{raw}.{signature}", base64url(&unencoded.header)).into(),
    );
}

fn segments(cases: &mut Cases) {
    let plain = Token::plain().compact();
    let parts: Vec<_> = plain.split('.').collect();
    let [header, payload, signature] = parts[..] else {
        return;
    };
    let mut bad = |slug: &str, change: &str, comment: &str, token: String| {
        cases.invalid(
            slug,
            "token-segment-count",
            "token.segments",
            change,
            comment,
            ask(token),
        );
    };
    bad(
        "empty",
        "no bytes at all",
        "Nothing is one empty segment, and not three.",
        String::new(),
    );
    bad(
        "one-segment",
        "the header only",
        "One segment.",
        header.to_owned(),
    );
    bad(
        "two-segments",
        "without signature and its dot",
        "Two segments, as an unsecured JWT is sometimes written.",
        format!("{header}.{payload}"),
    );
    bad(
        "four-segments",
        "the signature twice",
        "Four segments.",
        format!("{plain}.{signature}"),
    );
    bad(
        "five-segments",
        "two more segments",
        "Five segments: the shape of an encrypted JWT.",
        format!("{plain}.{signature}.{signature}"),
    );
    bad(
        "trailing-dot",
        "a dot after it",
        "A dot at the end makes a fourth segment, if an empty one.",
        format!("{plain}."),
    );
    bad(
        "leading-dot",
        "a dot before it",
        "A dot at the start makes a fourth segment, if an empty one.",
        format!(".{plain}"),
    );
    bad(
        "double-dot",
        "the first dot twice",
        "The segment between two dots is empty, but there are four.",
        plain.replacen('.', "..", 1),
    );
    bad(
        "one-dot",
        "one dot only",
        "Two segments, both empty: counted first.",
        ".".to_owned(),
    );
    let mut bad = |slug: &str, change: &str, comment: &str, token: String| {
        cases.invalid(
            slug,
            "token-segment-empty",
            "token.segment-empty",
            change,
            comment,
            ask(token),
        );
    };
    bad(
        "two-dots",
        "two dots only",
        "Three segments, all empty.",
        "..".to_owned(),
    );
    bad(
        "header-empty",
        "without header",
        "Three segments, the first empty.",
        format!(".{payload}.{signature}"),
    );
    bad(
        "payload-empty",
        "without payload",
        "A detached payload is none: the second segment is empty.",
        format!("{header}..{signature}"),
    );
    bad(
        "signature-empty",
        "without signature",
        "The third segment is empty, as in an unsecured JWT.",
        format!("{header}.{payload}."),
    );
    let unsecured = base64url(br#"{"alg":"none"}"#);
    bad(
        "unsecured",
        "alg none, without signature",
        "An unsecured JWT as RFC 7519 writes it: its empty segment is found before its alg.",
        format!("{unsecured}.{payload}."),
    );
}

/// The last character of a segment with one of its unused bits set.
fn with_trailing_bit(segment: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (rest, last) = segment.split_at(segment.len() - 1);
    let place = ALPHABET
        .iter()
        .position(|byte| last.as_bytes() == [*byte])
        .unwrap_or_default();
    format!("{rest}{}", char::from(ALPHABET[place + 1]))
}

fn base64(cases: &mut Cases) {
    let sign = |header: &str, payload: &str| {
        let signed = format!("{header}.{payload}");
        let signature = Key::first().sign(signed.as_bytes());
        format!("{signed}.{}", base64url(&signature))
    };
    // Of a length that leaves two or four bits of the last character unused, and of one that leaves none.
    let header_1 = base64url(&padded_to(&header("key-1"), 1));
    let header_2 = base64url(&padded_to(&header("key-1"), 2));
    let header_0 = base64url(&padded_to(&header("key-1"), 0));
    let payload_1 = base64url(&padded_to(&claims(), 1));
    let payload_2 = base64url(&padded_to(&claims(), 2));
    let payload_0 = base64url(&padded_to(&claims(), 0));
    for (slug, comment, header, payload) in [
        (
            "segments-four-and-two-bits",
            "The last character of the header has four unused bits, that of the payload two.",
            &header_1,
            &payload_2,
        ),
        (
            "segments-two-and-four-bits",
            "The last character of the header has two unused bits, that of the payload four.",
            &header_2,
            &payload_1,
        ),
        (
            "segments-no-bits",
            "No character has unused bits.",
            &header_0,
            &payload_0,
        ),
    ] {
        cases.valid(
            slug,
            "token.base64",
            "spaces in header and payload",
            comment,
            ask(sign(header, payload)),
        );
    }
    let mut bad = |slug: &str, change: &str, comment: &str, token: String| {
        cases.invalid(
            slug,
            "base64-noncanonical",
            "token.base64",
            change,
            comment,
            ask(token),
        );
    };
    let plain = Token::plain().compact();
    bad(
        "signature-trailing-bits",
        "an unused bit in the last character of the signature",
        "A lenient decoder finds the same 64 bytes in several tokens.",
        with_trailing_bit(&plain),
    );
    bad(
        "header-trailing-bits",
        "an unused bit in the last character of the header",
        "Signed as it stands, so only the encoding is wrong.",
        sign(&with_trailing_bit(&header_2), &payload_0),
    );
    bad(
        "header-trailing-bits-four",
        "an unused bit in the last character of the header, of four",
        "The same where four bits are unused.",
        sign(&with_trailing_bit(&header_1), &payload_0),
    );
    bad(
        "payload-trailing-bits",
        "an unused bit in the last character of the payload",
        "Signed as it stands, so only the encoding is wrong.",
        sign(&header_0, &with_trailing_bit(&payload_2)),
    );
    bad(
        "payload-trailing-bits-four",
        "an unused bit in the last character of the payload, of four",
        "The same where four bits are unused.",
        sign(&header_0, &with_trailing_bit(&payload_1)),
    );
    bad(
        "header-length-1-mod-4",
        "one character more in the header",
        "No number of bytes encodes to such a length.",
        sign(&format!("{header_0}A"), &payload_0),
    );
    bad(
        "payload-length-1-mod-4",
        "one character more in the payload",
        "No number of bytes encodes to such a length.",
        sign(&header_0, &format!("{payload_0}A")),
    );
    bad(
        "signature-length-1-mod-4",
        "three characters more in the signature",
        "89 characters are no length of base64.",
        format!("{plain}AAA"),
    );
    bad(
        "header-one-character",
        "the header is one character",
        "Too short for a byte.",
        sign("e", &payload_0),
    );
}

/// The text of an object with so many spaces before its end that its length leaves this rest when divided by three.
fn padded_to(object: &Object, rest: usize) -> Vec<u8> {
    let mut text = object.text();
    while text.len() % 3 != rest {
        text.insert(text.len() - 1, b' ');
    }
    text
}

fn order(cases: &mut Cases) {
    let plain = Token::plain();
    let mut bad = |slug: &str, code: &str, change: &str, comment: &str, token: String| {
        cases.invalid(
            slug,
            code,
            "token.order code.token-list code.form",
            change,
            comment,
            ask(token),
        );
    };
    bad(
        "order-length-before-characters",
        "token-too-long",
        "8,193 spaces",
        "Too long and of bad characters: the length comes first.",
        " ".repeat(8193),
    );
    bad(
        "order-characters-before-segments",
        "token-bad-character",
        "one space",
        "A bad character and one segment: characters come first.",
        " ".to_owned(),
    );
    bad(
        "order-segments-before-empty",
        "token-segment-count",
        "three dots",
        "Four segments, all empty: their number comes first.",
        "...".to_owned(),
    );
    bad(
        "order-empty-before-base64",
        "token-segment-empty",
        "one character and two dots",
        "Empty segments and one that is not base64url: empty ones come first.",
        "A..".to_owned(),
    );
    bad(
        "order-base64-of-signature-before-header",
        "base64-noncanonical",
        "no JSON in the header, and a bad last character of the signature",
        "All three segments are decoded before the header is read.",
        with_trailing_bit(&plain.clone().header("no JSON").compact()),
    );
    bad(
        "order-header-before-alg",
        "header-duplicate-member",
        "alg none and kid twice",
        "The JSON of the header comes before its alg.",
        plain
            .clone()
            .header(
                header("key-1")
                    .set("alg", "\"none\"")
                    .and("kid", "\"key-1\"")
                    .text(),
            )
            .compact(),
    );
    bad(
        "order-alg-before-crit",
        "alg-not-allowed",
        "alg none and crit",
        "alg comes before crit.",
        plain
            .clone()
            .header(
                header("key-1")
                    .set("alg", "\"none\"")
                    .and("crit", "[\"a\"]")
                    .text(),
            )
            .compact(),
    );
    bad(
        "order-crit-before-b64",
        "crit-unsupported",
        "b64 and the crit that RFC 7797 asks for",
        "crit comes before b64.",
        plain
            .clone()
            .header(
                header("key-1")
                    .and("b64", "true")
                    .and("crit", "[\"b64\"]")
                    .text(),
            )
            .compact(),
    );
    bad(
        "order-b64-before-key-material",
        "b64-unsupported",
        "jku and b64",
        "b64 comes before key material, whatever their order in the header.",
        plain
            .clone()
            .header(
                header("key-1")
                    .first("jku", "\"https://resolver.example/keys\"")
                    .and("b64", "true")
                    .text(),
            )
            .compact(),
    );
    bad(
        "order-key-material-before-cty",
        "header-key-material",
        "cty and jwk",
        "Key material comes before cty.",
        plain
            .clone()
            .header(
                header("key-1")
                    .first("cty", "\"JWT\"")
                    .and("jwk", "{}")
                    .text(),
            )
            .compact(),
    );
    bad(
        "order-cty-before-typ",
        "cty-unsupported",
        "typ at+jwt and cty",
        "cty comes before typ.",
        plain
            .clone()
            .header(
                header("key-1")
                    .first("typ", "\"at+jwt\"")
                    .and("cty", "\"JWT\"")
                    .text(),
            )
            .compact(),
    );
    bad(
        "order-typ-before-kid",
        "typ-not-allowed",
        "typ at+jwt, without kid",
        "typ comes before kid.",
        plain
            .clone()
            .header(
                header("key-1")
                    .without("kid")
                    .and("typ", "\"at+jwt\"")
                    .text(),
            )
            .compact(),
    );
    bad(
        "order-kid-before-signature",
        "kid-unknown",
        "an unknown kid and a signature of 63 bytes",
        "The key is found before the signature is looked at.",
        plain
            .clone()
            .header(header("key-9").text())
            .with_signature(&plain.signature()[..63]),
    );
    bad(
        "order-signature-before-payload",
        "signature-length",
        "no JSON in the payload, and a signature of 63 bytes",
        "The signature is verified before the payload is read.",
        plain
            .clone()
            .payload("no JSON")
            .with_signature(&plain.signature()[..63]),
    );
    bad(
        "order-signature-before-claims",
        "signature-invalid",
        "another iss, and the signature of the plain token",
        "An unsigned claim is not looked at.",
        plain
            .clone()
            .payload(claims().set("iss", "\"https://other.example\"").text())
            .with_signature(&plain.signature()),
    );
    cases.invalid(
        "order-key-before-signature",
        "key-wrong-use",
        "token.order",
        "a key for encryption and a signature of 63 bytes",
        "The key is judged before the signature.",
        ask_of(
            plain.with_signature(&plain.signature()[..63]),
            &discovery_with([jwk("key-1", &Key::first().public()).and("use", "\"enc\"")]).text(),
            NOW,
        ),
    );
}
