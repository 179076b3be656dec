//! The 276 cases of `capabilities-txt/cases.json`, each a test of its own, and the files of `text-corpus`.
//!
//! They lie outside of the repository: `FIXTURES_DIR` names their folder. Not set: one line says so. Set and not
//! readable: the tests fail.

#![expect(
    clippy::print_stderr,
    reason = "a test program of its own says what it skipped"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use base64::Engine as _;
use capabilities_txt::{PublicSuffixes, Reading, Scope, Severity, allows, read};
use capability_resolution::{Host, Origin, Time};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let Some(folder) = std::env::var_os("FIXTURES_DIR").map(PathBuf::from) else {
        eprintln!(
            "skipped: FIXTURES_DIR is not set, so the cases of capabilities-txt and text-corpus did not run"
        );
        let skipped =
            Trial::test("skipped: FIXTURES_DIR is not set", || Ok(())).with_ignored_flag(true);
        return libtest_mimic::run(&args, vec![skipped]).exit_code();
    };
    let trials = cases(&folder).into_iter().chain(corpus(&folder)).collect();
    libtest_mimic::run(&args, trials).exit_code()
}

fn cases(folder: &Path) -> Vec<Trial> {
    let path = folder.join("capabilities-txt/cases.json");
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let cases: Vec<Value> =
        serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(cases.len(), 276, "the catalogue has 276 cases");
    let trial = |case: Value| {
        let name = format!("cases::{}", text(&case, "id"));
        Trial::test(name, move || judge(&case))
    };
    cases.into_iter().map(trial).collect()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no string {name} in {value}"))
}

/// The bytes of a case, which are written in one of three ways.
fn bytes_of(case: &Value) -> Vec<u8> {
    if let Some(encoded) = case["text_base64"].as_str() {
        return base64::engine::general_purpose::STANDARD
            .decode(encoded)
            .expect("base64");
    }
    if let Some(parts) = case["text_parts"].as_array() {
        let part = |part: &Value| {
            let count = part[1]
                .as_u64()
                .and_then(|n| usize::try_from(n).ok())
                .expect("a count");
            part[0].as_str().expect("a text").repeat(count)
        };
        return parts.iter().map(part).collect::<String>().into_bytes();
    }
    text(case, "text").as_bytes().to_vec()
}

fn judge(case: &Value) -> Result<(), Failed> {
    let bytes = bytes_of(case);
    let host = Host::from_written(text(case, "fetched_host"))?;
    let resolver = Origin::from_written(text(case, "resolver_origin"))?;
    let now = Time::from_document(text(case, "now")).ok_or("no time")?;
    let scope = Scope::new(host, &PublicSuffixes::compiled_in());
    let reading = read(&bytes, &scope, now);
    let codes = |severity| {
        let found = reading
            .diagnostics()
            .iter()
            .filter(|d| d.severity() == severity);
        found.map(|d| d.code().as_str()).collect::<BTreeSet<_>>()
    };
    let mut found = json!({
        "valid": reading.is_valid(),
        "errors": codes(Severity::Error),
        "warnings": codes(Severity::Warning),
        "resolver_allowed": allows(&bytes, &resolver).is_allowed(),
        "endpoints": endpoints(&reading),
    });
    let mut expected = case["expect"].clone();
    for codes in [&mut found, &mut expected].into_iter().flat_map(|v| {
        let object = v.as_object_mut().expect("an object");
        object
            .iter_mut()
            .filter(|(name, _)| *name == "errors" || *name == "warnings")
            .map(|(_, v)| v)
    }) {
        codes
            .as_array_mut()
            .expect("codes")
            .sort_by_key(|code| code.as_str().map(str::to_owned));
    }
    if found != expected {
        return Err(format!("expected {expected}\n   found {found}").into());
    }
    for diagnostic in reading.diagnostics() {
        check_correction(&bytes, &reading, diagnostic, &scope, now)?;
    }
    Ok(())
}

