//! The door between advice and a connection: `client.no-connect`, `client.policy`.
//!
//! This library connects to no server that a resolver names. What a program connects to is an [`Approved`], which only a
//! policy of its own can make of an [`Advice`].

use capability_resolution::{Origin, ServerUrl};

use crate::result::{Advice, Resolution, Statement};

/// Decides whether advice may lead to a connection: the approval of the user, an allowlist, or whatever the program's
/// owner wants.
///
/// A function is a policy too; one that asks somebody and waits implements the trait:
///
/// ```
/// use capability_resolver_client::{Advice, Decision, Policy};
///
/// struct Person;
///
/// impl Policy for Person {
///     async fn decide(&self, advice: &Advice) -> Decision {
///         let seen = advice.statement();
///         println!("Connect to {}? {} says it was {} at {}.", advice.url(), seen.resolver(), seen.status(), seen.checked_at());
///         Decision::Deny
///     }
/// }
/// ```
pub trait Policy {
    /// Decides; it may take its time, and ask somebody.
    fn decide(&self, advice: &Advice) -> impl Future<Output = Decision> + Send;
}

impl<F: Fn(&Advice) -> Decision + Sync> Policy for F {
    async fn decide(&self, advice: &Advice) -> Decision {
        self(advice)
    }
}

/// What a policy says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The program may connect to this server.
    Allow,
    /// It may not.
    Deny,
}

/// A server that a policy of the program allowed, with the statement that led there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approved {
    statement: Statement,
}

impl Approved {
    /// Where to connect.
    #[must_use]
    pub fn url(&self) -> &ServerUrl {
        self.statement.url()
    }

    /// What was stated of the server.
    #[must_use]
    pub fn statement(&self) -> &Statement {
        &self.statement
    }
}

impl Advice {
    /// Asks a policy about this server.
    pub async fn approved_by<P: Policy>(&self, policy: &P) -> Option<Approved> {
        match policy.decide(self).await {
            Decision::Allow => Some(Approved {
                statement: self.statement().clone(),
            }),
            Decision::Deny => None,
        }
    }
}

impl Resolution {
    /// Asks a policy about one server after the other until it allows one.
    pub async fn first_approved<P: Policy>(&self, policy: &P) -> Option<Approved> {
        for advice in &self.advice {
            let approved = advice.approved_by(policy).await;
            if approved.is_some() {
                return approved;
            }
        }
        None
    }
}

/// Allows nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DenyAll;

impl Policy for DenyAll {
    async fn decide(&self, _: &Advice) -> Decision {
        Decision::Deny
    }
}

/// Allows the servers and origins that it names.
///
/// ```
/// use capability_resolver_client::Allowlist;
///
/// let known = Allowlist::new()
///     .origin("https://mail.example.com".parse()?)
///     .server("https://post.example.net/v1/mcp".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowlist {
    origins: Vec<Origin>,
    servers: Vec<ServerUrl>,
}

impl Allowlist {
    /// One that allows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Also allows every server of an origin.
    #[must_use]
    pub fn origin(mut self, origin: Origin) -> Self {
        self.origins.push(origin);
        self
    }

    /// Also allows one server.
    #[must_use]
    pub fn server(mut self, url: ServerUrl) -> Self {
        self.servers.push(url);
        self
    }
}

impl Policy for Allowlist {
    async fn decide(&self, advice: &Advice) -> Decision {
        let url = advice.url();
        if self.servers.contains(url) || self.origins.contains(url.origin()) {
            Decision::Allow
        } else {
            Decision::Deny
        }
    }
}
