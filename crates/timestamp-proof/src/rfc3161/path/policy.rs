//! Certificate policies along a path (RFC 5280 6.1.3 d to f, 6.1.4 h to j, 6.1.5 a and b).
//!
//! Any policy is acceptable here, and none is asked for. So policies can only fail where a certificate of the path
//! itself asks for them, with requireExplicitPolicy. Policy mappings are not followed, which can only refuse more.

use der::asn1::ObjectIdentifier;
use x509_cert::ext::pkix::{CertificatePolicies, InhibitAnyPolicy, PolicyConstraints};

use super::{super::certificate::Certificate, PathError, printable};

const ANY_POLICY: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.32.0");

/// The policies that hold from the root down to here.
enum Valid {
    Any,
    Only(Vec<ObjectIdentifier>),
}

/// Checks a path, the signer first and the root last.
pub(super) fn check(path: &[&Certificate]) -> Result<(), PathError> {
    let mut valid = Valid::Any;
    // The number of certificates that may follow before the demand begins to hold; None while there is no demand.
    let mut explicit_after: Option<u32> = None;
    let mut any_inhibited_after: Option<u32> = None;
    // The root is a name and a key (RFC 5280 6.1.1 d); its extensions take no part.
    let below_the_root = path.iter().rev().skip(1);
    let length = path.len().saturating_sub(1);
    for (i, certificate) in below_the_root.enumerate() {
        let is_signer = i + 1 == length;
        let self_issued = certificate.subject() == certificate.issuer();
        let tbs = certificate.fields().tbs_certificate();
        let unreadable = |_| demand_not_met(certificate, "its policy extensions cannot be read");

        let policies = tbs
            .get_extension::<CertificatePolicies>()
            .map_err(unreadable)?;
        let listed: Vec<_> = policies.map_or(Vec::new(), |(_, p)| {
            p.0.iter().map(|i| i.policy_identifier).collect()
        });
        let any_counts = any_inhibited_after != Some(0) || (self_issued && !is_signer);
        let any_listed = any_counts && listed.contains(&ANY_POLICY);
        valid = match valid {
            valid if any_listed => valid,
            Valid::Any => Valid::Only(listed.into_iter().filter(|p| *p != ANY_POLICY).collect()),
            Valid::Only(so_far) => {
                Valid::Only(so_far.into_iter().filter(|p| listed.contains(p)).collect())
            }
        };
        let none_left = matches!(&valid, Valid::Only(left) if left.is_empty());
        if none_left && explicit_after == Some(0) {
            return Err(demand_not_met(
                certificate,
                "no policy holds along the whole path",
            ));
        }

        // The end of the path counts as one more certificate, self-issued or not (RFC 5280 6.1.5 a).
        if !self_issued || is_signer {
            explicit_after = explicit_after.map(|n| n.saturating_sub(1));
            any_inhibited_after = any_inhibited_after.map(|n| n.saturating_sub(1));
        }
        let constraints = tbs
            .get_extension::<PolicyConstraints>()
            .map_err(unreadable)?;
        let demand = constraints.and_then(|(_, c)| c.require_explicit_policy);
        // The signer's own demand counts only if it holds at once (RFC 5280 6.1.5 b).
        explicit_after = sooner(explicit_after, demand.filter(|n| !is_signer || *n == 0));
        if none_left && is_signer && explicit_after == Some(0) {
            return Err(demand_not_met(
                certificate,
                "no policy holds along the whole path",
            ));
        }
        let inhibit = tbs
            .get_extension::<InhibitAnyPolicy>()
            .map_err(unreadable)?;
        any_inhibited_after = sooner(
            any_inhibited_after,
            inhibit.map(|(_, InhibitAnyPolicy(n))| n),
        );
    }
    Ok(())
}

fn sooner(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn demand_not_met(certificate: &Certificate, detail: &'static str) -> PathError {
    PathError::Policy {
        subject: printable(certificate.subject()),
        detail,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::Authority, check};

    /// Certificates with and without policies; the subject says which.
    const POLICIES: &[u8] = include_bytes!("../../../tests/data/policies.pem");

    #[test]
    fn a_demand_for_a_policy_is_met_along_the_whole_path_or_refused() {
        let certificates = Authority::from_roots(POLICIES).unwrap().roots;
        let named = |name: &str| {
            let found = certificates
                .iter()
                .find(|c| c.subject().to_string().replace('\\', "") == format!("CN={name}"));
            found.unwrap_or_else(|| panic!("no certificate {name}"))
        };
        let holds =
            |signer: &str, ca: &str| check(&[named(signer), named(ca), named("Root")]).is_ok();

        // Nobody demands one: whatever is listed, or nothing, is right.
        for signer in [
            "Signer, 1.2.3",
            "Signer, 1.2.4",
            "Signer, any",
            "Signer, none",
        ] {
            assert!(holds(signer, "CA, 1.2.3"), "{signer}");
            assert!(holds(signer, "CA, none"), "{signer}");
        }
        for ca in ["CA, 1.2.3, demand 0", "CA, 1.2.3, demand 1"] {
            assert!(holds("Signer, 1.2.3", ca), "{ca}");
            assert!(holds("Signer, any", ca), "{ca}");
        }
        assert!(!holds("Signer, 1.2.4", "CA, 1.2.3, demand 0"));
        assert!(!holds("Signer, none", "CA, 1.2.3, demand 0"));
        // Skipping one certificate still leaves the end of the path (RFC 5280 6.1.5 a).
        assert!(!holds("Signer, none", "CA, 1.2.3, demand 1"));

        assert!(holds("Signer, 1.2.4", "CA, any, demand 0"));
        assert!(!holds("Signer, none", "CA, any, demand 0"));
        assert!(!holds("Signer, 1.2.3", "CA, none, demand 0"));

        assert!(holds("Signer, 1.2.3", "CA, 1.2.3, demand 0, no any"));
        assert!(!holds("Signer, any", "CA, 1.2.3, demand 0, no any"));

        // The signer's own demand counts if it holds at once.
        assert!(holds("Signer, 1.2.3, demand 0", "CA, 1.2.3"));
        assert!(!holds("Signer, 1.2.3, demand 0", "CA, none"));
        assert!(holds("Signer, 1.2.3, demand 1", "CA, none"));

        let refusal = check(&[
            named("Signer, none"),
            named("CA, 1.2.3, demand 0"),
            named("Root"),
        ])
        .unwrap_err();
        assert_eq!(refusal.code(), "path-policy");
        // A signer that is itself a root is under nobody's policy.
        assert!(check(&[named("Signer, 1.2.3, demand 0")]).is_ok());
    }
}