fn endpoints(reading: &Reading<'_>) -> Vec<Value> {
    let one = |(endpoint, in_scope): (&capabilities_txt::Endpoint, bool)| {
        json!({
            "url": endpoint.url.as_str(),
            "in_scope": in_scope,
            "jobs": endpoint.jobs.iter().map(|job| job.as_str()).collect::<Vec<_>>(),
            "protocol": endpoint.protocol.as_str(),
            "sign_in": endpoint.sign_in.as_ref().map(|word| word.as_str()),
            "payment": endpoint.payment.as_ref().map(|word| word.as_str()),
        })
    };
    reading.endpoints().map(one).collect()
}

/// A corrected line has to mend what it says it mends.
fn check_correction(
    bytes: &[u8],
    reading: &Reading<'_>,
    diagnostic: &capabilities_txt::Diagnostic,
    scope: &Scope,
    now: Time,
) -> Result<(), Failed> {
    let Some(corrected) = reading.explain(diagnostic).corrected else {
        return Ok(());
    };
    let text = std::str::from_utf8(bytes)?;
    let at = diagnostic.span().start;
    let missing = diagnostic.code().as_str().starts_with("missing-");
    let (start, end) = if missing {
        let end = text[at..].find('\n').map_or(text.len(), |n| at + n + 1);
        let place = if diagnostic.code().as_str() == "missing-conformance" {
            at
        } else {
            end
        };
        (place, place)
    } else {
        let start = text[..at].rfind(['\n', '\r']).map_or(0, |n| n + 1);
        (
            start,
            text[at..].find(['\n', '\r']).map_or(text.len(), |n| at + n),
        )
    };
    let mended = format!(
        "{}{corrected}{}{}",
        &text[..start],
        if missing { "\n" } else { "" },
        &text[end..]
    );
    let again = read(mended.as_bytes(), scope, now);
    let still = again.diagnostics().iter().any(|d| {
        d.code() == diagnostic.code()
            && (missing || d.line() == diagnostic.line() && d.column() == diagnostic.column())
    });
    if still {
        return Err(format!("{} is not mended by {corrected:?}", diagnostic.code()).into());
    }
    Ok(())
}

fn corpus(folder: &Path) -> Vec<Trial> {
    let path = folder.join("text-corpus");
    let entries = std::fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.is_file());
    files.sort();
    assert!(!files.is_empty(), "{} holds no file", path.display());
    let trial = |path: PathBuf| {
        let name = format!(
            "corpus::{}",
            path.file_name().unwrap_or_default().to_string_lossy()
        );
        Trial::test(name, move || splice(Arc::new(std::fs::read(&path)?)))
    };
    files.into_iter().map(trial).collect()
}

/// r[captxt.deny.verdict] r[captxt.deny.lines]: a foreign file allows everyone, and one line in it forbids.
fn splice(bytes: Arc<Vec<u8>>) -> Result<(), Failed> {
    let scope = Scope::new(
        Host::from_written("example.com")?,
        &PublicSuffixes::compiled_in(),
    );
    let now = Time::from_document("2026-11-30T12:00:00Z").ok_or("no time")?;
    let resolver: Origin = "https://resolver.example".parse()?;
    let with_line_at = |at: usize| [&bytes[..at], b"Resolvers: none\n", &bytes[at..]].concat();
    for bytes in [&*bytes, &with_line_at(0)] {
        if read(bytes, &scope, now).is_valid() {
            return Err("it is valid".into());
        }
    }
    if !allows(&bytes, &resolver).is_allowed() {
        return Err("it denies".into());
    }
    let starts = std::iter::once(0).chain((1..bytes.len()).filter(|at| bytes[at - 1] == b'\n'));
    for at in starts {
        if allows(&with_line_at(at), &resolver).is_allowed() {
            return Err(format!("spliced in at byte {at}, the line is lost").into());
        }
    }
    Ok(())
}
