//! What discovery documents, answers and records have in common.

use crate::code::{Code, Refusal};
use crate::json::{self, Fault, Object, Value};
use crate::origin::Origin;

/// The version of the protocol that this crate speaks: `version.value`.
pub const VERSION: &str = "0.2";

/// The type of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    String,
    Object,
    Array,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Object => "an object",
            Self::Array => "an array",
        }
    }
}

impl Value<'_> {
    /// Whether a value is of a kind that a member asks for.
    pub(crate) fn is(&self, kind: Kind) -> bool {
        matches!(
            (self, kind),
            (Value::String(_), Kind::String)
                | (Value::Object(_), Kind::Object)
                | (Value::Array(_), Kind::Array)
        )
    }
}

pub(crate) fn check_size(bytes: &[u8], max: usize, rule: &'static str) -> Result<(), Refusal> {
    if bytes.len() <= max {
        return Ok(());
    }
    Err(Refusal::by(
        Code::DocumentTooLarge,
        rule,
        format!("{} bytes, at most {max} are allowed", bytes.len()),
    ))
}

/// Reads a document by section 3.2; `members` is the rule that asks for an object.
pub(crate) fn read<'a>(bytes: &'a [u8], members: &'static str) -> Result<Object<'a>, Refusal> {
    json::read_object(bytes).map_err(|fault| match fault {
        Fault::NotUtf8(_) => Refusal::new(Code::DocumentNotUtf8, fault.to_string()),
        Fault::TooDeep(_) => Refusal::new(Code::DocumentTooDeep, fault.to_string()),
        Fault::NotJson(rule, _) => Refusal::by(Code::DocumentNotJson, rule, fault.to_string()),
        Fault::NotObject => Refusal::by(Code::DocumentNotObject, members, fault.to_string()),
        Fault::DuplicateMember(_) => Refusal::new(Code::DocumentDuplicateMember, fault.to_string()),
    })
}

/// Takes members out of an object and says by JSON pointer which one is wrong.
pub(crate) struct Reader<'o, 'a> {
    object: &'o Object<'a>,
    pointer: String,
    rule: &'static str,
}

impl<'o, 'a> Reader<'o, 'a> {
    /// A reader of a document whose members `rule` lists.
    pub(crate) fn new(object: &'o Object<'a>, rule: &'static str) -> Self {
        Self {
            object,
            pointer: String::new(),
            rule,
        }
    }

    /// A reader of an object inside of this one.
    pub(crate) fn inside<'p>(&self, pointer: &str, object: &'p Object<'a>) -> Reader<'p, 'a> {
        Reader {
            object,
            pointer: pointer.to_owned(),
            rule: self.rule,
        }
    }

    pub(crate) fn member(&self, name: &str, kind: Kind) -> Result<&'o Value<'a>, Refusal> {
        self.optional(name, kind)?.ok_or_else(|| {
            Refusal::by(
                Code::MemberMissing,
                self.rule,
                format!("{}/{name} is missing", self.pointer),
            )
        })
    }

    pub(crate) fn string(&self, name: &str) -> Result<&'o str, Refusal> {
        Ok(self
            .member(name, Kind::String)?
            .as_str()
            .unwrap_or_default())
    }

    pub(crate) fn optional_string(&self, name: &str) -> Result<Option<&'o str>, Refusal> {
        Ok(self.optional(name, Kind::String)?.and_then(Value::as_str))
    }

    /// `version.value`, `version.unknown`: checked before anything else, since another version has other members.
    pub(crate) fn version(&self) -> Result<(), Refusal> {
        let found = self.string("v")?;
        if found == VERSION {
            return Ok(());
        }
        Err(Refusal::new(
            Code::VersionUnsupported,
            format!("/v is {found:?}, this is a reader of {VERSION:?}"),
        ))
    }

    fn optional(&self, name: &str, kind: Kind) -> Result<Option<&'o Value<'a>>, Refusal> {
        match self.object.get(name) {
            Some(value) if !value.is(kind) => Err(Refusal::by(
                Code::MemberType,
                self.rule,
                format!("{}/{name} is not {}", self.pointer, kind.name()),
            )),
            other => Ok(other),
        }
    }
}

/// The issuer, if the text is byte for byte the one that was asked.
pub(crate) fn issuer(found: &str, asked: &Origin, rule: &'static str) -> Result<Origin, Refusal> {
    if found == asked.as_str() && asked.is_issuer() {
        return Ok(asked.clone());
    }
    Err(Refusal::by(
        Code::IssMismatch,
        rule,
        format!("/iss is {found:?}, asked was {asked}"),
    ))
}
