//! Modules, imports and lists of Rust files.

mod declaration;
mod imports;
mod list;
mod modules;
mod parse;

pub use declaration::{add_module, add_use};
pub use list::add_list_item;
