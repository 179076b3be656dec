//! The table of faults.

mod answers;
mod discovery;
mod documents;
mod errors;
mod pages;
mod records;
mod requests;
mod tokens;

use serde_json::{Value, json};

use super::fault::Act::{self, Bytes, Certificate, Head, Members, RecordToken, Signed, Token};
use super::fault::Kind::{Answer, Changelog, Discovery, Error, Policy, Record};
use super::fault::Quirk::{self, *};
use super::fault::{Fault, Kind};
use super::token::Parts;

/// Every fault.
pub(crate) fn faults() -> Vec<Fault> {
    let mut faults = vec![fault(
        "certificate-of-another-host",
        "http.https",
        "serves by TLS with a certificate for another host, of no authority",
        Certificate,
    )];
    faults.extend(
        [Discovery, Answer, Record]
            .into_iter()
            .flat_map(documents::faults),
    );
    faults.extend(discovery::faults());
    faults.extend(answers::faults());
    faults.extend(requests::faults());
    faults.extend(errors::faults());
    faults.extend(tokens::faults());
    faults.extend(records::faults());
    faults.extend(pages::faults());
    faults
}

fn fault(name: impl Into<String>, rule: &'static str, does: impl Into<String>, act: Act) -> Fault {
    Fault {
        name: name.into(),
        rule,
        does: does.into(),
        act,
    }
}

fn quirk(name: &str, rule: &'static str, does: &str, quirk: Quirk) -> Fault {
    fault(name, rule, does, Act::Quirk(quirk))
}

fn remove(value: &mut Value, name: &str) {
    if let Some(members) = value.as_object_mut() {
        members.remove(name);
    }
}

fn append(value: &mut Value, text: &str) {
    *value = json!(value.as_str().unwrap_or_default().to_owned() + text);
}

fn push(array: &mut Value, more: Vec<Value>) {
    if let Some(array) = array.as_array_mut() {
        array.extend(more);
    }
}

/// Changes the third candidate, where there is one.
fn third(document: &mut Value, edit: impl Fn(&mut Value)) {
    if let Some(candidate) = document.pointer_mut("/candidates/2") {
        edit(candidate);
    }
}

/// Sets a time to another and so many seconds.
fn later(parts: &mut Parts, name: &str, than: &str, seconds: i64) {
    parts.edit_payload(|payload| {
        payload[name] = json!(payload[than].as_i64().unwrap_or_default() + seconds);
    });
}

fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    String::from_utf8_lossy(bytes)
        .replace(from, to)
        .into_bytes()
}
