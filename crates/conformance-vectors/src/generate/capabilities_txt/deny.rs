//! The deny reader (§11.6): what it finds in files that the strict reader refuses.

mod bytes;
mod continuation;
mod entries;
mod field;
mod lines;
mod repair;
mod verdict;

use super::build::{File, Files, Said, said};
use crate::generate::cases::Cases;
use crate::model::{Kind, Operation, VectorFile};

/// The file of vectors about the deny reader.
pub(in crate::generate) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::CapabilitiesTxtDeny, Operation::Captxt);
    let mut files = Files(&mut cases);
    bases(&mut files);
    bytes::add(&mut files);
    lines::add(&mut files);
    field::add(&mut files);
    continuation::add(&mut files);
    entries::add(&mut files);
    repair::add(&mut files);
    verdict::add(&mut files);
    cases.into_file()
}

/// The plain file with a deny of the resolver that asks.
fn denying() -> File {
    File::resolvers(DENY)
}

/// A value that denies the resolver that asks, and nobody else.
const DENY: &str = "*, -https://resolver.example";

fn bases(files: &mut Files<'_>) {
    files.base(
        "plain",
        "captxt.deny.verdict captxt.deny.match captxt.two-readers",
        "A file without fault that denies the resolver.",
        denying(),
        said().denied(),
    );
    files.case(
        "plain-other",
        "captxt.deny.match captxt.deny.verdict",
        "asked by another resolver",
        "The deny is for one resolver.",
        denying().by("https://other.example"),
        said(),
    );
    files.base(
        "allowing",
        "captxt.deny.verdict",
        "A file without fault that allows every resolver.",
        File::plain(),
        said(),
    );
}

/// A file whose fourth line has this text, in which the strict reader finds no Resolvers.
fn missing(line: &str, code: &str) -> (File, Said) {
    let said = said().error("missing-resolvers", 1, 1);
    (File::plain().line(4, line), said.error(code, 4, 1))
}
