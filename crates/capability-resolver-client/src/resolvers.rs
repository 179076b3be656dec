//! The list of resolvers: `client.list`, `client.order`.

use capability_resolution::Origin;

/// An ordered list of resolvers. It is empty until its owner adds one: `client.no-default`.
///
/// ```
/// use capability_resolver_client::Resolvers;
///
/// let mut resolvers = Resolvers::new();
/// assert!(resolvers.is_empty());
/// resolvers.add("https://resolver.example".parse()?)?;
/// assert!(resolvers.add("https://resolver.example".parse()?).is_err());
/// assert!(resolvers.add("https://192.0.2.1".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolvers(Vec<Origin>);

/// Why an origin is not taken into the list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// `origin.issuer`.
    #[error(
        "{0} cannot name a resolver: its host is an address and no domain (rule origin.issuer)"
    )]
    NotAnIssuer(Origin),
    /// It is in the list.
    #[error("{0} is in the list already")]
    Twice(Origin),
}

impl Resolvers {
    /// The empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a resolver behind the others.
    ///
    /// # Errors
    ///
    /// [`ListError`]; the list stays as it is.
    pub fn add(&mut self, issuer: Origin) -> Result<(), ListError> {
        if !issuer.is_issuer() {
            return Err(ListError::NotAnIssuer(issuer));
        }
        if self.0.contains(&issuer) {
            return Err(ListError::Twice(issuer));
        }
        self.0.push(issuer);
        Ok(())
    }

    /// Takes a resolver out; says whether it was there.
    pub fn remove(&mut self, issuer: &Origin) -> bool {
        let before = self.0.len();
        self.0.retain(|other| other != issuer);
        self.0.len() < before
    }

    /// In the order in which they are asked.
    pub fn iter(&self) -> impl Iterator<Item = &Origin> {
        self.0.iter()
    }

    /// Whether nobody is asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
