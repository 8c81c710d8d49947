//! `airtime rpc`: calls of any server, virtual, live or real.

mod messages;
mod report;
mod run;
pub mod session;
mod work;

use std::io;

use airtime_live::rpc::{Job, JobError};
use airtime_rpc::client::Mode;
use airtime_rpc::{CallError, Status};

use run::Done;

use crate::arguments::rpc::{RpcArguments, RpcCommand};
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// Carries out a command with a server, and reports.
pub fn rpc(arguments: &RpcArguments, manner: Manner) -> Result<Exit, Failure> {
    if arguments.server.timeout.is_zero() {
        return Err(Failure::BadInput("--timeout 0: expected a time such as 10s".to_owned()));
    }
    let (session, trust) = session::session(&arguments.server)?;
    let mode = session.calling.scenario.rpc.as_ref().map_or(Mode::Compatible, |rpc| rpc.mode);
    let knows = matches!(session.over, session::Over::Virtual);
    let (work, kept) = work::work(&arguments.command, mode, manner.form == Form::Text, knows)?;
    let done = run::run(&session, trust, work, manner.quiet)?;
    let report = report::Report::new(&arguments.command, &session, &done, &kept.borrow());
    match manner.form {
        Form::Json => output::print(&output::rendered(|out| airtime_report::json(&report, out))?)?,
        form => output::print(&report::shown(&report, &arguments.command, form, &kept.borrow())?)?,
    }
    if !manner.quiet {
        report.remarks().iter().for_each(|remark| output::say(remark));
    }
    if done.is_unanswered() && !done.interrupted {
        let over = &session.said;
        return Err(Failure::Machine(format!("{over}: {UNANSWERED}")));
    }
    conclude(&arguments.command, &done)
}

/// Sentence on a controller that is silent, whatever it is waited for.
const UNANSWERED: &str = "the controller has not answered HCI Reset, so nobody was looked for; is there one that speaks H4, at this \
    rate and with flow control?";

/// The exit code, or what has gone wrong.
fn conclude(command: &RpcCommand, done: &Done) -> Result<Exit, Failure> {
    if let Some(error) = failure(done) {
        return Err(error);
    }
    if done.interrupted {
        return Ok(Exit::Interrupted);
    }
    let job = done.job();
    let failed = report::checks(job).iter().any(|check| check.result.is_err());
    let broken =
        matches!(command, RpcCommand::Bench(_)) && report::benchmarks(job).iter().any(|bench| bench.failed > 0);
    Ok(if failed || broken { Exit::Failed } else { Exit::Ok })
}

fn failure(done: &Done) -> Option<Failure> {
    match done.job().error() {
        Some(JobError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Some(Failure::PipeClosed),
        Some(error @ JobError::Call { error: CallError::Refused(Status::UnknownCommand), .. }) => {
            let names = messages::names().collect::<Vec<_>>().join(", ");
            Some(Failure::Machine(format!("{error}; the test service has {names}")))
        }
        Some(error) => {
            let remedy = done.job().remedy().map(|remedy| format!("; {remedy}")).unwrap_or_default();
            Some(Failure::Machine(format!("{error}{remedy}")))
        }
        None => done.error().map(Failure::Machine),
    }
}

/// Progress of a job that is not over, in words for whoever wants to go on with it.
fn left_over(job: &Job) -> Option<String> {
    let airtime_live::rpc::Work::Read(read) = job.work() else { return None };
    let ((address, length), have) = (read.range(), read.have());
    let rest = length - have;
    (rest > 0 && have > 0).then(|| {
        format!("{have} of {length} octets were read; go on with `airtime rpc read {:#x} {rest}`", address + have)
    })
}
