//! The rules of §3.2, for every text that they hold for.
//!
//! Header, payload and documents are often read by different code, so each gets the cases of its own.

mod text;
mod values;

use super::build::Object;
use super::cases::Cases;
use crate::model::Input;

/// What is wrong with a text: the end of its code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    NotUtf8,
    TooDeep,
    NotJson,
    NotObject,
    Duplicate,
}

impl Fault {
    fn code(self) -> &'static str {
        match self {
            Self::NotUtf8 => "not-utf8",
            Self::TooDeep => "too-deep",
            Self::NotJson => "not-json",
            Self::NotObject => "not-object",
            Self::Duplicate => "duplicate-member",
        }
    }
}

/// How the text of a sound object is changed.
enum Change {
    /// An unknown member `x` with this value is added.
    Member(Vec<u8>),
    /// These bytes stand before and after it.
    Around(&'static [u8], &'static [u8]),
    /// Its first occurrence of the one is replaced by the other.
    Replace(&'static str, &'static str),
    /// It is something else altogether.
    Instead(&'static [u8]),
    /// It is UTF-16, little-endian, after this.
    Utf16(&'static [u8]),
    /// Its last byte is missing.
    CutShort,
    /// There is a comma before its last byte.
    TrailingComma,
}

use Change::{Around, CutShort, Instead, Member, Replace, TrailingComma, Utf16};

struct Case {
    slug: &'static str,
    fault: Option<Fault>,
    rules: &'static str,
    change: Change,
    comment: &'static str,
}

/// How many of the cases a text gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All.
    All,
    /// The ones that readers most often get wrong, and one for each code.
    Core,
}

/// The cases that [`Extent::Core`] has.
const CORE: [&str; 24] = [
    "utf8-overlong",
    "utf8-surrogate",
    "utf8-in-unknown-name",
    "utf16-with-mark",
    "depth-32",
    "depth-33",
    "depth-brackets-in-string",
    "depth-33-unclosed",
    "byte-order-mark",
    "trailing-comma",
    "comment",
    "nan",
    "trailing-object",
    "control-in-string",
    "white-space-no-break",
    "surrogate-lone-high",
    "surrogate-lone-in-name",
    "surrogate-pair",
    "number-1e400-nested",
    "number-largest-double",
    "duplicate-nested-in-unknown",
    "duplicate-escaped",
    "duplicate-in-array",
    "outermost-array",
];

/// Adds the cases for one text. `prefix` begins the slugs and the codes (`header`, `payload`, `document`).
pub(super) fn add(
    cases: &mut Cases,
    slug: &str,
    prefix: &str,
    rule: &str,
    extent: Extent,
    object: &Object,
    ask: impl Fn(Vec<u8>) -> Input,
) {
    for case in table() {
        if extent == Extent::Core && !CORE.contains(&case.slug) {
            continue;
        }
        let slug = format!("{slug}{}", case.slug);
        let (text, change) = case.change.apply(object);
        let rules = format!("{} {rule}", case.rules);
        match case.fault {
            None => {
                cases.valid(&slug, &rules, &change, case.comment, ask(text));
            }
            Some(fault) => {
                let code = format!("{prefix}-{}", fault.code());
                cases.invalid(&slug, &code, &rules, &change, case.comment, ask(text));
            }
        }
    }
}

impl Change {
    /// The changed text, and how it was changed.
    fn apply(&self, object: &Object) -> (Vec<u8>, String) {
        let text = object.text();
        match self {
            Member(value) => {
                let shown = value
                    .escape_ascii()
                    .to_string()
                    .replace("\\\"", "\"")
                    .replace("\\\\", "\\");
                let shown = if shown.len() > 60 {
                    format!("a value of {} bytes", value.len())
                } else {
                    shown
                };
                (
                    object.clone().and("x", value.clone()).text(),
                    format!("unknown member x: {shown}"),
                )
            }
            Around(before, after) => {
                let change = match (before.is_empty(), after.is_empty()) {
                    (false, false) => {
                        format!(
                            "{} before and {} after",
                            before.escape_ascii(),
                            after.escape_ascii()
                        )
                    }
                    (false, true) => format!("{} before", before.escape_ascii()),
                    _ => format!("{} after", after.escape_ascii()),
                };
                ([before, &text[..], after].concat(), change)
            }
            Replace(from, to) => {
                let at = text
                    .windows(from.len())
                    .position(|window| window == from.as_bytes());
                let at = at.unwrap_or(text.len());
                let rest = text.get(at + from.len()..).unwrap_or_default();
                (
                    [&text[..at], to.as_bytes(), rest].concat(),
                    format!("first {from} becomes {to}"),
                )
            }
            Instead(other) => (
                other.to_vec(),
                format!(
                    "{} instead",
                    other.escape_ascii().to_string().replace("\\\"", "\"")
                ),
            ),
            Utf16(mark) => {
                let units = text.iter().flat_map(|byte| [*byte, 0]);
                let what = if mark.is_empty() {
                    "UTF-16"
                } else {
                    "UTF-16 with a byte order mark"
                };
                (mark.iter().copied().chain(units).collect(), what.to_owned())
            }
            TrailingComma => (
                [&text[..text.len() - 1], b",}"].concat(),
                "a comma before the last brace".to_owned(),
            ),
            CutShort => (
                text[..text.len() - 1].to_vec(),
                "the last byte is missing".to_owned(),
            ),
        }
    }
}

fn table() -> Vec<Case> {
    [
        text::utf8(),
        text::depth(),
        text::syntax(),
        values::surrogates(),
        values::numbers(),
        values::duplicates(),
        values::order(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn case(
    slug: &'static str,
    fault: impl Into<Option<Fault>>,
    rules: &'static str,
    change: Change,
    comment: &'static str,
) -> Case {
    Case {
        slug,
        fault: fault.into(),
        rules,
        change,
        comment,
    }
}

fn member(value: impl Into<Vec<u8>>) -> Change {
    Member(value.into())
}
