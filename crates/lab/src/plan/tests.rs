mod any_text;
mod errors;
mod points;
