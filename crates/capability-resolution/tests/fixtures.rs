//! The attack catalogue of tokens and 1,082 Ed25519 vectors, each case a test of its own.
//!
//! They lie outside of the repository: `FIXTURES_DIR` names their folder. Not set: one line says so. Set and not
//! readable: the tests fail.

#![expect(
    clippy::print_stderr,
    reason = "a test program of its own says what it skipped"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use capability_resolution::{Discovery, Origin, Time, UnverifiedToken, verify_ed25519};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let Some(folder) = std::env::var_os("FIXTURES_DIR").map(PathBuf::from) else {
        eprintln!("skipped: FIXTURES_DIR is not set, so the cases of jws and ed25519 did not run");
        let skipped =
            Trial::test("skipped: FIXTURES_DIR is not set", || Ok(())).with_ignored_flag(true);
        return libtest_mimic::run(&args, vec![skipped]).exit_code();
    };
    let trials: Vec<Trial> = catalogue(&folder)
        .into_iter()
        .chain(ed25519(&folder))
        .collect();
    libtest_mimic::run(&args, trials).exit_code()
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no string {name} in {value}"))
}

/// Codes that the text gives and the catalogue does not, with the rule that decides. Every other case has the code of
/// the catalogue, whose words have underscores where the text has hyphens.
const OTHER_CODES: &[(&str, &str, &str)] = &[
    (
        "exp_1e400",
        "payload-not-json",
        "json.number-range: the text is refused before a claim is looked at",
    ),
    (
        "alg_hs256_key_list_holds_oct",
        "key-private",
        "discovery.keys.private: the document is refused before the token",
    ),
];

fn catalogue(folder: &Path) -> Vec<Trial> {
    let file = Arc::new(read(&folder.join("jws/attack-catalogue.json")));
    let cases = file["cases"].as_array().expect("cases").len();
    assert_eq!(cases, 257, "the catalogue has 257 cases");
    (0..cases)
        .map(|at| {
            let file = Arc::clone(&file);
            let name = format!("jws::{}", text(&file["cases"][at], "id"));
            Trial::test(name, move || judge(&file, &file["cases"][at]))
        })
        .collect()
}

fn judge(file: &Value, case: &Value) -> Result<(), Failed> {
    let issuer = text(file, "issuer");
    let given = file["discovery"][text(case, "discovery")]
        .as_object()
        .expect("a document");
    let iss = given.get("iss").and_then(Value::as_str).unwrap_or(issuer);
    let mut document = json!({
        "v": "0.2", "iss": iss, "resolver": "Example", "policy": format!("{iss}/policy"),
        "endpoints": { "resolve": format!("{iss}/resolve"), "record": format!("{iss}/record") },
    });
    for (name, value) in given {
        document[name] = value.clone();
    }
    let asked: Origin = case["expected_iss"]
        .as_str()
        .unwrap_or(issuer)
        .parse()
        .expect("an origin");
    let now = Time::from_unix_seconds(file["now"].as_i64().expect("now"));
    let token = match case["token"].as_str() {
        Some(token) => token.to_owned(),
        None => case["token_parts"]
            .as_array()
            .expect("parts")
            .iter()
            .map(part)
            .collect(),
    };
    let verdict = Discovery::read(document.to_string().as_bytes(), &asked)
        .and_then(|discovery| UnverifiedToken::parse(token.as_bytes())?.verify(&discovery, now));
    match (text(case, "expected"), verdict) {
        ("accept", Ok(_)) => Ok(()),
        ("accept", Err(refusal)) => Err(format!("refused: {refusal}").into()),
        (_, Ok(_)) => Err("accepted".into()),
        (_, Err(refusal)) => {
            let other = OTHER_CODES.iter().find(|(id, ..)| *id == text(case, "id"));
            let wanted = other.map_or_else(
                || text(case, "reason").replace('_', "-"),
                |(_, code, _)| (*code).to_owned(),
            );
            let found = refusal.code().as_str();
            if found == wanted {
                Ok(())
            } else {
                Err(format!("{wanted} expected, found {refusal}").into())
            }
        }
    }
}

