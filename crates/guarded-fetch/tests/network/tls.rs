//! What a server sees of TLS before it has answered: `http.tls-version`.

use std::time::Duration;

use guarded_fetch::Request;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::{builder, certificate};

const TLS_1_2: u16 = 0x0303;
const TLS_1_3: u16 = 0x0304;

/// Bytes that are taken from the front.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    /// A number of so many bytes, the greatest first.
    fn number(&mut self, bytes: usize) -> usize {
        let add = |sum, byte: &u8| (sum << 8) | usize::from(*byte);
        self.take(bytes).iter().fold(0, add)
    }

    fn version(&mut self) -> u16 {
        u16::try_from(self.number(2)).unwrap()
    }

    /// What stands behind its own length, which has so many bytes.
    fn part(&mut self, bytes: usize) -> Self {
        let length = self.number(bytes);
        Self(self.take(length))
    }
}

/// The legacy version of a ClientHello (RFC 8446 section 4.1.2), and its `supported_versions` (section 4.2.1).
fn versions(hello: &[u8]) -> (u16, Vec<u16>) {
    const CLIENT_HELLO: usize = 1;
    const SUPPORTED_VERSIONS: usize = 43;
    let mut message = Bytes(hello);
    assert_eq!(message.number(1), CLIENT_HELLO);
    let mut hello = message.part(3);
    let legacy = hello.version();
    hello.take(32);
    let (_session, _suites, _compressions) = (hello.part(1), hello.part(2), hello.part(1));
    let mut extensions = hello.part(2);
    let mut supported = Vec::new();
    while !extensions.0.is_empty() {
        let (kind, mut content) = (extensions.number(2), extensions.part(2));
        if kind == SUPPORTED_VERSIONS {
            let mut list = content.part(1);
            while !list.0.is_empty() {
                supported.push(list.version());
            }
        }
    }
    (legacy, supported)
}

// r[http.tls-version]
#[tokio::test]
async fn nothing_older_than_tls_1_2_is_offered_and_tls_1_3_first() {
    const HANDSHAKE: u8 = 22;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!(
        "https://127.0.0.1:{}/",
        listener.local_addr().unwrap().port()
    );
    // Fetchers with roots of their own are set up in another way than those without.
    for fetcher in [
        builder(),
        builder().root_certificate(certificate("a.test").0),
    ] {
        let fetcher = fetcher.allow_loopback(true).build().unwrap();
        let server = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 5];
            stream.read_exact(&mut head).await.unwrap();
            assert_eq!(head[0], HANDSHAKE);
            let mut hello = vec![0; usize::from(u16::from_be_bytes([head[3], head[4]]))];
            stream.read_exact(&mut hello).await.unwrap();
            hello
        };
        let (result, hello) = tokio::join!(
            fetcher.send(Request::get(&*url)),
            timeout(Duration::from_secs(60), server)
        );
        // Nobody answered it.
        assert!(result.is_err());
        let (legacy, supported) = versions(&hello.unwrap());
        assert_eq!(legacy, TLS_1_2);
        assert_eq!(supported, [TLS_1_3, TLS_1_2]);
    }
}
