//! Faults of errors.

use super::*;

pub(super) fn faults() -> Vec<Fault> {
    let head = |name: &str, rule, does: &str, edit| fault(name, rule, does, Head(Error, edit));
    let members = |name: &str, does: &str, edit: fn(&mut Value)| {
        fault(name, "error.body", does, Members(Error, edit))
    };
    vec![
        head(
            "error-of-another-type",
            "error.body",
            "sends errors as application/json",
            |response| response.set("Content-Type", "application/json"),
        ),
        members(
            "error-without-title",
            "sends errors without title",
            |body| remove(body, "title"),
        ),
        members(
            "error-of-another-status",
            "writes status 422 into each error",
            |body| body["status"] = json!(422),
        ),
        members(
            "error-of-another-rule",
            "names one rule for every error",
            |body| body["rule"] = json!("error.body"),
        ),
        quirk(
            "error-holds-need",
            "error.no-need",
            "repeats the query in the body of an error",
            ErrorHoldsNeed,
        ),
        quirk(
            "error-header-holds-need",
            "error.no-need",
            "repeats the query in a header of an error",
            ErrorHeaderHoldsNeed,
        ),
        quirk(
            "rate-limited-without-time",
            "error.rate",
            "refuses the first need with 429 and no Retry-After",
            RateWithoutTime,
        ),
        quirk(
            "unavailable-without-time",
            "error.unavailable",
            "refuses the first need with 503 and no Retry-After",
            UnavailableWithoutTime,
        ),
        quirk(
            "error-holds-short-need",
            "error.no-need",
            "repeats a need that is too short",
            ErrorHoldsShortNeed,
        ),
        head(
            "error-cached",
            "error.caching",
            "lets errors be kept",
            |response| response.set("Cache-Control", "max-age=60"),
        ),
        head(
            "error-without-cors",
            "http.cors",
            "leaves Access-Control-Allow-Origin out of errors",
            |response| response.remove("Access-Control-Allow-Origin"),
        ),
        head(
            "error-exposes-nothing",
            "http.cors-expose",
            "leaves Access-Control-Expose-Headers out of errors",
            |response| response.remove("Access-Control-Expose-Headers"),
        ),
        head(
            "error-sets-a-cookie",
            "http.no-set-cookie",
            "sends Set-Cookie with errors",
            |response| response.set("Set-Cookie", "caller=1; Secure; HttpOnly"),
        ),
    ]
}
