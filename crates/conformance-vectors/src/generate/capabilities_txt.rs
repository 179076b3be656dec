//! Server files (§11): what both readers say of a file, and what comes of fetching it.

mod blocks;
mod build;
mod characters;
pub(super) mod deny;
mod endpoint;
mod expires;
pub(super) mod fetch;
mod fields;
mod header;
mod jobs;
mod lines;
mod resolvers;
mod scope;
mod signed;

use self::build::{File, Files, said};
use super::cases::Cases;
use crate::model::{Kind, Operation, VectorFile};

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::CapabilitiesTxt, Operation::Captxt);
    let mut files = Files(&mut cases);
    readers(&mut files);
    lines::add(&mut files);
    fields::add(&mut files);
    characters::add(&mut files);
    signed::add(&mut files);
    header::add(&mut files);
    expires::add(&mut files);
    resolvers::add(&mut files);
    blocks::add(&mut files);
    jobs::add(&mut files);
    endpoint::add(&mut files);
    scope::add(&mut files);
    cases.into_file()
}

/// The two readers, and what is taken from a file that is not valid (§11.1).
fn readers(files: &mut Files<'_>) {
    files.base(
        "plain",
        "captxt.valid captxt.two-readers captxt.claims-empty captxt.claims-valid-only captxt.conformance",
        "A file with one block: nothing to report, every resolver may list the servers.",
        File::plain(),
        said(),
    );
}
