//! Which addresses are on the public Internet, by the IANA special-purpose registries (RFC 6890).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Why an address is not one that a public server can have.
///
/// The displayed form names the use and the document that sets the range aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressUse {
    /// `0.0.0.0/8` and `::`: this host on this network.
    Unspecified,
    /// `127.0.0.0/8` and `::1`.
    Loopback,
    /// `10.0.0.0/8`, `172.16.0.0/12` and `192.168.0.0/16`.
    Private,
    /// `100.64.0.0/10`: between a provider and its customers (CGNAT).
    Shared,
    /// `169.254.0.0/16` and `fe80::/10`; cloud metadata services live here.
    LinkLocal,
    /// `fc00::/7`.
    UniqueLocal,
    /// `fec0::/10`, deprecated.
    SiteLocal,
    /// `224.0.0.0/4` and `ff00::/8`.
    Multicast,
    /// `255.255.255.255`.
    Broadcast,
    /// `192.0.2.0/24`, `198.51.100.0/24`, `203.0.113.0/24`, `2001:db8::/32` and `3fff::/20`.
    Documentation,
    /// `198.18.0.0/15`.
    Benchmarking,
    /// `192.0.0.0/24` and `2001::/23`, with Teredo and ORCHID inside.
    ProtocolAssignment,
    /// `192.88.99.0/24` and `2002::/16`, which carry an IPv4 address.
    SixToFour,
    /// `::ffff:0:0/96`, which carries an IPv4 address.
    Ipv4Mapped,
    /// `::/96`, deprecated, which carries an IPv4 address.
    Ipv4Compatible,
    /// `64:ff9b::/96` and `64:ff9b:1::/48`, which carry an IPv4 address.
    Nat64,
    /// `100::/64` and `100:0:0:1::/64`.
    Discard,
    /// `5f00::/16`.
    SegmentRouting,
    /// `240.0.0.0/4`, and what of IPv6 is outside `2000::/3`.
    Reserved,
}

impl fmt::Display for AddressUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unspecified => "an unspecified address (RFC 1122, RFC 4291)",
            Self::Loopback => "a loopback address (RFC 1122, RFC 4291)",
            Self::Private => "a private-use address (RFC 1918)",
            Self::Shared => "shared address space (RFC 6598)",
            Self::LinkLocal => "a link-local address (RFC 3927, RFC 4291)",
            Self::UniqueLocal => "a unique-local address (RFC 4193)",
            Self::SiteLocal => "a site-local address (RFC 3879)",
            Self::Multicast => "a multicast address (RFC 5771, RFC 4291)",
            Self::Broadcast => "the broadcast address (RFC 919)",
            Self::Documentation => "a documentation address (RFC 5737, RFC 3849, RFC 9637)",
            Self::Benchmarking => "a benchmarking address (RFC 2544)",
            Self::ProtocolAssignment => {
                "set aside for protocol assignments (RFC 6890, RFC 2928, RFC 4380)"
            }
            Self::SixToFour => "a 6to4 address (RFC 3056, RFC 7526)",
            Self::Ipv4Mapped => "an IPv4-mapped address (RFC 4291)",
            Self::Ipv4Compatible => "an IPv4-compatible address (RFC 4291)",
            Self::Nat64 => "a NAT64 address (RFC 6052, RFC 8215)",
            Self::Discard => "a discard-only address (RFC 6666, RFC 9780)",
            Self::SegmentRouting => "a segment routing identifier (RFC 9602)",
            Self::Reserved => "reserved (RFC 1112, RFC 4291)",
        })
    }
}

/// What the operator allows beside public addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct AddressPolicy {
    allowed: Vec<IpNet>,
}

impl AddressPolicy {
    pub(crate) fn allow(&mut self, network: IpNet) {
        self.allowed.push(network);
    }

    /// An address that carries another one is judged twice, so that a range allowed for
    /// translation (NAT64) is no way around the refusal of what lies behind the translator.
    pub(crate) fn check(&self, address: IpAddr) -> Result<(), AddressUse> {
        self.check_one(address)?;
        match address {
            IpAddr::V6(v6) => carried(v6).map_or(Ok(()), |v4| self.check_one(IpAddr::V4(v4))),
            IpAddr::V4(_) => Ok(()),
        }
    }

    fn check_one(&self, address: IpAddr) -> Result<(), AddressUse> {
        match special_use(address) {
            Some(found) if !self.allowed.iter().any(|net| net.contains(&address)) => Err(found),
            _ => Ok(()),
        }
    }
}

