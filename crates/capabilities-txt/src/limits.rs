//! Every limit of a server file, with the rule that sets it.

/// Most bytes of a file for the strict reader: `captxt.size`.
pub const FILE_MAX_BYTES: usize = 65_536;
/// Most bytes that the deny reader reads, and that a resolver fetches: `captxt.deny.scan-limit`, `captxt.fetch.limit`.
pub const SCAN_MAX_BYTES: usize = 524_288;
/// Most bytes of a line without its line end: `captxt.line-length`.
pub const LINE_MAX_BYTES: usize = 4_096;
/// Most entries of Resolvers: `captxt.resolvers.count`.
pub const RESOLVERS_MAX: usize = 100;
/// Most blocks: `captxt.block.count`.
pub const ENDPOINTS_MAX: usize = 100;
/// Most characters of an endpoint's URL as it is written: `captxt.endpoint.form`.
pub const ENDPOINT_MAX_CHARACTERS: usize = 2_048;
/// Fewest characters of a job: `captxt.jobs`.
pub const JOB_MIN_CHARACTERS: usize = 3;
/// Most characters of a job: `captxt.jobs`.
pub const JOB_MAX_CHARACTERS: usize = 200;
/// Most jobs of a block: `captxt.jobs.count`.
pub const JOBS_MAX: usize = 20;
/// Most characters of the value of Protocol, Sign-in and Payment: `captxt.token`.
pub const WORD_MAX_CHARACTERS: usize = 32;
/// An Expires later than this many seconds after now is warned about: `captxt.expires.far`.
pub const EXPIRES_FAR_SECONDS: u64 = 366 * 86_400;
/// A Public Suffix List that is older than so many seconds is to be replaced: `captxt.scope.psl-age`.
pub const SUFFIXES_MAX_AGE_SECONDS: i64 = 30 * 86_400;
/// Most redirects: `captxt.fetch.redirect`.
pub const REDIRECTS_MAX: usize = 5;
/// A file is fetched again after this many seconds: `captxt.fetch.cache`.
pub const CACHE_SECONDS: u64 = 86_400;
/// How many seconds the last known state holds without an answer: `captxt.fetch.unreachable`.
pub const UNREACHABLE_SECONDS: u64 = 30 * 86_400;
