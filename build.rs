//! `include_dir` sees changed templates, but not added or removed ones.
fn main() {
    println!("cargo:rerun-if-changed=templates");
}