/// The loopback networks, which the development switch allows.
pub(crate) const LOOPBACK: [IpNet; 2] = [
    IpNet::V4(v4([127, 0, 0, 0], 8)),
    IpNet::V6(v6([0, 0, 0, 0, 0, 0, 0, 1], 128)),
];

/// The first range of the tables that holds the address; `None` for a public one.
fn special_use(address: IpAddr) -> Option<AddressUse> {
    match address {
        IpAddr::V4(address) => V4
            .iter()
            .find(|(net, _)| net.contains(&address))
            .map(|&(_, found)| found),
        IpAddr::V6(address) => V6
            .iter()
            .find(|(net, _)| net.contains(&address))
            .map(|&(_, found)| found)
            .or_else(|| (!GLOBAL_UNICAST.contains(&address)).then_some(AddressUse::Reserved)),
    }
}

/// The IPv4 address that a translator or a tunnel reads out of an IPv6 address.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let octets = address.octets();
    let at = |start: usize| {
        let mut four = [0; 4];
        four.copy_from_slice(&octets[start..start + 4]);
        Ipv4Addr::from(four)
    };
    let within = |net: Ipv6Net| net.contains(&address);
    // RFC 5214 section 6.1: ISATAP, an interface identifier under any prefix.
    let isatap = matches!(address.segments()[4..6], [0 | 0x200, 0x5efe]);
    if within(SIX_TO_FOUR) {
        Some(at(2))
    } else if within(TEREDO) {
        // RFC 4380 section 4: the client's address is stored with all bits inverted.
        Some(Ipv4Addr::from_bits(!at(12).to_bits()))
    } else if within(MAPPED)
        || within(COMPATIBLE) && address.segments()[6] != 0
        || within(NAT64)
        || isatap
    {
        Some(at(12))
    } else {
        None
    }
}

const MAPPED: Ipv6Net = v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96);
const COMPATIBLE: Ipv6Net = v6([0; 8], 96);
const NAT64: Ipv6Net = v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96);
const SIX_TO_FOUR: Ipv6Net = v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16);
const TEREDO: Ipv6Net = v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32);
const GLOBAL_UNICAST: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// Narrow ranges stand before the wide ones that hold them.
const V4: [(Ipv4Net, AddressUse); 16] = [
    (v4([0, 0, 0, 0], 8), AddressUse::Unspecified),
    (v4([10, 0, 0, 0], 8), AddressUse::Private),
    (v4([100, 64, 0, 0], 10), AddressUse::Shared),
    (v4([127, 0, 0, 0], 8), AddressUse::Loopback),
    (v4([169, 254, 0, 0], 16), AddressUse::LinkLocal),
    (v4([172, 16, 0, 0], 12), AddressUse::Private),
    (v4([192, 0, 0, 0], 24), AddressUse::ProtocolAssignment),
    (v4([192, 0, 2, 0], 24), AddressUse::Documentation),
    (v4([192, 88, 99, 0], 24), AddressUse::SixToFour),
    (v4([192, 168, 0, 0], 16), AddressUse::Private),
    (v4([198, 18, 0, 0], 15), AddressUse::Benchmarking),
    (v4([198, 51, 100, 0], 24), AddressUse::Documentation),
    (v4([203, 0, 113, 0], 24), AddressUse::Documentation),
    (v4([224, 0, 0, 0], 4), AddressUse::Multicast),
    (v4([255, 255, 255, 255], 32), AddressUse::Broadcast),
    (v4([240, 0, 0, 0], 4), AddressUse::Reserved),
];

const V6: [(Ipv6Net, AddressUse); 17] = [
    (v6([0; 8], 128), AddressUse::Unspecified),
    (v6([0, 0, 0, 0, 0, 0, 0, 1], 128), AddressUse::Loopback),
    (MAPPED, AddressUse::Ipv4Mapped),
    (COMPATIBLE, AddressUse::Ipv4Compatible),
    (NAT64, AddressUse::Nat64),
    (v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48), AddressUse::Nat64),
    (v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64), AddressUse::Discard),
    (v6([0x100, 0, 0, 1, 0, 0, 0, 0], 64), AddressUse::Discard),
    (
        v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
        AddressUse::ProtocolAssignment,
    ),
    (
        v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
        AddressUse::Documentation,
    ),
    (SIX_TO_FOUR, AddressUse::SixToFour),
    (
        v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
        AddressUse::Documentation,
    ),
    (
        v6([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16),
        AddressUse::SegmentRouting,
    ),
    (
        v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7),
        AddressUse::UniqueLocal,
    ),
    (v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10), AddressUse::LinkLocal),
    (v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10), AddressUse::SiteLocal),
    (v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8), AddressUse::Multicast),
];

