//! The discovery document: section 4 of the text.

use crate::code::{Code, Refusal};
use crate::document::{self, Kind, Reader};
use crate::json::Object;
use crate::keys::KeySet;
use crate::limits::{DISCOVERY_MAX_BYTES, RESOLVER_NAME_MAX_CHARACTERS};
use crate::origin::Origin;
use crate::server_url::ServerUrl;
use crate::text::is_name;

/// What a resolver states of itself, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovery {
    issuer: Origin,
    resolver: String,
    resolve: ServerUrl,
    record: ServerUrl,
    mcp: Option<ServerUrl>,
    keys: KeySet,
    policy: ServerUrl,
    changelog: Option<ServerUrl>,
}

impl Discovery {
    /// Reads a document that was fetched from the origin `asked`, in the order of `discovery.order`.
    ///
    /// ```
    /// use capability_resolution::Discovery;
    ///
    /// let document = br#"{"v":"0.2","iss":"https://resolver.example","resolver":"Example","keys":[],
    ///     "endpoints":{"resolve":"https://resolver.example/resolve","record":"https://resolver.example/record"},
    ///     "policy":"https://resolver.example/policy"}"#;
    /// let discovery = Discovery::read(document, &"https://resolver.example".parse()?)?;
    /// assert_eq!(discovery.resolver(), "Example");
    /// let other = Discovery::read(document, &"https://other.example".parse()?);
    /// assert_eq!(other.unwrap_err().code().as_str(), "iss-mismatch");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first rule that the document breaks, with its code.
    pub fn read(bytes: &[u8], asked: &Origin) -> Result<Self, Refusal> {
        document::check_size(bytes, DISCOVERY_MAX_BYTES, "discovery.size")?;
        let object = document::read(bytes, "discovery.members")?;
        let reader = Reader::new(&object, "discovery.members");
        reader.version()?;
        let iss = reader.string("iss")?;
        let resolver = reader.string("resolver")?;
        let endpoints = reader.member("endpoints", Kind::Object)?.as_object();
        let empty = Object::default();
        let inside = reader.inside("/endpoints", endpoints.unwrap_or(&empty));
        let resolve = inside.string("resolve")?;
        let record = inside.string("record")?;
        let mcp = inside.optional_string("mcp")?;
        let keys = reader
            .member("keys", Kind::Array)?
            .as_array()
            .unwrap_or_default();
        let policy = reader.string("policy")?;
        let changelog = reader.optional_string("changelog")?;

        let issuer = document::issuer(iss, asked, "discovery.iss")?;
        if !is_name(resolver, RESOLVER_NAME_MAX_CHARACTERS) {
            let detail =
                "/resolver is not 1 to 100 characters, or holds a control or invisible character";
            return Err(Refusal::by(Code::NameInvalid, "discovery.name", detail));
        }
        Ok(Self {
            resolve: endpoint(resolve, "/endpoints/resolve", &issuer, Query::Refused)?,
            record: endpoint(record, "/endpoints/record", &issuer, Query::Refused)?,
            mcp: mcp
                .map(|url| endpoint(url, "/endpoints/mcp", &issuer, Query::Allowed))
                .transpose()?,
            keys: KeySet::read(keys)?,
            policy: page(policy, "/policy", &issuer)?,
            changelog: changelog
                .map(|url| page(url, "/changelog", &issuer))
                .transpose()?,
            resolver: resolver.to_owned(),
            issuer,
        })
    }

    /// The issuer: `discovery.iss`.
    #[must_use]
    pub fn issuer(&self) -> &Origin {
        &self.issuer
    }

    /// The resolver's name for people: `discovery.name`.
    #[must_use]
    pub fn resolver(&self) -> &str {
        &self.resolver
    }

    /// The endpoint that answers needs: `discovery.endpoints`.
    #[must_use]
    pub fn resolve(&self) -> &ServerUrl {
        &self.resolve
    }

    /// The endpoint that answers for one server: `discovery.endpoints`.
    #[must_use]
    pub fn record(&self) -> &ServerUrl {
        &self.record
    }

    /// The endpoint of the Model Context Protocol, if the resolver has one: `discovery.endpoints`.
    #[must_use]
    pub fn mcp(&self) -> Option<&ServerUrl> {
        self.mcp.as_ref()
    }

    /// The public keys: section 4.2.
    #[must_use]
    pub fn keys(&self) -> &KeySet {
        &self.keys
    }

    /// The policy page: `policy.page`.
    #[must_use]
    pub fn policy(&self) -> &ServerUrl {
        &self.policy
    }

    /// The changelog, if the document names one: `policy.changelog`.
    #[must_use]
    pub fn changelog(&self) -> Option<&ServerUrl> {
        self.changelog.as_ref()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Query {
    Allowed,
    Refused,
}

fn page(url: &str, at: &str, issuer: &Origin) -> Result<ServerUrl, Refusal> {
    ServerUrl::of_issuer(url, issuer)
        .map_err(|why| Refusal::new(Code::EndpointInvalid, format!("{at}: {why}")))
}

fn endpoint(url: &str, at: &str, issuer: &Origin, query: Query) -> Result<ServerUrl, Refusal> {
    let url = page(url, at, issuer)?;
    if query == Query::Refused && url.has_query() {
        return Err(Refusal::by(
            Code::EndpointInvalid,
            "discovery.endpoints.query",
            format!("{at} has a query"),
        ));
    }
    if url.origin() != issuer {
        let detail = format!(
            "{at} lies on {} and not on the issuer {issuer}",
            url.origin()
        );
        return Err(Refusal::new(Code::EndpointOrigin, detail));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(issuer: &Origin, endpoints: &str) -> Result<Discovery, Refusal> {
        let document = format!(
            r#"{{"v":"0.2","iss":"{issuer}","resolver":"Example","keys":[],"policy":"{endpoints}/policy",
                "endpoints":{{"resolve":"{endpoints}/resolve","record":"{endpoints}/record"}}}}"#
        );
        Discovery::read(document.as_bytes(), issuer)
    }

    // r[origin.loopback] r[origin.loopback-off]
    #[test]
    fn a_resolver_of_this_machine_has_endpoints_of_this_machine() {
        let loopback = "http://127.0.0.1:8420";
        let development = Origin::loopback(loopback).unwrap();
        assert!(read(&development, loopback).is_ok());
        let elsewhere = read(&development, "http://127.0.0.1:8421").unwrap_err();
        assert_eq!(elsewhere.code(), Code::EndpointOrigin);
        let plain = read(&development, "http://resolver.example").unwrap_err();
        assert_eq!(plain.code(), Code::EndpointInvalid);
        let public = "https://resolver.example".parse().unwrap();
        assert_eq!(
            read(&public, loopback).unwrap_err().code(),
            Code::EndpointInvalid
        );
    }
}
