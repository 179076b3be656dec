//! The list of benches. To add one, add an entry; whatever benchmarks it holds are found.

use serde_json::Value;

use super::{Aim, Bench, BenchError, Limit, Peer};
use crate::repo::{self, Repo};

/// The vector whose token is verified, by the crate's bench and by every peer.
const TOKEN: (&str, &str) = ("test-vectors/draft/token.json", "token-plain");

/// How the libraries beside the token bench are installed.
const LIBRARIES: &str = "python3 interop/libraries/measure.py --install";

/// Where they install the Python that runs them.
const PYTHON: &str = "interop/libraries/.venv/bin/python3";

/// Why garbage that is sound JSON is dearer.
const WHOLE: &str = "sound JSON, which the text has read to its end before it says what is missing";

/// Every bench.
pub const BENCHES: &[Bench] = &[
    Bench {
        package: "capability-resolution",
        target: "token",
        ours: "token/verify",
        aims: &[
            Aim {
                of: "token/verify",
                limit: Limit::Ratio {
                    to: "token/verify_strict alone",
                    most: 1.1,
                },
                known_miss: None,
            },
            per_kib("garbage/random bytes", None),
            per_kib("garbage/one long segment", None),
            per_kib("garbage/header of brackets", None),
            per_kib("garbage/header of members", Some(WHOLE)),
            per_kib("garbage/header of escapes", Some(WHOLE)),
            per_kib("garbage/header of numbers", Some(WHOLE)),
        ],
        peers: &[
            Peer {
                name: "jose",
                command: &["node", "interop/libraries/with_jose.mjs"],
                installed: "interop/libraries/node_modules/jose",
                install: LIBRARIES,
            },
            Peer {
                name: "PyJWT",
                command: &[PYTHON, "interop/libraries/with_pyjwt.py"],
                installed: PYTHON,
                install: LIBRARIES,
            },
            Peer {
                name: "joserfc",
                command: &[PYTHON, "interop/libraries/with_joserfc.py"],
                installed: PYTHON,
                install: LIBRARIES,
            },
            Peer {
                name: "jsonwebtoken, with ES256 for want of EdDSA",
                command: &["node", "interop/libraries/with_jsonwebtoken.mjs"],
                installed: "interop/libraries/node_modules/jsonwebtoken",
                install: LIBRARIES,
            },
        ],
        input: token,
    },
    Bench {
        package: "capability-resolver-client",
        target: "call",
        ours: "call/ten verifications",
        aims: &[
            // Under 50 microseconds beside the ten tokens, which take some 480.
            Aim {
                of: "call/warm",
                limit: Limit::Ratio {
                    to: "call/ten verifications",
                    most: 1.1,
                },
                known_miss: None,
            },
            // The ten tokens are most of a cold call on loopback.
            Aim {
                of: "call/cold",
                limit: Limit::Ratio {
                    to: "call/ten verifications",
                    most: 2.0,
                },
                known_miss: None,
            },
        ],
        peers: &[],
        input: |_| Ok(Value::Object(serde_json::Map::new())),
    },
    Bench {
        package: "capabilities-txt",
        target: "readers",
        ours: "64 KiB/strict reader",
        aims: &[],
        peers: &[],
        input: |_| Ok(Value::Object(serde_json::Map::new())),
    },
];

/// Refusing what is no token: under 2 microseconds for 1,024 bytes.
const fn per_kib(of: &'static str, known_miss: Option<&'static str>) -> Aim {
    Aim {
        of,
        limit: Limit::PerKib(2_000.0),
        known_miss,
    }
}

/// The input of the vector [`TOKEN`].
fn token(repo: &Repo) -> Result<Value, BenchError> {
    let (path, id) = TOKEN;
    let expected = |detail: String| BenchError::Json {
        path: path.to_owned(),
        detail,
    };
    let file: Value = serde_json::from_slice(&repo::read(&repo.path(path))?)
        .map_err(|error| expected(error.to_string()))?;
    let tests = file["tests"].as_array();
    tests
        .into_iter()
        .flatten()
        .find(|test| test["id"] == id)
        .map(|test| test["input"].clone())
        .ok_or_else(|| expected(format!("it has no vector {id}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_table_names_is_there() {
        let repo = Repo::find().unwrap();
        for bench in BENCHES {
            assert!((bench.input)(&repo).unwrap().is_object());
            let folder = format!("crates/{}/benches", bench.package);
            assert!(
                repo.path(&format!("{folder}/{}.rs", bench.target))
                    .is_file()
            );
            for peer in bench.peers {
                let program = peer.command[peer.command.len() - 1];
                assert!(repo.path(program).is_file(), "{program}");
            }
        }
    }
}
