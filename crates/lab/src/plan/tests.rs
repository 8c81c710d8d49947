mod any_text;
mod errors;
mod foreign;
mod points;
