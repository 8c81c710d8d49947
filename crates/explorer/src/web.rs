//! The functions of this crate as JavaScript calls them: JSON in, JSON out, and an error is thrown.

use serde::Serialize;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::Ask;

#[wasm_bindgen]
extern "C" {
    /// Told how many runs an explanation has made.
    #[wasm_bindgen(js_namespace = globalThis, js_name = airtimeRuns)]
    fn tell_runs(runs: usize);
}

fn asked(json: &str) -> Result<Ask, JsError> {
    Ask::parse(json).map_err(|error| JsError::new(&error))
}

fn answered(answer: Result<impl Serialize, String>) -> Result<String, JsError> {
    let answer = answer.map_err(|error| JsError::new(&error))?;
    serde_json::to_string(&answer).map_err(|error| JsError::new(&error.to_string()))
}

/// Shipped plans and links.
///
/// # Errors
/// Never; a catalogue can be written.
#[wasm_bindgen]
pub fn catalogue() -> Result<String, JsError> {
    answered(Ok(crate::catalogue()))
}

/// A commented plan for the link of this name.
///
/// # Errors
/// When there is no such link.
#[wasm_bindgen]
pub fn template(link: &str) -> Result<String, JsError> {
    crate::template(link).map_err(|error| JsError::new(&error))
}

/// Style rules of figures for light paper, and those to put behind them for dark.
#[wasm_bindgen]
pub fn rules(dark: bool) -> String {
    airtime_figures::RULES[usize::from(dark)].to_owned()
}

/// A run of the point that is asked about.
#[wasm_bindgen]
pub struct Ran(crate::Ran);

#[wasm_bindgen]
impl Ran {
    /// Runs the point.
    ///
    /// # Errors
    /// When the question makes no sense.
    #[wasm_bindgen(constructor)]
    pub fn new(ask: &str) -> Result<Ran, JsError> {
        crate::Ran::new(&asked(ask)?).map(Self).map_err(|error| JsError::new(&error))
    }

    /// The part that is wanted at once.
    ///
    /// # Errors
    /// Never; an answer can be written.
    pub fn answer(&self, width: f64) -> Result<String, JsError> {
        answered(Ok(self.0.answer(width)))
    }

    /// The rest of it.
    ///
    /// # Errors
    /// Never; an answer can be written.
    pub fn rest(&self, width: f64) -> Result<String, JsError> {
        answered(Ok(self.0.rest(width)))
    }
}

/// A cycle of the point that is asked about, to scale.
///
/// # Errors
/// When the question makes no sense, or the link has no time line.
#[wasm_bindgen]
pub fn event(ask: &str, width: f64) -> Result<String, JsError> {
    crate::event(&asked(ask)?, width).map_err(|error| JsError::new(&error))
}

/// The document that `airtime run --json` prints.
///
/// # Errors
/// When the question makes no sense.
#[wasm_bindgen]
pub fn record(ask: &str) -> Result<String, JsError> {
    crate::record(&asked(ask)?).map_err(|error| JsError::new(&error))
}

/// Explanation of the point that is asked about: the changes that would gain.
///
/// # Errors
/// When the question makes no sense.
#[wasm_bindgen]
pub fn explain(ask: &str, width: f64) -> Result<String, JsError> {
    answered(crate::explain(&asked(ask)?, width, &tell_runs))
}

/// Capture that is being read.
#[wasm_bindgen]
pub struct Capture(crate::Capture);

#[wasm_bindgen]
impl Capture {
    /// A capture of this many octets, of which nothing was read.
    ///
    /// # Errors
    /// When it has more than a page reads.
    #[wasm_bindgen(constructor)]
    pub fn new(octets: f64) -> Result<Capture, JsError> {
        crate::Capture::of(octets as u64).map(Self).map_err(|error| JsError::new(&error))
    }

    /// Takes the next octets.
    ///
    /// # Errors
    /// When they are no capture.
    pub fn take(&mut self, octets: &[u8]) -> Result<(), JsError> {
        self.0.take(octets).map_err(|error| JsError::new(&error))
    }

    /// Answer to the capture.
    ///
    /// # Errors
    /// When it is none, or nothing of it can be read.
    pub fn heard(self, width: f64) -> Result<String, JsError> {
        answered(self.0.heard(width))
    }
}

/// Sweep over one key.
#[wasm_bindgen]
pub struct Sweep(crate::Sweep);

#[wasm_bindgen]
impl Sweep {
    /// A sweep over the key of this name, of which nothing was run.
    ///
    /// # Errors
    /// When the question makes no sense, or its key has no values to go over.
    #[wasm_bindgen(constructor)]
    pub fn new(ask: &str, key: &str) -> Result<Sweep, JsError> {
        crate::Sweep::new(&asked(ask)?, key).map(Self).map_err(|error| JsError::new(&error))
    }

    /// Runs the next value; false once none is left.
    pub fn step(&mut self) -> bool {
        self.0.step()
    }

    /// The curve of what was run so far, with `value` marked.
    pub fn figure(&mut self, width: f64, value: &str) -> String {
        self.0.figure(width, value)
    }
}
