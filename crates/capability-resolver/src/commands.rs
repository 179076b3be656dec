//! One module a command: its arguments, and what it does.

pub(crate) mod demo;
pub(crate) mod forget;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod keys;
pub(crate) mod observe;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod status;

use capability_resolution::Time;
use command_console::{Console, Diagnostic};

use crate::server_file::outdated_suffixes;

/// Warns of an outdated Public Suffix List: it says for which hosts a server file speaks.
fn warn_of_suffixes(now: Time, console: &mut Console) {
    if let Some(made) = outdated_suffixes(now) {
        let message = format!(
            "the Public Suffix List of this program is of {made}, more than 30 days ago (rule captxt.scope.psl-age)"
        );
        let help = "a newer version of this program has a newer list";
        console.talk(Diagnostic::warning("suffixes-outdated", message).help(help));
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use command_console::messages;

    use super::*;
    use crate::http::TlsError;
    use crate::import::ImportError;
    use crate::keys::KeyError;
    use crate::network::NetworkError;
    use crate::observe::ObserveError;
    use crate::pages::PageError;
    use crate::store::StoreError;

    fn source() -> io::Error {
        io::Error::other("what the system says")
    }

    #[test]
    fn messages_of_files() {
        let path = || "DIR/file".into();
        let said = messages(&[
            &init::InitError::Unwritable {
                folder: path(),
                source: source(),
            },
            &observe::LockError::Unlocked {
                path: path(),
                source: source(),
            },
            &KeyError::Unreadable {
                path: path(),
                source: source(),
            },
            &KeyError::Unwritable {
                path: path(),
                source: source(),
            },
            &KeyError::Form {
                path: path(),
                why: "x is not the public half of d".to_owned(),
            },
            &KeyError::Random("what the system says".to_owned()),
            &KeyError::None { folder: path() },
            &TlsError::Unreadable {
                path: path(),
                source: source(),
            },
            &TlsError::Form {
                path: path(),
                what: "certificate",
            },
            &TlsError::Mode {
                path: path(),
                mode: 0o644,
            },
            &TlsError::Pair {
                path: path(),
                why: rustls::Error::General("unknown kind of key".to_owned()),
            },
            &PageError::Unreadable {
                path: path(),
                source: source(),
            },
            &PageError::MediaType { path: path() },
            &PageError::Content {
                path: path(),
                what: "is not UTF-8".to_owned(),
                rule: "policy.page",
                place: None,
            },
            &ImportError::TooLong {
                name: "DIR/file".to_owned(),
            },
        ]);
        insta::assert_snapshot!(said);
    }

    #[test]
    fn messages_of_the_store() {
        let path = || "DIR/resolver.sqlite".into();
        let said = || rusqlite::Error::InvalidQuery;
        let said = messages(&[
            &StoreError::Open {
                path: path(),
                source: said(),
            },
            &StoreError::Gone { path: path() },
            &StoreError::Foreign { path: path() },
            &StoreError::Newer {
                path: path(),
                found: 99,
            },
            &StoreError::Full(said()),
            &StoreError::Busy(said()),
            &StoreError::Corrupt {
                what: "a status of nobody".to_owned(),
            },
            &StoreError::NoServer(7),
            &StoreError::Sqlite(said()),
            &StoreError::Folder(source()),
        ]);
        insta::assert_snapshot!(said);
    }

    #[test]
    fn messages_of_the_machine() {
        let said = messages(&[
            &NetworkError::Runtime(source()),
            &ObserveError::Machine("no certificate was found".to_owned()),
            &serve::ServeError::Runtime(source()),
            &demo::DemoError::Folder(source()),
            &demo::DemoError::Left {
                path: "DIR".into(),
                source: source(),
            },
            &demo::DemoError::Server(source()),
            &demo::DemoError::Answer("status 503".to_owned()),
        ]);
        insta::assert_snapshot!(said);
    }
}
