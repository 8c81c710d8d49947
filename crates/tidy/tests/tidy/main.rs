//! Checks of the house rules that a machine can make: CONTRIBUTING.md says why each of them is a rule.

mod build_output;
mod debug_text;
mod docs_index;
mod file_lengths;
mod function_lengths;
mod glossary;
mod map;
mod one_liners;
mod registry;
mod repository;
