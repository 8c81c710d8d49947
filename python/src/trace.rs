//! One run written down, and captures read.

use airtime_figures::{Part, fragment};
use airtime_lab::links::{Capture, Captures, Form, Origin};
use airtime_lab::time_line;
use airtime_report::{Hearing, figures};
use airtime_sniff::Stamps;
use airtime_study::request::single;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::answer::Answer;
use crate::error::Failure;
use crate::plan::Plan;
use crate::watch::watched;

/// Octets of a capture that are read before somebody may stop it.
const CHUNK_OCTETS: usize = 1 << 16;

/// Runs one point once, with its own seed, and gives its captures in a form: each with the name of its view, which is empty where there is
/// but one. `apart` shows each device on an interface of its own besides.
///
/// # Errors
/// When there is not one point, or no capture of it in this form; Ctrl-C.
#[pyfunction]
#[pyo3(signature = (plan, form, *, point=None, apart=false))]
pub fn trace<'py>(
    py: Python<'py>,
    plan: PyRef<'_, Plan>,
    form: &str,
    point: Option<&str>,
    apart: bool,
) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
    let plans = std::slice::from_ref(&plan.plan);
    let point = single(plans, point, "traced").map_err(Failure::from)?.point(plans).map_err(Failure::from)?;
    let Some(form) = Form::of_extension(form) else {
        return Err(Failure::Refused(format!("form {form}: expected pcapng, btsnoop or perfetto")).into());
    };
    let scenario = &point.scenario.link;
    let views = scenario.captures(form).map_err(Failure::Refused)?;
    let taken = watched(py, None, |cancel, _| {
        let mut sinks: Vec<Vec<u8>> = views.iter().map(|_| Vec::new()).collect();
        let wanted = sinks.iter_mut().enumerate().map(|(view, sink)| Capture { form, view, sink });
        let stop = || cancel.load(std::sync::atomic::Ordering::Relaxed);
        let captures = Captures { wanted: wanted.collect(), origin: Origin::VIRTUAL, apart, stop: &stop };
        scenario.captured(scenario.run().seed, captures);
        Ok(sinks)
    })?;
    Ok(views.into_iter().zip(taken).map(|(view, octets)| (view, PyBytes::new(py, &octets))).collect())
}

/// One cycle of a run, lane by lane, as an element of a page.
///
/// # Errors
/// When there is not one point, or nothing went on in it.
#[pyfunction]
#[pyo3(signature = (plan, *, point=None))]
pub fn time_line_html(py: Python<'_>, plan: PyRef<'_, Plan>, point: Option<&str>) -> PyResult<String> {
    let plans = std::slice::from_ref(&plan.plan);
    let point = single(plans, point, "traced").map_err(Failure::from)?.point(plans).map_err(Failure::from)?;
    watched(py, None, |_, _| {
        let cycle = time_line::cycle(&*point.scenario.link).map_err(Failure::Refused)?;
        let figure = figures::time_line(&point.id, &cycle);
        let none = || Failure::Refused(format!("{}: nothing went on after the warm-up", point.id));
        Ok(fragment(&[Part::Figure(figure.ok_or_else(none)?)]))
    })
}

/// Reads a capture: connections of the air, streams of an HCI log, stations of 802.11, nodes of 802.15.4. `exact` says that its time
/// stamps are those of a virtual radio.
///
/// # Errors
/// When it is no capture, or nothing of it is described; Ctrl-C.
#[pyfunction]
#[pyo3(signature = (octets, name, *, exact=false, progress=None))]
pub fn read_capture(
    py: Python<'_>,
    octets: &[u8],
    name: &str,
    exact: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Answer, Option<String>)> {
    watched(py, progress.as_ref(), |cancel, seen| {
        let bad = |why: String| Failure::Refused(format!("`{name}`: {why}"));
        let mut hearing = Hearing::new(if exact { Stamps::EXACT } else { Stamps::SNIFFER });
        for (number, chunk) in octets.chunks(CHUNK_OCTETS).enumerate() {
            if cancel.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            hearing.take(chunk).map_err(bad)?;
            seen.say(number * CHUNK_OCTETS + chunk.len(), Some(octets.len()));
        }
        let cut = hearing.end().map_err(bad)?;
        let told = hearing.told().map_err(bad)?;
        let answer = Answer::new(|out| told.json(out), told.tables(), told.sheet(), told.figures())?;
        Ok((answer, cut))
    })
}
