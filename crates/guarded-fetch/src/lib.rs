//! The one way out to the network: bounded in bytes, time, redirects and addresses.
