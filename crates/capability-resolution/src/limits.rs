//! Every limit of the protocol, with the rule that sets it.

/// Fewest characters of a need: `resolve.need.length`.
pub const NEED_MIN_CHARACTERS: usize = 3;
/// Most characters of a need: `resolve.need.length`.
pub const NEED_MAX_CHARACTERS: usize = 200;
/// Most candidates in an answer: `resolve.answer.count`.
pub const CANDIDATES_MAX: usize = 10;
/// Most bytes of a discovery document: `discovery.size`.
pub const DISCOVERY_MAX_BYTES: usize = 65_536;
/// Most entries of `keys`: `discovery.keys.count`.
pub const KEYS_MAX: usize = 32;
/// Most bytes of an answer: `resolve.answer.size`.
pub const ANSWER_MAX_BYTES: usize = 262_144;
/// Most bytes of a record: `record.size`.
pub const RECORD_MAX_BYTES: usize = 65_536;
/// Most bytes of a token: `token.length`.
pub const TOKEN_MAX_BYTES: usize = 8_192;
/// Longest life of a token in seconds: `token.exp.max-life`.
pub const TOKEN_MAX_LIFE_SECONDS: u64 = 172_800;
/// Oldest observation, in seconds before `iat`: `status.max-age`.
pub const OBSERVATION_MAX_AGE_SECONDS: u64 = 86_400;
/// How far clocks may differ, in seconds, the boundary included: `time.leeway`.
pub const LEEWAY_SECONDS: u64 = 300;
/// Largest numeric time in seconds since 1970: `time.numeric`.
pub const NUMERIC_TIME_MAX: u64 = 9_007_199_254_740_991;
/// Most bytes of a server URL: `url.form`.
pub const SERVER_URL_MAX_BYTES: usize = 2_048;
/// Deepest nesting of JSON, the outermost value counted as 1: `json.depth`.
pub const JSON_MAX_DEPTH: usize = 32;
/// Most characters of a `kid`: `token.kid.form`, `discovery.keys.usable`.
pub const KID_MAX_CHARACTERS: usize = 128;
/// Most characters of a resolver's name: `discovery.name`.
pub const RESOLVER_NAME_MAX_CHARACTERS: usize = 100;
/// Most characters of a server's name: `record.name`.
pub const SERVER_NAME_MAX_CHARACTERS: usize = 200;
/// Largest value of the constraint `max_handshake_ms`, in milliseconds: `constraint.names`.
pub const HANDSHAKE_MAX_MILLISECONDS: u32 = 60_000;
/// Most characters of a record's id: `record.id`.
pub const RECORD_ID_MAX_CHARACTERS: usize = 64;
