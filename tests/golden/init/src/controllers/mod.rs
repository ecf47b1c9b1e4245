//! One module for each controller.
use rop_manager::Runnable;

/// Every controller of this operator.
#[rustfmt::skip]
pub fn all() -> Vec<Runnable> {
    vec![
    ]
}
