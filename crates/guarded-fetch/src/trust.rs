//! Which certificates are believed: those that the system's roots vouch for, and the caller's.

use std::sync::Arc;

use rustls::client::Resumption;
use rustls::pki_types::CertificateDer;
use rustls_platform_verifier::Verifier;
use tokio_rustls::TlsConnector;

use crate::Error;
use crate::error::setup;

#[derive(Clone)]
pub(crate) struct Trust {
    pub(crate) connector: TlsConnector,
    /// Neither the system nor the caller has a root.
    pub(crate) rootless: bool,
}

impl Trust {
    pub(crate) fn new(roots: Vec<Vec<u8>>) -> Result<Self, Error> {
        let unusable = |error: rustls::Error| setup(format!("a root certificate: {error}"));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let rootless = roots.is_empty() && Verifier::new(Arc::clone(&provider)).is_err();
        let builder = rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| setup(error.to_string()))?;
        let mut config = if rootless {
            builder
                .with_root_certificates(rustls::RootCertStore::empty())
                .with_no_client_auth()
        } else {
            let roots = roots.into_iter().map(CertificateDer::from);
            let verifier = Verifier::new_with_extra_roots(roots, provider).map_err(unusable)?;
            // "Dangerous" is rustls' word for any verifier but its own; this one is its own
            // (webpki) over the roots of the system.
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(verifier))
                .with_no_client_auth()
        };
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        // A ticket would let a server recognize who comes back, and keep state for every host.
        config.resumption = Resumption::disabled();
        Ok(Self {
            connector: Arc::new(config).into(),
            rootless,
        })
    }
}
