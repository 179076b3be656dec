//! Blocks: section 11.4 of the text.

use std::collections::HashSet;

use capability_resolution::text::is_white_space;

use super::line::{FieldLine, Value, pieces};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::field::Field;
use crate::file::{Endpoint, EndpointUrl, Job, Jobs, Word};
use crate::limits::{ENDPOINTS_MAX, JOBS_MAX};
use crate::scope::Scope;

/// The blocks that were read, and the one that is read.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    endpoints: Vec<Endpoint>,
    open: Option<Block>,
    count: usize,
    /// The URLs of blocks that lack something else.
    incomplete: Vec<EndpointUrl>,
    /// All URLs, once there are more than a file may have.
    many: HashSet<String>,
}

/// A block with what was read of it.
#[derive(Debug)]
struct Block {
    /// A finding at the name of its Endpoint, to be made under the code that it gets.
    name: Diagnostic,
    url: Option<EndpointUrl>,
    protocol: Slot,
    sign_in: Slot,
    payment: Slot,
    has_jobs: bool,
    jobs: JobList,
}

/// A field that stands at most once in a block.
#[derive(Debug, Default)]
struct Slot {
    present: bool,
    word: Option<Word>,
}

impl Blocks {
    /// Whether an Endpoint was read: the header is over.
    pub(super) fn has_started(&self) -> bool {
        self.count > 0
    }

    /// Whether the open block has a field.
    pub(super) fn has(&self, field: Field) -> bool {
        self.open.as_ref().is_some_and(|block| match field {
            Field::Protocol => block.protocol.present,
            Field::SignIn => block.sign_in.present,
            Field::Payment => block.payment.present,
            _ => false,
        })
    }

    /// Starts a block at an Endpoint, whose value may not have been read.
    pub(super) fn start(
        &mut self,
        named: &FieldLine<'_>,
        value: Option<&Value<'_>>,
        scope: &Scope,
        found: &mut Vec<Diagnostic>,
    ) {
        self.finish(found);
        self.count += 1;
        if self.count == ENDPOINTS_MAX + 1 {
            found.push(named.at_name(Code::TooManyEndpoints));
        }
        let url = value.and_then(|value| match value.text.parse::<EndpointUrl>() {
            Ok(url) => {
                if url.has_query() {
                    found.push(value.diagnostic(Code::EndpointQuery));
                }
                if self.has_url(&url) {
                    found.push(value.diagnostic(Code::DuplicateEndpoint));
                }
                if !scope.covers(url.host()) {
                    found.push(value.diagnostic(Code::EndpointOutOfScope));
                }
                Some(url)
            }
            Err(e) => {
                found.push(value.diagnostic(e.code()));
                None
            }
        });
        self.open = Some(Block {
            name: named.at_name(Code::MissingProtocol),
            url,
            protocol: Slot::default(),
            sign_in: Slot::default(),
            payment: Slot::default(),
            has_jobs: false,
            jobs: JobList::default(),
        });
    }

    /// Reads another field of the open block, whose value may not have been read.
    pub(super) fn read(
        &mut self,
        field: Field,
        value: Option<&Value<'_>>,
        found: &mut Vec<Diagnostic>,
    ) {
        let Some(block) = &mut self.open else { return };
        let (slot, known): (_, &[&str]) = match field {
            Field::Protocol => (&mut block.protocol, &["mcp"]),
            Field::SignIn => (&mut block.sign_in, &["none", "required"]),
            Field::Payment => (&mut block.payment, &["none", "required"]),
            _ => {
                block.has_jobs = true;
                if let Some(value) = value
                    && block.jobs.read(value, found)
                {
                    found.push(block.name.under(Code::TooManyJobs));
                }
                return;
            }
        };
        slot.present = true;
        match value.map(|value| (value, value.text.parse::<Word>())) {
            Some((value, Ok(word))) => {
                if !known.contains(&word.as_str()) {
                    found.push(value.diagnostic(Code::UnknownValue));
                }
                slot.word = Some(word);
            }
            Some((value, Err(e))) => found.push(value.diagnostic(e.code())),
            None => {}
        }
    }

    /// Ends the open block.
    pub(super) fn finish(&mut self, found: &mut Vec<Diagnostic>) {
        let Some(block) = self.open.take() else {
            return;
        };
        if !block.protocol.present {
            found.push(block.name);
        }
        if !block.has_jobs {
            found.push(block.name.under(Code::MissingJobs));
        }
        match (block.url, block.protocol.word) {
            (Some(url), Some(protocol)) => self.endpoints.push(Endpoint {
                url,
                protocol,
                jobs: Jobs::from_reader(block.jobs.kept),
                sign_in: block.sign_in.word,
                payment: block.payment.word,
            }),
            (Some(url), None) => self.incomplete.push(url),
            (None, _) => {}
        }
    }

    pub(super) fn into_endpoints(self) -> Vec<Endpoint> {
        self.endpoints
    }

    /// Whether an earlier block has the same URL. A few are compared one by one, which costs no memory; of more than a
    /// file may have a table is made, so that a hostile file costs no more time.
    fn has_url(&mut self, url: &EndpointUrl) -> bool {
        let mut earlier = self
            .endpoints
            .iter()
            .map(|e| &e.url)
            .chain(&self.incomplete);
        if self.count <= ENDPOINTS_MAX {
            return earlier.any(|other| other == url);
        }
        if self.many.is_empty() {
            self.many.extend(earlier.map(|url| url.as_str().to_owned()));
        }
        !self.many.insert(url.as_str().to_owned())
    }
}

/// The jobs of a block, without duplicates, and how many were counted.
#[derive(Debug, Default)]
struct JobList {
    kept: Vec<Job>,
    count: usize,
    /// A number for each of the first kept jobs, the same for jobs that are the same.
    marks: [u64; JOBS_MAX],
    /// All kept jobs as they are compared, once there are more than a block may have.
    many: HashSet<String>,
}

impl JobList {
    /// Reads a value of Jobs; says whether the block has too many since this one.
    fn read(&mut self, value: &Value<'_>, found: &mut Vec<Diagnostic>) -> bool {
        let before = self.count;
        self.kept
            .reserve_exact(value.text.matches(';').take(JOBS_MAX).count() + 1);
        for piece in pieces(value, ';', is_white_space) {
            self.count += 1;
            match Job::from_line(piece.text) {
                None => found.push(piece.diagnostic(Code::JobLength)),
                Some(job) if !self.is_new(&job) => found.push(piece.diagnostic(Code::DuplicateJob)),
                Some(job) => self.kept.push(job),
            }
        }
        before <= JOBS_MAX && self.count > JOBS_MAX
    }

    /// As with the URLs of blocks. Jobs are folded to be compared, so that each is marked first: only those with the
    /// same mark are.
    fn is_new(&mut self, job: &Job) -> bool {
        if let Some(free) = self.marks.get_mut(self.kept.len()) {
            let mark = job.folded().fold(0, |mark: u64, c| {
                (mark ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3)
            });
            *free = mark;
            let marked = self.kept.iter().zip(&self.marks);
            let mut same = marked.filter(|(_, other)| **other == mark);
            return !same.any(|(other, _)| other.folded().eq(job.folded()));
        }
        if self.many.is_empty() {
            let kept = self.kept.iter().map(|job| job.folded().collect());
            self.many.extend(kept);
        }
        self.many.insert(job.folded().collect())
    }
}
