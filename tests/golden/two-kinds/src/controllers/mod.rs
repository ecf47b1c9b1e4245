//! One module for each controller.
mod myapp_controller;
mod other_controller;

use rop_manager::Runnable;

/// Every controller of this operator.
#[rustfmt::skip]
pub fn all() -> Vec<Runnable> {
    vec![
        myapp_controller::runnable(),
        other_controller::runnable(),
    ]
}