fn part(part: &Value) -> String {
    let count = part[1]
        .as_u64()
        .and_then(|n| usize::try_from(n).ok())
        .expect("a count");
    part[0].as_str().expect("a text").repeat(count)
}

/// The words of `pinned_verdicts.json` and the codes that the text has for them.
const PINNED: &[(&str, &str)] = &[
    ("accept", "accept"),
    ("key_length", "key-malformed"),
    ("key_not_canonical", "key-weak"),
    ("key_small_order", "key-weak"),
    ("signature_length", "signature-length"),
    ("s_out_of_range", "signature-noncanonical"),
    ("r_not_canonical", "signature-noncanonical"),
    ("r_small_order", "signature-small-order"),
    ("equation", "signature-invalid"),
];

/// A vector: its name, its key, message and signature, and what the pinned rule says of it.
struct Vector {
    name: String,
    input: [Vec<u8>; 3],
    pinned: String,
}

fn ed25519(folder: &Path) -> Vec<Trial> {
    let folder = folder.join("ed25519");
    let pinned = read(&folder.join("pinned_verdicts.json"));
    let hex = |value: &Value, name: &str| {
        base16ct::mixed::decode_vec(text(value, name)).expect("hexadecimal")
    };
    let mut vectors = Vec::new();
    let mut add = |set: &str, id: String, input: [Vec<u8>; 3]| {
        let pinned = text(&pinned[set], &id).to_owned();
        vectors.push(Vector {
            name: format!("ed25519::{set}::{id}"),
            input,
            pinned,
        });
    };
    for (at, case) in read(&folder.join("speccheck_cases.json"))
        .as_array()
        .expect("a list")
        .iter()
        .enumerate()
    {
        add(
            "speccheck",
            at.to_string(),
            [
                hex(case, "pub_key"),
                hex(case, "message"),
                hex(case, "signature"),
            ],
        );
    }
    for group in read(&folder.join("wycheproof_ed25519_test.json"))["testGroups"]
        .as_array()
        .expect("groups")
    {
        for case in group["tests"].as_array().expect("tests") {
            let input = [
                hex(&group["publicKey"], "pk"),
                hex(case, "msg"),
                hex(case, "sig"),
            ];
            add("wycheproof", case["tcId"].to_string(), input);
        }
    }
    for case in read(&folder.join("cctv_ed25519vectors.json"))
        .as_array()
        .expect("a list")
    {
        let input = [
            hex(case, "key"),
            text(case, "msg").as_bytes().to_vec(),
            hex(case, "sig"),
        ];
        add("cctv", case["number"].to_string(), input);
    }
    for case in read(&folder.join("rfc8032_7_1.json"))["vectors"]
        .as_array()
        .expect("a list")
    {
        let input = [
            hex(case, "public_key"),
            hex(case, "message"),
            hex(case, "signature"),
        ];
        add("rfc8032", text(case, "name").to_owned(), input);
    }
    assert_eq!(vectors.len(), 1_082, "there are 1,082 vectors");
    vectors
        .into_iter()
        .map(|vector| Trial::test(vector.name.clone(), move || check(&vector)))
        .collect()
}

fn check(
    Vector {
        input: [key, message, signature],
        pinned,
        ..
    }: &Vector,
) -> Result<(), Failed> {
    let found = match verify_ed25519(key, message, signature) {
        Ok(()) => "accept",
        Err(refusal) => refusal.code().as_str(),
    };
    let wanted = PINNED
        .iter()
        .find(|(word, _)| word == pinned)
        .ok_or_else(|| format!("unknown word {pinned}"))?
        .1;
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{wanted} expected, found {found}").into())
    }
}
