//! Needs (§5.1) and the queries that carry them (§5.1, §5.2).

mod need;
mod query;

use super::cases::Cases;
use crate::model::{Kind, Operation, VectorFile};

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::Request, Operation::Need);
    need::add(&mut cases);
    cases.operation(Operation::Request);
    query::add(&mut cases);
    cases.into_file()
}
