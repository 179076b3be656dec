//! All that the server files which are held say at one moment.

use std::collections::HashSet;

use capabilities_txt::PublicSuffixes;
use capability_resolution::{Origin, ServerUrl, Time};

use super::payment::NoPayment;
use super::{Denials, denies, hosts_of};
use crate::store::{FileRow, Store, StoreError};

/// What server files say: whom they deny, and which servers they declare to be free of payment.
#[derive(Debug)]
pub struct HeldFiles {
    denials: Denials,
    no_payment: NoPayment,
}

impl HeldFiles {
    /// Reads every file that is held.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn read(store: &dyn Store, issuer: &Origin, now: Time) -> Result<Self, StoreError> {
        let mut held = Self::none();
        store.each_restriction(&mut |host, row| held.add(host, &row, issuer, now))?;
        Ok(held)
    }

    /// Reads only the files that speak for one server: `captxt.scope.which-files`. What it says of others is nothing.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn of(
        server: &ServerUrl,
        store: &dyn Store,
        issuer: &Origin,
        now: Time,
    ) -> Result<Self, StoreError> {
        let mut held = Self::none();
        for host in hosts_of(server, &held.denials.suffixes) {
            if let Some(row) = store.server_file(&host)? {
                held.add(&host, &row, issuer, now);
            }
        }
        Ok(held)
    }

    /// Whom they deny.
    #[must_use]
    pub fn denials(&self) -> &Denials {
        &self.denials
    }

    /// Which servers they declare to be free of payment.
    #[must_use]
    pub fn no_payment(&self) -> &NoPayment {
        &self.no_payment
    }

    fn none() -> Self {
        Self {
            denials: Denials {
                hosts: HashSet::new(),
                suffixes: PublicSuffixes::compiled_in(),
            },
            no_payment: NoPayment::default(),
        }
    }

    fn add(&mut self, host: &str, row: &FileRow, issuer: &Origin, now: Time) {
        if denies(row, issuer, now) {
            self.denials.hosts.insert(host.to_owned());
        }
        self.no_payment.add(host, row, &self.denials.suffixes, now);
    }
}
