//! Havoc.

/// How often each of the tests that try their luck does so: `tests/havoc.sh` asks for more.
pub fn rounds() -> usize {
    let rounds = std::env::var("ROP_HAVOC_ROUNDS");
    rounds.map_or(1, |rounds| {
        rounds.parse().expect("ROP_HAVOC_ROUNDS is a number")
    })
}
