//! Modules, imports and lists of Rust files.

mod declaration;
mod imports;
mod includes;
mod list;
mod modules;
mod parse;
mod pasted;

pub use declaration::{add_module, add_use};
pub use includes::{Include, includes};
pub use list::add_list_item;
