//! The Bidi rule of RFC 5893: it holds for every label of a domain in which one is written from right to left.

use super::super::{ask, shown};
use crate::generate::cases::Cases;

const RULES: &str = "origin.idna";

pub(super) fn add(cases: &mut Cases) {
    for (slug, value, comment) in [
        (
            "digit-at-the-end-beside",
            "https://a1.xn--4dbrk0ce",
            "A label from left to right may end in a digit, also beside one from right to left.",
        ),
        (
            "hyphen-inside-beside",
            "https://a-b.xn--4dbrk0ce",
            "A label from left to right may have a hyphen inside.",
        ),
        (
            "digit-at-the-end",
            "https://xn--1-zhc.example",
            "U+05D0 and the digit 1: a label from right to left may end in a digit.",
        ),
        (
            "mark-at-the-end",
            "https://xn--7cb7d.example",
            "U+05D0 and the point U+05B0: what a label ends in stands before its marks.",
        ),
        (
            "european-digits",
            "https://xn--1-ymcb.example",
            "The digit 1 between Arabic letters.",
        ),
        (
            "arabic-digits",
            "https://xn--mgba7o.example",
            "The digit U+0661 between Arabic letters.",
        ),
    ] {
        let slug = format!("origin-bidi-{slug}");
        cases.valid(&slug, RULES, &shown(value), comment, ask(value));
    }
    for (slug, value, comment) in [
        (
            "digit-first-beside",
            "https://1a.xn--4dbrk0ce",
            "The other label is written from right to left, so that this one, all of ASCII, must begin with a letter.",
        ),
        (
            "underscore-first-beside",
            "https://_a.xn--4dbrk0ce",
            "The other label is written from right to left, so that this one, all of ASCII, must begin with a letter.",
        ),
        (
            "hyphen-at-the-end-beside",
            "https://a-.xn--4dbrk0ce",
            "The other label is written from right to left, so that this one, all of ASCII, must not end in a hyphen.",
        ),
        (
            "hyphen-at-the-end",
            "https://xn----zhc.example",
            "U+05D0 and a hyphen: a label from right to left must end in a letter or a digit.",
        ),
        (
            "digits-of-two-kinds",
            "https://xn--1-ymcb5u.example",
            "The digits 1 and U+0661 between Arabic letters: a label has digits of one kind only.",
        ),
    ] {
        let slug = format!("origin-bidi-{slug}");
        cases.refused(&slug, RULES, &shown(value), comment, ask(value));
    }
}
