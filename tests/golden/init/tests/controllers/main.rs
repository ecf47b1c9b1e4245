//! The controllers against a real API server: `make test`.
mod support;
