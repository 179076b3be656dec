//! Which servers declare that they ask for no payment: `constraint.payment`.

use std::collections::HashMap;

use capabilities_txt::limits::UNREACHABLE_SECONDS;
use capabilities_txt::{PublicSuffixes, Scope, read};
use capability_resolution::{Host, ServerUrl, Time};

use super::known;
use crate::store::FileRow;

/// What server files say of payment, by server; each from the file of the nearest host that declares the server
/// (`captxt.scope.claims-nearest`).
#[derive(Debug, Default)]
pub struct NoPayment {
    nearest: HashMap<String, Declared>,
}

/// What one file says of one server.
#[derive(Debug)]
struct Declared {
    /// The length of the file's host. All hosts whose files speak for a server end its own, so the longest is the nearest.
    host: usize,
    /// If it says that there is no payment: the first second at which the file is not valid any more.
    until: Option<Time>,
}

impl NoPayment {
    /// Adds what the file of a host says, if it is valid now: `captxt.claims-valid-only`.
    pub(super) fn add(&mut self, host: &str, row: &FileRow, suffixes: &PublicSuffixes, now: Time) {
        let known = known(row);
        let file = known.file(now).filter(|(_, withheld)| withheld.is_none());
        let (Some((bytes, _)), Ok(file_host)) = (file, Host::from_written(host)) else {
            return;
        };
        let scope = Scope::new(file_host, suffixes);
        let reading = read(bytes, &scope, now);
        let Some(file) = reading.file() else { return };
        // `captxt.fetch.unreachable`
        let given_up = row.answered_at.unwrap_or(now).plus(UNREACHABLE_SECONDS);
        let until = file.expires().at().min(given_up);
        for endpoint in reading.claims() {
            let Some(url) = endpoint.url.server_url() else {
                continue;
            };
            let none = endpoint
                .payment
                .as_ref()
                .is_some_and(|word| word.as_str() == "none");
            let declared = Declared {
                host: host.len(),
                until: none.then_some(until),
            };
            let nearest = self.nearest.get(url.as_str());
            if nearest.is_none_or(|nearest| nearest.host < declared.host) {
                self.nearest.insert(url.to_string(), declared);
            }
        }
    }

    /// Whether a valid file that speaks for a server declares `Payment: none`.
    #[must_use]
    pub fn holds(&self, server: &ServerUrl, now: Time) -> bool {
        let declared = self.nearest.get(server.as_str());
        declared
            .and_then(|declared| declared.until)
            .is_some_and(|until| now < until)
    }
}
