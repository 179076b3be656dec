//! The project's own implementation judges every vector. The generator knows nothing of it, so a disagreement is a
//! fault of one of the two, or a hole in the text.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::str::FromStr;

use capability_resolution::{
    Answer, Discovery, Need, Origin, Record, Refusal, ResolveRequest, ServerUrl, Time,
    UnverifiedToken, verify_ed25519,
};
use conformance_vectors::{Input, Operation, Suite, Vector, Verdict};
use serde_json::{Value, json};

/// A verdict: what a valid input yields, or the code of an invalid one.
type Judged = Result<Option<Value>, Option<String>>;

fn code(refusal: Refusal) -> Option<String> {
    Some(refusal.code().as_str().to_owned())
}

/// A member that every vector of the operation has.
fn text<'a>(input: &'a Input, name: &str) -> &'a str {
    input
        .text(name)
        .unwrap_or_else(|| panic!("{name} is missing: {input:?}"))
}

fn bytes(input: &Input, name: &str) -> Vec<u8> {
    input
        .bytes(name)
        .unwrap_or_else(|| panic!("{name} is missing: {input:?}"))
}

fn discovery(input: &Input, member: &str) -> Result<Discovery, Option<String>> {
    // What is no origin cannot be asked, so nothing agrees with it.
    let asked =
        Origin::from_str(text(input, "issuer")).map_err(|_| Some("iss-mismatch".to_owned()))?;
    Discovery::read(&bytes(input, member), &asked).map_err(code)
}

fn now(input: &Input) -> Time {
    // The range of jiff's timestamps ends hours before the last moment that a document can name.
    let now = text(input, "now");
    let seconds = now
        .split_once('.')
        .map(|(seconds, _)| format!("{seconds}Z"));
    Time::from_document(seconds.as_deref().unwrap_or(now)).unwrap()
}

fn judge(vector: &Vector) -> Judged {
    let input = &vector.input;
    let hex = |name| base16ct::lower::decode_vec(text(input, name)).unwrap();
    let named = |is_valid: bool| if is_valid { Ok(None) } else { Err(None) };
    match vector.operation {
        Operation::Token => {
            let discovery = discovery(input, "discovery")?;
            let token = bytes(input, "token");
            let token = UnverifiedToken::parse(&token).map_err(code)?;
            token.verify(&discovery, now(input)).map_err(code)?;
            Ok(None)
        }
        Operation::Discovery => discovery(input, "document").map(|_| None),
        Operation::Answer => {
            let discovery = discovery(input, "discovery")?;
            let answer =
                Answer::read(&bytes(input, "document"), &discovery, now(input)).map_err(code)?;
            let dropped: Vec<_> = answer
                .dropped
                .iter()
                .map(|(at, refusal)| json!({"at": at, "reason": refusal.code().as_str()}))
                .collect();
            // The places of the candidates that were kept are those that nothing else was said of.
            let count = answer.candidates.len() + dropped.len() + answer.duplicate_url.len();
            let gone = |at: &usize| {
                answer.dropped.iter().any(|(dropped, _)| dropped == at)
                    || answer.duplicate_url.contains(at)
            };
            let kept: Vec<_> = (0..count).filter(|at| !gone(at)).collect();
            Ok(Some(json!({
                "candidates": kept, "dropped": dropped,
                "copyDiffers": answer.copy_differs, "duplicateUrl": answer.duplicate_url,
            })))
        }
        Operation::Record => {
            let discovery = discovery(input, "discovery")?;
            let requested: Option<ServerUrl> =
                input.text("requestedUrl").map(|url| url.parse().unwrap());
            let document = bytes(input, "document");
            let record = Record::read(&document, &discovery, requested.as_ref(), now(input))
                .map_err(code)?;
            Ok(Some(json!({ "copyDiffers": record.copy_differs })))
        }
        Operation::Ed25519 => {
            verify_ed25519(&hex("publicKey"), &hex("message"), &hex("signature")).map_err(code)?;
            Ok(None)
        }
        Operation::Request => {
            let request = ResolveRequest::from_query(text(input, "query")).map_err(code)?;
            Ok(Some(json!({ "need": request.need.as_str() })))
        }
        Operation::Need => {
            let need = Need::new(text(input, "need")).map_err(code)?;
            Ok(Some(json!({ "need": need.as_str() })))
        }
        Operation::Origin => named(Origin::from_str(text(input, "value")).is_ok()),
        Operation::Issuer => {
            named(Origin::from_str(text(input, "value")).is_ok_and(|origin| origin.is_issuer()))
        }
        Operation::ServerUrl => named(ServerUrl::from_str(text(input, "value")).is_ok()),
        Operation::Time => named(Time::from_document(text(input, "value")).is_some()),
        // Not of this crate.
        Operation::Captxt | Operation::CaptxtFetch | Operation::Client => unreachable!("left out"),
    }
}

#[test]
fn the_example_of_the_text_is_among_the_vectors() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../spec/draft/capability-resolution.md"
    );
    let spec = std::fs::read_to_string(path).unwrap();
    let suite = Suite::embedded().unwrap();
    for id in ["token-spec-example", "token-spec-example-trailing-bits"] {
        let token = text(&suite.get(id).unwrap().input, "token");
        assert!(spec.contains(&format!("\n{token}\n")), "{id}");
    }
}

#[test]
fn the_table_of_libraries_counts_these_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../test-vectors/README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let suite = Suite::embedded().unwrap();
    let count = |result| {
        let tokens = suite
            .vectors()
            .filter(|vector| vector.operation == Operation::Token);
        tokens.filter(|vector| vector.result == result).count()
    };
    let (valid, invalid) = (count(Verdict::Valid), count(Verdict::Invalid));
    let head = format!("| {valid} valid: accepted | refused | {invalid} invalid: refused |");
    assert!(
        readme.contains(&head),
        "the table is older than the vectors; to measure again: python3 interop/libraries/measure.py"
    );
}

#[test]
fn the_core_crate_agrees_with_every_vector() {
    let suite = Suite::embedded().unwrap();
    let mut disagreements = Vec::new();
    let of_others = |vector: &&Vector| vector.operation.always_yields();
    for vector in suite.vectors().filter(|vector| !of_others(vector)) {
        let expected: Judged = match vector.result {
            Verdict::Valid => Ok(vector.output.as_ref().map(|output| json!(output))),
            Verdict::Invalid => Err(vector.reason.clone()),
        };
        let found = judge(vector);
        if found != expected {
            disagreements.push(format!(
                "{} {:?}: expected {expected:?}, found {found:?}",
                vector.id, vector.rules
            ));
        }
    }
    assert!(
        disagreements.is_empty(),
        "{} disagreements:\n{}",
        disagreements.len(),
        disagreements.join("\n")
    );
}
