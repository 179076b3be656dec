//! The editors' commands of this repository.
fn main() {}
