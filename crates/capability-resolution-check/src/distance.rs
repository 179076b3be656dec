//! How far a moment is from now, in words.

/// A distance from now in the two largest units.
pub(crate) fn distance(seconds: i64) -> String {
    let (mut left, mut words) = (seconds.unsigned_abs(), Vec::new());
    for (size, unit) in [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")] {
        if left >= size && words.len() < 2 {
            words.push(format!("{} {unit}", left / size));
            left %= size;
        } else if !words.is_empty() {
            break;
        }
    }
    match seconds {
        0 => "now".to_owned(),
        1.. => format!("in {}", words.join(" ")),
        _ => format!("{} ago", words.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_has_two_units() {
        assert_eq!(distance(0), "now");
        assert_eq!(distance(1), "in 1 s");
        assert_eq!(distance(-1078), "17 min 58 s ago");
        assert_eq!(distance(172_795), "in 1 d 23 h");
        assert_eq!(distance(86_461), "in 1 d");
        assert_eq!(distance(3_600), "in 1 h");
        assert!(distance(i64::MIN).ends_with(" ago"));
    }
}
