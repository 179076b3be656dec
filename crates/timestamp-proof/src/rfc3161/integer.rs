//! ASN.1 integers of any length, as text.

use der::asn1::IntRef;

/// `0x` and hexadecimal digits, `-` first if negative; no leading zeros.
pub(super) fn text(value: IntRef<'_>) -> String {
    let bytes = value.as_bytes();
    let negative = bytes.first().is_some_and(|b| b & 0x80 != 0);
    let magnitude = if negative {
        negate(bytes)
    } else {
        bytes.to_vec()
    };
    let hex = base16ct::lower::encode_string(&magnitude);
    let digits = hex.trim_start_matches('0');
    format!(
        "{}0x{}",
        if negative { "-" } else { "" },
        if digits.is_empty() { "0" } else { digits }
    )
}

/// Two's complement: the magnitude of a negative number.
fn negate(bytes: &[u8]) -> Vec<u8> {
    let mut carry = true;
    let mut out: Vec<u8> = bytes
        .iter()
        .rev()
        .map(|byte| {
            let (sum, overflow) = (!byte).overflowing_add(u8::from(carry));
            carry = overflow;
            sum
        })
        .collect();
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use der::{Decode, Encode, asn1::IntRef};

    use super::text;

    #[test]
    fn numbers_of_either_sign_and_any_length() {
        for value in [
            0_i128,
            1,
            -1,
            127,
            128,
            -128,
            -129,
            255,
            -256,
            i128::MAX,
            i128::MIN + 1,
        ] {
            let der = value.to_der().unwrap();
            let sign = if value < 0 { "-" } else { "" };
            assert_eq!(
                text(IntRef::from_der(&der).unwrap()),
                format!("{sign}{:#x}", value.unsigned_abs())
            );
        }
        let mut long = vec![2, 33, 0];
        long.extend([0xff; 32]);
        assert_eq!(
            text(IntRef::from_der(&long).unwrap()),
            format!("0x{}", "ff".repeat(32))
        );
    }
}
