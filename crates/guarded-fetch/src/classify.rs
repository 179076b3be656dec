//! Gives the errors of the libraries below their kind.

use std::error::Error as StdError;
use std::io;

use crate::error::shorten;
use crate::transport::AllowanceUsedUp;
use crate::{ConnectFailure, Error, ShownUrl};

pub(crate) fn connect_failed(error: &io::Error, url: &ShownUrl) -> Error {
    use io::ErrorKind as K;
    let failure = match error.kind() {
        K::ConnectionRefused => ConnectFailure::Refused,
        K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe | K::UnexpectedEof => {
            ConnectFailure::Reset
        }
        K::NetworkUnreachable | K::HostUnreachable | K::AddrNotAvailable | K::NetworkDown => {
            ConnectFailure::Unreachable
        }
        K::TimedOut => ConnectFailure::TimedOut,
        _ => ConnectFailure::Other,
    };
    Error::ConnectFailed {
        url: url.clone(),
        failure,
        detail: root_cause(error),
    }
}

/// A failure of the handshake: the peer's, the certificate's, or the connection's.
pub(crate) fn tls_failed(error: &io::Error, url: &ShownUrl) -> Error {
    find::<rustls::Error>(error).map_or_else(
        || connect_failed(error, url),
        |inner| tls_error(inner, root_cause(error), url),
    )
}

/// `received` is `None` before the body, and else the bytes that came of it.
pub(crate) fn exchange_failed(
    error: &hyper::Error,
    url: &ShownUrl,
    received: Option<u64>,
) -> Error {
    use io::ErrorKind as K;
    let detail = root_cause(error);
    let url = url.clone();
    // hyper tells a large head from a bad one only with its feature `server`, and in its message.
    let large = error.is_parse() && error.to_string().contains("too large");
    if large || find::<AllowanceUsedUp>(error).is_some() {
        return Error::HeadTooLarge { url };
    }
    if let Some(inner) = find::<rustls::Error>(error) {
        return tls_error(inner, detail, &url);
    }
    let received = received.unwrap_or(0);
    // A request is "canceled" by what happened to its connection.
    let error = causes(error)
        .filter_map(|cause| cause.downcast_ref::<hyper::Error>())
        .last()
        .unwrap_or(error);
    match find::<io::Error>(error).map(io::Error::kind) {
        Some(K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe) => Error::Reset {
            url,
            received,
            detail,
        },
        Some(K::UnexpectedEof) => Error::Truncated {
            url,
            received,
            detail,
        },
        // Chunks that cannot be read.
        Some(_) => Error::InvalidHttp { url, detail },
        None if error.is_incomplete_message() || error.is_canceled() || error.is_closed() => {
            Error::Truncated {
                url,
                received,
                detail,
            }
        }
        None => Error::InvalidHttp { url, detail },
    }
}

fn tls_error(error: &rustls::Error, detail: String, url: &ShownUrl) -> Error {
    Error::TlsFailed {
        url: url.clone(),
        certificate: matches!(
            error,
            rustls::Error::InvalidCertificate(_)
                | rustls::Error::NoCertificatesPresented
                | rustls::Error::UnsupportedNameType
        ),
        detail,
    }
}

/// The innermost message: the outer ones only repeat that something failed.
fn root_cause(error: &(dyn StdError + 'static)) -> String {
    let innermost = causes(error)
        .last()
        .map_or_else(String::new, ToString::to_string);
    shorten(&innermost, 200)
}

fn find<'a, T: StdError + 'static>(error: &'a (dyn StdError + 'static)) -> Option<&'a T> {
    causes(error).find_map(|cause| cause.downcast_ref::<T>())
}

/// The error and its causes, with those that an [`io::Error`] wraps but does not name as source.
fn causes<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| {
        match error.downcast_ref::<io::Error>() {
            Some(wrapper) => wrapper
                .get_ref()
                .map(|inner| -> &(dyn StdError + 'static) { inner }),
            None => error.source(),
        }
    })
    .take(16)
}
