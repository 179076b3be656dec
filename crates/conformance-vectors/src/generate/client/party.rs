//! The resolvers of the scenarios, what they offer, and how they answer.

use serde_json::{Value, json};

use super::super::build::{
    CHECKED_AT, EXP, IAT, NOW_SECONDS, Object, Token, array, header, jwk, quoted,
};
use super::super::curve::Key;

/// A resolver.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Party {
    pub(super) issuer: &'static str,
    pub(super) name: &'static str,
    /// The name of the key that it signs with at first, as `key-1`.
    key: &'static str,
}

pub(super) const ONE: Party = Party {
    issuer: "https://one.example",
    name: "First Resolver",
    key: "first key",
};

pub(super) const TWO: Party = Party {
    issuer: "https://two.example",
    name: "Second Resolver",
    key: "key of the second resolver",
};

pub(super) const THREE: Party = Party {
    issuer: "https://three.example",
    name: "Third Resolver",
    key: "key of the third resolver",
};

/// A host of which nothing may be asked.
pub(super) const ELSEWHERE: &str = "https://elsewhere.example";

/// The key with which resolvers sign after they changed it, as `key-2`.
const NEW_KEY: &str = "second key";

impl Party {
    /// The discovery document, with the key `key-1`.
    pub(super) fn discovery(self) -> Object {
        self.discovery_with(["key-1"])
    }

    /// The discovery document with some of the resolver's keys.
    pub(super) fn discovery_with<const N: usize>(self, kids: [&str; N]) -> Object {
        let keys = kids.map(|kid| jwk(kid, &self.key(kid).public()).text());
        Object::default()
            .and("v", "\"0.2\"")
            .and("iss", quoted(self.issuer))
            .and("resolver", quoted(self.name))
            .and("endpoints", self.endpoints().text())
            .and("keys", array(keys))
            .and("policy", quoted(&format!("{}/policy", self.issuer)))
    }

    pub(super) fn endpoints(self) -> Object {
        Object::default()
            .and("resolve", quoted(&format!("{}/resolve", self.issuer)))
            .and("record", quoted(&format!("{}/record", self.issuer)))
    }

    /// An answer with these candidates.
    pub(super) fn answer(self, offers: &[&Offer]) -> Object {
        self.answer_of(offers.iter().map(|offer| offer.candidate().text()))
    }

    /// An answer with candidates as they are written.
    pub(super) fn answer_of<T: AsRef<[u8]>>(
        self,
        candidates: impl IntoIterator<Item = T>,
    ) -> Object {
        Object::default()
            .and("v", "\"0.2\"")
            .and("iss", quoted(self.issuer))
            .and("resolver", quoted(self.name))
            .and("candidates", array(candidates))
    }

    /// What it offers: a sound candidate, seen a minute and a half ago.
    pub(super) fn offer(self, url: &str) -> Offer {
        Offer {
            party: self,
            url: url.to_owned(),
            status: "ok",
            checked_at: CHECKED_AT.to_owned(),
            iat: IAT,
            exp: EXP,
            not_before: None,
            kid: "key-1",
        }
    }

    fn key(self, kid: &str) -> Key {
        match kid {
            "key-2" => Key::named(NEW_KEY),
            _ => Key::named(self.key),
        }
    }
}

/// A statement of a resolver about a server.
#[derive(Clone)]
pub(super) struct Offer {
    pub(super) party: Party,
    pub(super) url: String,
    pub(super) status: &'static str,
    pub(super) checked_at: String,
    pub(super) iat: i64,
    pub(super) exp: i64,
    pub(super) not_before: Option<i64>,
    pub(super) kid: &'static str,
}

impl Offer {
    pub(super) fn status(mut self, status: &'static str) -> Self {
        self.status = status;
        self
    }

    pub(super) fn checked_at(mut self, time: impl Into<String>) -> Self {
        self.checked_at = time.into();
        self
    }

    /// When the token expires, in seconds after the clock of the first call.
    pub(super) fn until(mut self, seconds: i64) -> Self {
        self.exp = NOW_SECONDS + seconds;
        self
    }

    /// When the token was issued, likewise.
    pub(super) fn from(mut self, seconds: i64) -> Self {
        self.iat = NOW_SECONDS + seconds;
        self
    }

    pub(super) fn not_before(mut self, seconds: i64) -> Self {
        self.not_before = Some(NOW_SECONDS + seconds);
        self
    }

    pub(super) fn kid(mut self, kid: &'static str) -> Self {
        self.kid = kid;
        self
    }

