//! Which servers an answer has: those that were found, may be stated and meet the constraints.

use std::collections::HashMap;
use std::sync::Arc;

use capability_resolution::limits::CANDIDATES_MAX;
use capability_resolution::{Constraints, ResolveRequest, Status, Time};

use super::{Moment, Resolver, Version, View};
use crate::lock;
use crate::observed::Outcome;
use crate::search::Hit;
use crate::server_file::HeldFiles;
use crate::snapshot::Listed;
use crate::standing::Statement;
use crate::store::{Server, ServerId, StoreError};

/// Servers as the store has them at one of its versions.
#[derive(Default)]
pub(super) struct CurrentServers {
    version: Option<Version>,
    servers: HashMap<ServerId, Option<Arc<CurrentServer>>>,
}

struct CurrentServer {
    server: Server,
    files: HeldFiles,
}

/// A server that is stated of, and what else constraints ask for.
pub(super) struct Stated {
    pub(super) statement: Statement,
    no_payment: bool,
    last: (Time, Outcome),
}

/// How many servers are remembered for one version of the store.
const CURRENT_MAX: usize = 16_384;

impl Resolver {
    /// The best ten servers that may be stated and meet the constraints; those that answered before those that did not.
    pub(super) fn choose(
        &self,
        moment: &Moment,
        request: &ResolveRequest,
    ) -> Result<Vec<(Hit, Statement)>, StoreError> {
        let (mut chosen, mut others, mut failed) = (Vec::new(), Vec::new(), None);
        let mut keep = |hit: &Hit| match self.consider(moment, hit, request.constraints) {
            Ok(Some(statement)) => {
                let rank = rank(statement.observation().status);
                if rank == 0 {
                    chosen.push((hit.clone(), statement));
                } else if others.len() < CANDIDATES_MAX {
                    others.push((hit.clone(), statement));
                }
                rank == 0
            }
            Ok(None) => false,
            Err(error) => {
                failed = Some(error);
                false
            }
        };
        moment
            .view
            .snapshot
            .index()
            .find(request.need.as_str(), CANDIDATES_MAX, &mut keep);
        if let Some(error) = failed {
            return Err(error);
        }
        others.sort_by_key(|(_, statement)| rank(statement.observation().status));
        chosen.extend(others);
        chosen.truncate(CANDIDATES_MAX);
        Ok(chosen)
    }

    /// The same servers once more, if each still fits at its place.
    pub(super) fn choose_again(
        &self,
        moment: &Moment,
        hits: &[Hit],
        constraints: Constraints,
    ) -> Result<Option<Vec<(Hit, Statement)>>, StoreError> {
        let mut chosen = Vec::with_capacity(hits.len());
        for hit in hits {
            match self.consider(moment, hit, constraints)? {
                Some(statement) => chosen.push((hit.clone(), statement)),
                None => return Ok(None),
            }
        }
        let in_order =
            chosen.is_sorted_by_key(|(_, statement)| rank(statement.observation().status));
        Ok(in_order.then_some(chosen))
    }

    /// What is stated of a server, if it meets the constraints: `constraint.honoured`.
    fn consider(
        &self,
        moment: &Moment,
        hit: &Hit,
        constraints: Constraints,
    ) -> Result<Option<Statement>, StoreError> {
        let meets = |stated: &Stated, listed: &Listed| meets(constraints, stated, listed, hit);
        let stated = self.state(moment, hit.document, &meets)?;
        Ok(stated.map(|stated| stated.statement))
    }

    /// What may be stated of a server of the snapshot, if it `meets` what is asked for.
    pub(super) fn state(
        &self,
        moment: &Moment,
        document: u32,
        meets: &dyn Fn(&Stated, &Listed) -> bool,
    ) -> Result<Option<Stated>, StoreError> {
        let View {
            snapshot, version, ..
        } = &moment.view;
        let allowed = |listed: &&Listed| {
            self.settings.allow_loopback || !listed.server.url.origin().is_loopback()
        };
        let Some(listed) = snapshot.listed(document).filter(allowed) else {
            return Ok(None);
        };
        // The snapshot first: it costs nothing, and keeps a request whose constraints nobody meets off the store.
        let stated = Stated::of(&listed.server, snapshot.files(), moment.now);
        let stated = stated.filter(|stated| meets(stated, listed));
        if stated.is_none() || moment.version == *version {
            return Ok(stated);
        }
        let Some(current) = self.current(moment, &listed.server)? else {
            return Ok(None);
        };
        let stated = Stated::of(&current.server, &current.files, moment.now);
        Ok(stated.filter(|stated| meets(stated, listed)))
    }

    /// A server as the store has it now.
    fn current(
        &self,
        moment: &Moment,
        server: &Server,
    ) -> Result<Option<Arc<CurrentServer>>, StoreError> {
        {
            let known = lock::lock(&self.current);
            if known.version == Some(moment.version)
                && let Some(current) = known.servers.get(&server.id)
            {
                return Ok(current.clone());
            }
        }
        let issuer = &self.settings.identity.issuer;
        let (version, current) = self.reader.with(|version, store| {
            // An id means a server of one store only.
            let found = store.server(server.id)?.filter(|found| {
                version.is_of_same_store(moment.version) && found.url == server.url
            });
            let Some(found) = found else {
                return Ok((version, None));
            };
            let files = HeldFiles::of(&found.url, store, issuer, moment.now)?;
            let current = CurrentServer {
                server: found,
                files,
            };
            Ok((version, Some(Arc::new(current))))
        })?;
        let mut known = lock::lock(&self.current);
        if known.version != Some(version) || known.servers.len() >= CURRENT_MAX {
            *known = CurrentServers {
                version: Some(version),
                servers: HashMap::new(),
            };
        }
        known.servers.insert(server.id, current.clone());
        Ok(current)
    }
}

impl Stated {
    fn of(server: &Server, files: &HeldFiles, now: Time) -> Option<Self> {
        Some(Self {
            statement: files.denials().statement(server, now)?,
            no_payment: files.no_payment().holds(&server.url, now),
            last: server.standing()?.last(),
        })
    }
}

/// The four constraints: `constraint.names`. What is not known is not met.
fn meets(constraints: Constraints, stated: &Stated, listed: &Listed, hit: &Hit) -> bool {
    let status = stated.statement.observation().status;
    // `constraint.read-only`: the tools of the snapshot are those of the last observation, and it listed some.
    let is_last_list = || {
        let listed_at = listed.server.standing().map(|standing| standing.last());
        listed_at == Some(stated.last) && stated.last.1 == Outcome::Ok
    };
    let handshake_fits = |limit: u32| {
        stated
            .statement
            .handshake_ms()
            .is_some_and(|took| took <= limit)
    };
    (!constraints.no_sign_in || status == Status::Ok)
        && (!constraints.read_only || (is_last_list() && listed.marks_read_only(&hit.tools)))
        && constraints
            .max_handshake
            .is_none_or(|limit| handshake_fits(limit.milliseconds()))
        && (!constraints.no_payment || stated.no_payment)
}

/// Servers that answered come first, then those of which nothing is settled, then those that are down.
fn rank(status: Status) -> u8 {
    match status {
        Status::Ok | Status::SignIn => 0,
        Status::Unknown => 1,
        Status::Down => 2,
    }
}
