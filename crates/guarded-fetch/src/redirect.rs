//! Which redirects are followed: a choice, not code.

use http::{Method, StatusCode};
use url::Url;

/// Which redirects a request follows. Whatever is chosen, every hop is checked as the first URL
/// was, and https never becomes http.
///
/// A redirect is a status 301, 302, 303, 307 or 308 with a `Location` that is a URL reference. One
/// that the choice does not allow is [`crate::Error::RedirectRefused`], one too many is
/// [`crate::Error::TooManyRedirects`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Redirects {
    /// None: a redirecting answer is the answer.
    #[default]
    None,
    /// To any host over https, for GET and HEAD. A server file is read so (rule
    /// `captxt.fetch.redirect`).
    Https {
        /// The most hops.
        limit: u8,
    },
}

/// A redirect that was followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The status that redirected.
    pub status: StatusCode,
    /// The URL that answered so, with its query.
    pub from: Url,
}

/// What a redirecting answer leads to.
pub(crate) enum Step {
    /// It is the answer.
    Answer,
    Refused(Url),
    TooMany(u8),
    Go(Url),
}

impl Redirects {
    pub(crate) fn step(
        self,
        method: &Method,
        status: StatusCode,
        from: &Url,
        location: Option<&str>,
        hops: usize,
    ) -> Step {
        let limit = match self {
            Self::None => return Step::Answer,
            Self::Https { limit } => limit,
        };
        if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
            return Step::Answer;
        }
        let Some(Ok(to)) = location.map(|location| from.join(location)) else {
            return Step::Answer;
        };
        let allowed = matches!(*method, Method::GET | Method::HEAD)
            && (to.scheme() == "https" || from.scheme() == "http");
        if !allowed {
            Step::Refused(to)
        } else if hops >= usize::from(limit) {
            Step::TooMany(limit)
        } else {
            Step::Go(to)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(redirects: Redirects, method: &Method, status: u16, from: &str, to: &str) -> String {
        let from = Url::parse(from).unwrap();
        let status = StatusCode::from_u16(status).unwrap();
        match redirects.step(method, status, &from, Some(to), 0) {
            Step::Answer => "answer".to_owned(),
            Step::Refused(_) => "refused".to_owned(),
            Step::TooMany(_) => "too many".to_owned(),
            Step::Go(to) => to.to_string(),
        }
    }

    // r[captxt.fetch.redirect]
    #[test]
    fn any_host_over_https_but_no_body_and_no_downgrade() {
        let https = Redirects::Https { limit: 5 };
        let from = "https://a.example/x";
        for status in [301, 302, 303, 307, 308] {
            let step = |method: &Method, to: &str| step(https, method, status, from, to);
            assert_eq!(
                step(&Method::GET, "https://b.example/"),
                "https://b.example/"
            );
            assert_eq!(step(&Method::HEAD, "/y"), "https://a.example/y");
            assert_eq!(step(&Method::GET, "http://a.example/x"), "refused");
            assert_eq!(step(&Method::POST, "https://b.example/"), "refused");
            assert_eq!(step(&Method::GET, "https://"), "answer");
        }
        for status in [200, 300, 304, 305, 404] {
            assert_eq!(step(https, &Method::GET, status, from, "/y"), "answer");
        }
    }

    #[test]
    fn the_limit_counts_hops() {
        let from = Url::parse("https://a.example/").unwrap();
        let status = StatusCode::TEMPORARY_REDIRECT;
        for (redirects, hops, go) in [
            (Redirects::Https { limit: 5 }, 4, true),
            (Redirects::Https { limit: 5 }, 5, false),
            (Redirects::Https { limit: 0 }, 0, false),
        ] {
            let step = redirects.step(&Method::GET, status, &from, Some("/x"), hops);
            assert_eq!(matches!(step, Step::Go(_)), go);
            assert_eq!(matches!(step, Step::TooMany(_)), !go);
        }
    }
}
