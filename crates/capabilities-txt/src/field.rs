//! The names of the defined fields: sections 11.3 and 11.4 of the text.

/// A field that the text defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Conformance,
    Contact,
    Expires,
    Resolvers,
    Endpoint,
    Protocol,
    Jobs,
    SignIn,
    Payment,
}

impl Field {
    const ALL: [Self; 9] = [
        Self::Conformance,
        Self::Contact,
        Self::Expires,
        Self::Resolvers,
        Self::Endpoint,
        Self::Protocol,
        Self::Jobs,
        Self::SignIn,
        Self::Payment,
    ];

    /// The name as the text writes it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Conformance => "Conformance",
            Self::Contact => "Contact",
            Self::Expires => "Expires",
            Self::Resolvers => "Resolvers",
            Self::Endpoint => "Endpoint",
            Self::Protocol => "Protocol",
            Self::Jobs => "Jobs",
            Self::SignIn => "Sign-in",
            Self::Payment => "Payment",
        }
    }

    /// The field of a name, in any ASCII case.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|field| field.name().eq_ignore_ascii_case(name))
    }

    /// Whether it stands before the first Endpoint.
    pub(crate) fn is_header(self) -> bool {
        matches!(
            self,
            Self::Conformance | Self::Contact | Self::Expires | Self::Resolvers
        )
    }

    /// The defined name that an unknown one was probably meant to be, within two slips of the pen.
    pub(crate) fn nearest(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let distance =
            |field: &Self| strsim::osa_distance(&name, &field.name().to_ascii_lowercase());
        let nearest = Self::ALL.into_iter().min_by_key(distance)?;
        (name.len() <= 16 && distance(&nearest) <= 2).then_some(nearest)
    }
}
