//! Which URLs are asked at all.

use capability_resolution::{ServerUrl, ServerUrlError};
use guarded_fetch::Url;

/// The URL of a server that may be observed: `mcp.template`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(Url);

impl Target {
    /// A server URL. The fetcher refuses it all the same where its host is not public.
    ///
    /// # Errors
    /// Never for a [`ServerUrl`] as the text has it; the URL Standard is a second judge, and it may refuse.
    pub fn server(url: &ServerUrl) -> Result<Self, TargetError> {
        let text = url.as_str();
        match Url::parse(text) {
            Ok(parsed) if parsed.as_str() == text => Ok(Self(parsed)),
            _ => Err(TargetError::Form(ServerUrlError::Form(
                "a parser of the URL Standard changes it",
            ))),
        }
    }

    /// `http://127.0.0.1:PORT/...` or `http://localhost:PORT/...`, for development: `origin.loopback`.
    ///
    /// # Errors
    /// [`TargetError::Loopback`].
    pub fn loopback(text: &str) -> Result<Self, TargetError> {
        let url = Url::parse(text).map_err(|_| TargetError::Loopback)?;
        let is_loopback = matches!(url.host_str(), Some("127.0.0.1" | "localhost"));
        let is_unchanged = url.as_str() == text || url.as_str().strip_suffix('/') == Some(text);
        (url.scheme() == "http" && is_loopback && is_unchanged)
            .then_some(Self(url))
            .filter(|target| target.0.username().is_empty() && target.0.password().is_none())
            .ok_or(TargetError::Loopback)
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }
}

impl std::str::FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        Self::server(&text.parse()?)
    }
}

/// Why a URL is not asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// It is no server URL; a URL with a placeholder is none.
    #[error("no request is sent there (rule mcp.template): {0}")]
    Form(#[from] ServerUrlError),
    /// It is none of the URLs that the development switch allows.
    #[error(
        "no request is sent there: expected http://127.0.0.1:PORT/ or http://localhost:PORT/ and \
         perhaps a path and a query (rule origin.loopback)"
    )]
    Loopback,
}

impl TargetError {
    /// The stable name of the kind of error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Form(_) => "url-invalid",
            Self::Loopback => "loopback-url-invalid",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[mcp.template] r[mcp.server]
    #[test]
    fn a_url_with_a_placeholder_is_no_target() {
        for good in ["https://a.example/mcp", "https://[2001:db8::1]/?x=1"] {
            assert!(good.parse::<Target>().is_ok(), "{good}");
        }
        for bad in [
            "https://a.example/{tenant}/mcp",
            "https://{tenant}.example/mcp",
            "https://a.example/<tenant>/mcp",
            "https://a.example/mcp?key={key}",
            "http://a.example/mcp",
            "https://a.example",
            "stdio:server",
        ] {
            let error = bad.parse::<Target>().expect_err(bad);
            assert_eq!(error.code(), "url-invalid", "{bad}");
        }
    }

    // r[origin.loopback]
    #[test]
    fn the_development_switch_allows_loopback_alone() {
        assert!(Target::loopback("http://127.0.0.1:8000/mcp").is_ok());
        assert!(Target::loopback("http://localhost:8000").is_ok());
        for bad in [
            "http://127.0.0.2:8000/mcp",
            "http://a.example/mcp",
            "https://127.0.0.1/mcp",
            "http://user@127.0.0.1:8000/mcp",
            "http://127.0.0.1:8000/{x}",
            "http://127.1:8000/",
        ] {
            assert_eq!(Target::loopback(bad), Err(TargetError::Loopback), "{bad}");
        }
    }
}
