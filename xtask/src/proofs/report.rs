//! What `verify-proofs` found, as values: printed for people by [`human`](super::human), for programs as they are.

use command_console::{Diagnostic, Outcome};
use serde::{Serialize, Serializer};

use crate::repo::RepoError;

/// The verdict over a thing that was checked. The larger of two is that of both together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds.
    #[default]
    Valid,
    /// It could not be told.
    Unknown,
    /// It does not hold.
    Invalid,
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Valid => Self::True,
            Verdict::Unknown => Self::Unknown,
            Verdict::Invalid => Self::False,
        }
    }
}

/// Something that is false, or could not be told.
#[derive(Debug, Clone, Serialize)]
pub struct Problem {
    /// [`Verdict::Invalid`] or [`Verdict::Unknown`].
    pub verdict: Verdict,
    /// What it is, and what to do.
    #[serde(flatten)]
    pub diagnostic: Box<Diagnostic>,
}

impl Problem {
    /// Something is false.
    #[must_use]
    pub fn invalid(diagnostic: impl Into<Box<Diagnostic>>) -> Self {
        Self {
            verdict: Verdict::Invalid,
            diagnostic: diagnostic.into(),
        }
    }

    /// It could not be told.
    #[must_use]
    pub fn unknown(diagnostic: impl Into<Box<Diagnostic>>) -> Self {
        Self {
            verdict: Verdict::Unknown,
            diagnostic: diagnostic.into(),
        }
    }

    /// The file or folder `path` cannot be read.
    #[must_use]
    pub fn unreadable(path: &str, error: &RepoError) -> Self {
        let why = match error {
            RepoError::Io { source, .. } => source.to_string(),
            RepoError::TooLarge { limit, .. } => format!("it has more than {limit} bytes"),
            other => other.to_string(),
        };
        Self::unknown(Diagnostic::error("unreadable", format!("{path} cannot be read")).note(why))
    }
}

/// The verdict over several problems.
pub(super) fn worst<'a>(problems: impl IntoIterator<Item = &'a Problem>) -> Verdict {
    problems
        .into_iter()
        .map(|problem| problem.verdict)
        .max()
        .unwrap_or_default()
}

/// Everything that was found.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// The verdict over all of it.
    pub verdict: Verdict,
    /// The versions that were asked for, oldest first.
    pub versions: Vec<VersionReport>,
    /// What others state about their texts.
    pub upstream: Vec<UpstreamReport>,
    /// What is wrong outside any version.
    pub problems: Vec<Problem>,
}

/// What was found of one version.
#[derive(Debug, Clone, Serialize)]
pub struct VersionReport {
    /// The version.
    pub version: String,
    /// The verdict over its files and proofs.
    pub verdict: Verdict,
    /// How many files the manifest lists.
    pub files_listed: usize,
    /// How many of them are on disk with the frozen bytes.
    pub files_frozen: usize,
    /// SHA-256 of the manifest, which is what is stamped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_sha256: Option<String>,
    /// Whether a proof of the manifest by somebody independent holds.
    pub independent: bool,
    /// Its proofs, by file name.
    pub proofs: Vec<ProofReport>,
    /// The authorities to which a request is ready, and whose answer is not here.
    pub unanswered: Vec<String>,
    /// The checks of its files that ran and passed, in order.
    pub checks: Vec<String>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// What was found of one proof.
#[derive(Debug, Clone, Serialize)]
pub struct ProofReport {
    /// The proof's path.
    pub path: String,
    /// The path of the file that it is a proof of.
    pub stamped: String,
    /// What kind of proof it is.
    pub kind: ProofKind,
    /// The authority's name, or `bitcoin`.
    pub by: String,
    /// Who that is, in a few words.
    #[serde(skip)]
    pub described: String,
    /// Whether it is somebody else than who stamps.
    pub independent: bool,
    /// What it proves.
    pub state: ProofState,
    /// The checks that ran and passed, in order.
    pub checks: Vec<String>,
    /// The same checks with public tools, one command a line.
    pub by_hand: Vec<String>,
}

/// The kinds of proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofKind {
    /// An RFC 3161 time-stamp.
    Rfc3161,
    /// An OpenTimestamps proof.
    Opentimestamps,
}

/// What a proof proves.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofState {
    /// The file existed no later than this.
    Proven(Proven),
    /// Calendars have promised a block, and none is in the proof.
    Pending {
        /// The calendars' addresses.
        calendars: Vec<String>,
    },
    /// It leads to a block whose header is not at hand.
    Unchecked {
        /// The height of the lowest block.
        height: u64,
        /// The merkle root that this block has if the proof is true, as block explorers print it.
        #[serde(skip_serializing_if = "Option::is_none")]
        merkle_root: Option<String>,
    },
    /// It could not be told, see the version's problems.
    Unknown,
    /// It is false, see the version's problems.
    Invalid,
}

impl ProofState {
    /// Of a proof that is no proof, because of this.
    pub(super) fn of(problem: &Problem) -> Self {
        match problem.verdict {
            Verdict::Invalid => Self::Invalid,
            _ => Self::Unknown,
        }
    }
}

/// The claim of a proof that holds.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Proven {
    /// What an RFC 3161 time-stamp says.
    Timestamp {
        /// TSTInfo.genTime, RFC 3339 in UTC.
        gen_time: String,
        /// How far the authority's clock may be off, if it says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        accuracy: Option<String>,
        /// The subject of the certificate that signed.
        signer: String,
        /// The time-stamp's serial number.
        serial: String,
        /// The time-stamp's policy.
        policy: String,
    },
    /// What the header of a Bitcoin block says.
    Block {
        /// The block's height.
        height: u64,
        /// The header's time, RFC 3339 in UTC.
        time: String,
        /// The base-2 logarithm of the hashes that the header took, about.
        work_bits: u32,
    },
}

/// What others state about a text of theirs, and whether it is so.
#[derive(Debug, Clone, Serialize)]
pub struct UpstreamReport {
    /// The version of the text.
    pub version: String,
    /// Who published it.
    pub publisher: String,
    /// Its stated SHA-256 digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The stated time of its RFC 3161 time-stamp.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "display")]
    pub timestamp: Option<toml::value::Datetime>,
    /// Whose time-stamp it is said to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp_by: Option<String>,
    /// The Bitcoin block that it is said to be in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bitcoin_block: Option<u64>,
    /// Whether the bytes were given.
    pub bytes: UpstreamBytes,
}

/// Whether the bytes of another's text were given, and are the stated ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpstreamBytes {
    /// They are not in this repository, and nobody gave them.
    NotHeld,
    /// They were given, and have the stated digest.
    AsStated,
    /// They were given, and have another digest.
    Different,
    /// They were given, and nothing can be told of them.
    Unknown,
}

fn display<S: Serializer>(
    time: &Option<toml::value::Datetime>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serializer.collect_str(time),
        None => serializer.serialize_none(),
    }
}