    /// A token that expired a day ago.
    pub(super) fn expired(self) -> Self {
        let checked_at = at(-90_000);
        self.from(-90_000).until(-86_400).checked_at(checked_at)
    }

    pub(super) fn claims(&self) -> Object {
        let claims = Object::default()
            .and("iss", quoted(self.party.issuer))
            .and("url", quoted(&self.url))
            .and("status", quoted(self.status))
            .and("checked_at", quoted(&self.checked_at))
            .and("iat", self.iat.to_string())
            .and("exp", self.exp.to_string());
        match self.not_before {
            Some(time) => claims.and("nbf", time.to_string()),
            None => claims,
        }
    }

    /// A token with other claims or another header.
    pub(super) fn token_of(&self, header: &Object, claims: &Object) -> String {
        Token::of(header, claims)
            .key(self.party.key(self.kid))
            .compact()
    }

    pub(super) fn token(&self) -> String {
        self.token_of(&header(self.kid), &self.claims())
    }

    pub(super) fn candidate(&self) -> Object {
        let record = format!("{}/record?id=s-1", self.party.issuer);
        Object::default()
            .and("url", quoted(&self.url))
            .and("status", quoted(self.status))
            .and("checked_at", quoted(&self.checked_at))
            .and("expires", quoted(&time(self.exp)))
            .and(
                "evidence",
                Object::default().and("record", quoted(&record)).text(),
            )
            .and("jws", quoted(&self.token()))
    }

    /// The record of the server, with a token of its own.
    pub(super) fn record(&self) -> Object {
        let claims = self
            .claims()
            .and("name", "\"Example Mail\"")
            .and("first_seen", quoted(FIRST_SEEN));
        Object::default()
            .and("v", "\"0.2\"")
            .and("iss", quoted(self.party.issuer))
            .and("resolver", quoted(self.party.name))
            .and("url", quoted(&self.url))
            .and("status", quoted(self.status))
            .and("checked_at", quoted(&self.checked_at))
            .and("expires", quoted(&time(self.exp)))
            .and("name", "\"Example Mail\"")
            .and("first_seen", quoted(FIRST_SEEN))
            .and("jws", quoted(&self.token_of(&header(self.kid), &claims)))
    }

    /// What a client has of it after it verified the token.
    pub(super) fn statement(&self) -> Value {
        json!({
            "issuer": self.party.issuer, "status": self.status, "checkedAt": self.checked_at,
            "expires": time(self.exp),
        })
    }

    /// What a client has of a record after it verified the token.
    pub(super) fn recorded(&self) -> Value {
        json!({
            "url": self.url, "status": self.status, "checkedAt": self.checked_at, "expires": time(self.exp),
            "name": "Example Mail", "firstSeen": FIRST_SEEN,
        })
    }
}

const FIRST_SEEN: &str = "2026-08-02T06:30:00Z";

/// So many seconds after the clock of the first call, in the form of a document.
pub(super) fn at(seconds: i64) -> String {
    time(NOW_SECONDS + seconds)
}

/// A time in the form of a document.
fn time(seconds: i64) -> String {
    let (year, month, day, of_day) = civil(seconds);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// So many seconds after the clock of the first call, as `Date` and `Retry-After` have it (RFC 9110, 5.6.7).
pub(super) fn http_date(seconds: i64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let seconds = NOW_SECONDS + seconds;
    let (year, month, day, of_day) = civil(seconds);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    let name =
        |names: &[&'static str], place: i64| names[usize::try_from(place).unwrap_or_default()];
    let week_day = name(&DAYS, seconds.div_euclid(86_400) % 7);
    let month = name(&MONTHS, month - 1);
    format!("{week_day}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Year, month, day and second of the day, after Howard Hinnant's `civil_from_days`.
fn civil(seconds: i64) -> (i64, i64, i64, i64) {
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day, seconds.rem_euclid(86_400))
}

#[cfg(test)]
mod tests {
    use super::super::super::build::{EXPIRES, NOW};
    use super::*;

    #[test]
    fn times_are_written_as_documents_and_headers_have_them() {
        assert_eq!(at(0), NOW);
        assert_eq!(at(86_400), EXPIRES);
        assert_eq!(time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(http_date(0), "Mon, 30 Nov 2026 12:00:00 GMT");
        // The example of RFC 9110.
        assert_eq!(
            http_date(784_111_777 - NOW_SECONDS),
            "Sun, 06 Nov 1994 08:49:37 GMT"
        );
    }
}