const fn v4(octets: [u8; 4], prefix: u8) -> Ipv4Net {
    let [a, b, c, d] = octets;
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(segments: [u16; 8], prefix: u8) -> Ipv6Net {
    let [a, b, c, d, e, f, g, h] = segments;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, g, h), prefix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn judge(address: &str) -> Option<AddressUse> {
        AddressPolicy::default()
            .check(address.parse().unwrap())
            .err()
    }

    // r[http.address]
    #[test]
    fn first_and_last_of_every_range_and_their_neighbours() {
        use AddressUse as U;
        let cases = [
            ("0.0.0.0", Some(U::Unspecified)),
            ("0.255.255.255", Some(U::Unspecified)),
            ("1.0.0.0", None),
            ("9.255.255.255", None),
            ("10.0.0.0", Some(U::Private)),
            ("10.255.255.255", Some(U::Private)),
            ("11.0.0.0", None),
            ("100.63.255.255", None),
            ("100.64.0.0", Some(U::Shared)),
            ("100.127.255.255", Some(U::Shared)),
            ("100.128.0.0", None),
            ("126.255.255.255", None),
            ("127.0.0.0", Some(U::Loopback)),
            ("127.255.255.255", Some(U::Loopback)),
            ("128.0.0.0", None),
            ("169.253.255.255", None),
            ("169.254.169.254", Some(U::LinkLocal)),
            ("169.255.0.0", None),
            ("172.15.255.255", None),
            ("172.16.0.0", Some(U::Private)),
            ("172.31.255.255", Some(U::Private)),
            ("172.32.0.0", None),
            ("192.0.0.0", Some(U::ProtocolAssignment)),
            ("192.0.0.255", Some(U::ProtocolAssignment)),
            ("192.0.1.0", None),
            ("192.0.2.1", Some(U::Documentation)),
            ("192.88.99.1", Some(U::SixToFour)),
            ("192.167.255.255", None),
            ("192.168.0.0", Some(U::Private)),
            ("192.169.0.0", None),
            ("198.17.255.255", None),
            ("198.18.0.0", Some(U::Benchmarking)),
            ("198.19.255.255", Some(U::Benchmarking)),
            ("198.20.0.0", None),
            ("198.51.100.7", Some(U::Documentation)),
            ("203.0.113.7", Some(U::Documentation)),
            ("223.255.255.255", None),
            ("224.0.0.0", Some(U::Multicast)),
            ("239.255.255.255", Some(U::Multicast)),
            ("240.0.0.0", Some(U::Reserved)),
            ("255.255.255.254", Some(U::Reserved)),
            ("255.255.255.255", Some(U::Broadcast)),
            ("::", Some(U::Unspecified)),
            ("::1", Some(U::Loopback)),
            ("::2", Some(U::Ipv4Compatible)),
            ("::7f00:1", Some(U::Ipv4Compatible)),
            ("::ffff:127.0.0.1", Some(U::Ipv4Mapped)),
            ("::ffff:8.8.8.8", Some(U::Ipv4Mapped)),
            ("::ffff:0:808:808", Some(U::Reserved)),
            ("64:ff9b::8.8.8.8", Some(U::Nat64)),
            ("64:ff9b::127.0.0.1", Some(U::Nat64)),
            ("64:ff9b:1::1", Some(U::Nat64)),
            ("100::1", Some(U::Discard)),
            ("100:0:0:1::1", Some(U::Discard)),
            ("1fff:ffff::", Some(U::Reserved)),
            ("2001::1", Some(U::ProtocolAssignment)),
            ("2001:1ff:ffff::", Some(U::ProtocolAssignment)),
            ("2001:200::", None),
            ("2001:db8::1", Some(U::Documentation)),
            ("2001:db9::1", None),
            ("2002:7f00:1::", Some(U::SixToFour)),
            ("2606:4700::1111", None),
            ("2606:4700::5efe:8.8.8.8", None),
            ("2606:4700::5efe:127.0.0.1", Some(U::Loopback)),
            ("2606:4700::200:5efe:10.0.0.1", Some(U::Private)),
            ("3ffe:ffff::", None),
            ("3fff::1", Some(U::Documentation)),
            ("3fff:1000::", None),
            ("4000::", Some(U::Reserved)),
            ("5f00::1", Some(U::SegmentRouting)),
            ("fc00::1", Some(U::UniqueLocal)),
            ("fdff::1", Some(U::UniqueLocal)),
            ("fe00::", Some(U::Reserved)),
            ("fe80::1", Some(U::LinkLocal)),
            ("febf::1", Some(U::LinkLocal)),
            ("fec0::1", Some(U::SiteLocal)),
            ("ff02::1", Some(U::Multicast)),
        ];
        for (address, expected) in cases {
            assert_eq!(judge(address), expected, "{address}");
        }
    }

    #[test]
    fn an_allowed_range_opens_itself_and_not_what_it_carries() {
        let mut policy = AddressPolicy::default();
        policy.allow("64:ff9b::/96".parse().unwrap());
        let check = |address: &str| policy.check(address.parse().unwrap());
        assert_eq!(check("64:ff9b::8.8.8.8"), Ok(()));
        assert_eq!(check("64:ff9b::10.0.0.1"), Err(AddressUse::Private));
        assert_eq!(check("64:ff9b::127.0.0.1"), Err(AddressUse::Loopback));
        assert_eq!(check("10.0.0.1"), Err(AddressUse::Private));

        policy.allow("10.1.0.0/16".parse().unwrap());
        let check = |address: &str| policy.check(address.parse().unwrap());
        assert_eq!(check("10.1.2.3"), Ok(()));
        assert_eq!(check("64:ff9b::10.1.2.3"), Ok(()));
        assert_eq!(check("10.2.0.0"), Err(AddressUse::Private));
        assert_eq!(check("::ffff:10.1.2.3"), Err(AddressUse::Ipv4Mapped));
    }

    #[test]
    fn each_carrier_gives_its_ipv4_address() {
        let carried = |address: &str| carried(address.parse().unwrap());
        let inner = Some(Ipv4Addr::new(192, 168, 1, 2));
        assert_eq!(carried("::ffff:192.168.1.2"), inner);
        assert_eq!(carried("::192.168.1.2"), inner);
        assert_eq!(carried("64:ff9b::192.168.1.2"), inner);
        assert_eq!(carried("2002:c0a8:102::1"), inner);
        assert_eq!(carried("2001:0:4136:e378:8000:63bf:3f57:fefd"), inner);
        assert_eq!(carried("2606:4700::5efe:192.168.1.2"), inner);
        assert_eq!(carried("2606:4700::200:5efe:192.168.1.2"), inner);
        assert_eq!(carried("::1"), None);
        assert_eq!(carried("2606:4700::1111"), None);
    }

    proptest! {
        /// The standard library's own predicates are the second opinion.
        #[test]
        fn ipv4_agrees_with_the_standard_library(bits: u32) {
            let address = Ipv4Addr::from_bits(bits);
            let refused = special_use(IpAddr::V4(address));
            let special = address.is_private() || address.is_loopback() || address.is_link_local()
                || address.is_multicast() || address.is_broadcast() || address.is_documentation()
                || address.is_unspecified();
            prop_assert!(!special || refused.is_some());
            prop_assert_eq!(address.is_private(), refused == Some(AddressUse::Private));
            prop_assert_eq!(address.is_multicast(), refused == Some(AddressUse::Multicast));
            prop_assert_eq!(address.is_loopback(), refused == Some(AddressUse::Loopback));
        }

        #[test]
        fn ipv6_agrees_with_the_standard_library(bits: u128) {
            let address = Ipv6Addr::from_bits(bits);
            let refused = special_use(IpAddr::V6(address));
            prop_assert_eq!(address.is_multicast(), refused == Some(AddressUse::Multicast));
            prop_assert_eq!(address.is_unique_local(), refused == Some(AddressUse::UniqueLocal));
            prop_assert_eq!(
                address.is_unicast_link_local(), refused == Some(AddressUse::LinkLocal));
            if refused.is_none() {
                prop_assert_eq!(address.segments()[0] >> 13, 1, "outside 2000::/3");
            }
        }

        /// No carrier opens a way to an IPv4 address that is refused by itself.
        #[test]
        fn no_way_around_through_a_carrier(bits: u32) {
            let inner = Ipv4Addr::from_bits(bits);
            let mut policy = AddressPolicy::default();
            policy.allow("::/0".parse().unwrap());
            let [a, b, c, d] = inner.octets().map(u16::from);
            let carriers = [
                inner.to_ipv6_mapped(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, a << 8 | b, c << 8 | d),
                Ipv6Addr::new(0x2002, a << 8 | b, c << 8 | d, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, 1, 1, 0, 0, !(a << 8 | b), !(c << 8 | d)),
                Ipv6Addr::new(0x2606, 1, 2, 3, 0x200, 0x5efe, a << 8 | b, c << 8 | d),
            ];
            for carrier in carriers {
                prop_assert_eq!(
                    policy.check(IpAddr::V6(carrier)).is_ok(),
                    special_use(IpAddr::V4(inner)).is_none(),
                    "{}", carrier
                );
            }
        }
    }
}
