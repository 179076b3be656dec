//! capabilities.txt.

use jiff::Timestamp;

use crate::ensure;
use crate::grammar::Grammar;

/// The moment at which the text judges its examples: A.3, A.7.
const NOW: &str = "2026-11-30T12:00:00Z";

/// A file that has the grammar's form, the required fields, and a date to come.
pub(crate) fn check(block: &str, grammar: &Grammar) -> Result<(), String> {
    check_bytes(block)?;
    ensure(
        grammar.matches("file", block)?,
        "the grammar does not match the file",
    )?;
    let fields = fields(block)?;
    // r[captxt.header.required], r[captxt.header.place]
    let header = fields.iter().take_while(|(name, _)| name != "Endpoint");
    for required in ["Conformance", "Contact", "Expires", "Resolvers"] {
        ensure(
            header.clone().any(|(name, _)| name == required),
            format!("no {required} before the first Endpoint"),
        )?;
    }
    let value = |wanted: &str| {
        fields
            .iter()
            .find(|(name, _)| name == wanted)
            .map_or("", |(_, value)| value)
    };
    ensure(
        value("Conformance") == "Capability Resolution 0.2",
        "Conformance names another version",
    )?;
    ensure(time(value("Expires"))? > time(NOW)?, "Expires is past")?;
    ensure(
        grammar.matches("resolvers", value("Resolvers"))?,
        "Resolvers does not match the grammar",
    )?;
    // r[captxt.block.required]
    for block in fields.split(|(name, _)| name == "Endpoint").skip(1) {
        for required in ["Protocol", "Jobs"] {
            let count = block.iter().filter(|(name, _)| name == required).count();
            ensure(
                count == 1,
                format!("expected one {required} in a block, found {count}"),
            )?;
        }
        for (name, value) in block.iter().filter(|(name, _)| name != "Jobs") {
            ensure(
                grammar.matches("word", value)?,
                format!("{name}: {value} is no token"),
            )?;
        }
    }
    ensure(
        fields.iter().any(|(name, _)| name == "Endpoint"),
        "no Endpoint",
    )
}

/// The file with the faults that the text names, and no other.
pub(crate) fn check_damaged(block: &str) -> Result<(), String> {
    check_bytes(block)?;
    let fields = fields(block)?;
    let names: Vec<_> = fields.iter().map(|(name, _)| name.as_str()).collect();
    ensure(
        names == ["Contact", "Expires", "Resolvers"],
        format!("unexpected fields {names:?}"),
    )?;
    let [_, (_, expires), (_, resolvers)] = fields.as_slice() else {
        return Err("three fields".into());
    };
    ensure(time(expires)? < time(NOW)?, "Expires is not past")?;
    ensure(
        resolvers == "*, \u{2013}https://unwanted.example",
        "no U+2013 before the origin",
    )
}

fn check_bytes(block: &str) -> Result<(), String> {
    ensure(
        block.ends_with('\n') && !block.contains(['\r', '\t']),
        "not lines that end with LF alone",
    )
}

fn fields(block: &str) -> Result<Vec<(String, String)>, String> {
    let lines = block
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let field = |line: &str| {
        line.split_once(": ")
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    lines
        .map(|line| field(line).ok_or_else(|| format!("no field: {line}")))
        .collect()
}

fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|error| format!("{text}: {error}"))
}
