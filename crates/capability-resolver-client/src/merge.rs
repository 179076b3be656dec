//! Candidates of several resolvers, put together by server: `client.merge`, `client.contradiction`.

use std::collections::HashMap;

use capability_resolution::ServerUrl;

use crate::result::{Advice, Statement};

/// The statements of each resolver, in the order of the list and of their answers.
pub(crate) fn merge(statements: impl IntoIterator<Item = Statement>) -> Vec<Advice> {
    let mut merged: Vec<Advice> = Vec::new();
    let mut places: HashMap<ServerUrl, usize> = HashMap::new();
    for statement in statements {
        match places.get(statement.url()) {
            Some(place) => merged[*place].add(statement),
            None => {
                places.insert(statement.url().clone(), merged.len());
                merged.push(Advice::new(statement));
            }
        }
    }
    merged
}
