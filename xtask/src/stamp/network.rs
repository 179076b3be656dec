//! The way out, for commands that ask a server one thing after another.

use std::process::Command;
use std::time::Duration;

use guarded_fetch::{Fetcher, Limits, Request, Url};
use tokio::runtime::{self, Runtime};

use super::{NetworkOptions, StampError};
use crate::repo::Repo;

/// A fetcher, and what runs it.
#[derive(Debug)]
pub struct Network {
    runtime: Option<Runtime>,
    fetcher: Fetcher,
}

impl Network {
    /// Opens nothing yet.
    ///
    /// # Errors
    /// If there is no contact, or the system gives no runtime.
    pub fn new(repo: &Repo, options: &NetworkOptions) -> Result<Self, StampError> {
        let contact = match &options.contact {
            Some(contact) => contact.clone(),
            None => origin(repo)?,
        };
        let total = Duration::from_secs(options.timeout);
        let fetcher = Fetcher::builder(
            concat!("capability-resolution-xtask/", env!("CARGO_PKG_VERSION")),
            &contact,
        )
        .limits(Limits {
            connect: total.min(Duration::from_secs(10)),
            head: total,
            idle: total,
            total,
            ..Limits::default()
        })
        .allow_loopback(options.allow_loopback)
        .build()?;
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StampError::Runtime {
            detail: error.to_string(),
        })?;
        Ok(Self {
            runtime: Some(runtime),
            fetcher,
        })
    }

    /// Sends a request and takes the body of an answer with status 200 and one of the media types; any, if none is given.
    ///
    /// # Errors
    /// [`StampError::Fetch`], [`StampError::Status`] or [`StampError::MediaType`].
    pub fn fetch(&self, request: Request, media_types: &[&str]) -> Result<Vec<u8>, StampError> {
        let Some(runtime) = &self.runtime else {
            return Err(StampError::Runtime {
                detail: "it was shut down".to_owned(),
            });
        };
        runtime.block_on(async {
            let response = self.fetcher.send(request).await?;
            let url = response.shown_url().to_string();
            if response.status() != 200 {
                let status = response.status();
                let location = response
                    .headers()
                    .get("location")
                    .filter(|_| status.is_redirection());
                return Err(StampError::Status {
                    url,
                    status: status.as_u16(),
                    location: location.map(|to| shown(response.url(), to.as_bytes())),
                });
            }
            let found = response.media_type();
            if !media_types.is_empty()
                && !found
                    .as_deref()
                    .is_some_and(|found| media_types.contains(&found))
            {
                return Err(StampError::MediaType {
                    url,
                    expected: media_types.join(" or "),
                    found: found.map_or_else(
                        || "none".to_owned(),
                        |found| found.escape_debug().take(100).collect(),
                    ),
                });
            }
            Ok(response.bytes().await?)
        })
    }
}

/// A name server that does not answer must not keep the command from ending.
impl Drop for Network {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn shown(from: &Url, location: &[u8]) -> String {
    let text = String::from_utf8_lossy(location);
    match from.join(&text) {
        Ok(url) => guarded_fetch::ShownUrl::from(&url).to_string(),
        Err(_) => guarded_fetch::ShownUrl::from_text(&text).to_string(),
    }
}

/// The https address of the remote `origin`, which is where this clone's maintainers are found.
fn origin(repo: &Repo) -> Result<String, StampError> {
    let none = |reason: String| StampError::Contact { reason };
    let output = Command::new("git")
        .arg("-C")
        .arg(repo.root())
        .args(["remote", "get-url", "origin"])
        .output();
    let output = output.map_err(|error| none(format!("`git remote get-url origin`: {error}")))?;
    if !output.status.success() {
        return Err(none("the clone has no git remote `origin`".to_owned()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    web_address(text.trim())
        .ok_or_else(|| none("the git remote `origin` is no web address".to_owned()))
}

/// `https://host/path`, without what may be secret in a remote's URL.
fn web_address(remote: &str) -> Option<String> {
    let https = match remote
        .strip_prefix("git@")
        .and_then(|rest| rest.split_once(':'))
    {
        Some((host, path)) => format!("https://{host}/{path}"),
        None => remote.replacen("ssh://", "https://", 1),
    };
    let url = Url::parse(&https)
        .ok()
        .filter(|url| url.scheme() == "https")?;
    Some(format!(
        "https://{}{}",
        url.host_str()?,
        url.path().trim_end_matches(".git")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_becomes_a_web_address_without_its_secrets() {
        for (remote, expected) in [
            (
                "https://host.example/a/b.git",
                Some("https://host.example/a/b"),
            ),
            (
                "https://user:secret@host.example/a/b",
                Some("https://host.example/a/b"),
            ),
            ("git@host.example:a/b.git", Some("https://host.example/a/b")),
            (
                "ssh://git@host.example:22/a/b.git",
                Some("https://host.example/a/b"),
            ),
            ("/srv/clone", None),
            ("../clone", None),
            ("file:///srv/clone", None),
            ("http://host.example/a", None),
            ("", None),
        ] {
            assert_eq!(web_address(remote).as_deref(), expected, "{remote}");
        }
    }
}
