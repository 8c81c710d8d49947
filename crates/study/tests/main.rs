//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod compare;
mod fit;
mod fuzzing;
mod generator;
mod logs;
mod never_panics;
mod planted_causes;
mod published;
mod random_plans;
mod remedies;
mod sentences;
mod tune;
