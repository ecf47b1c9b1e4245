//! The controllers against a real API server: `make test`.
mod support;

mod myapp_controller;
mod other_controller;
