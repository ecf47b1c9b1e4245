//! Parse, run, print once, exit code.
use clap::Parser as _;
use rop::{
    cli::{self, Cli},
    commands,
    ui::{self, Report, Ui},
};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    let mut report = Report::new("");
    let (ui, done) = match Cli::try_parse_from(&args) {
        Ok(cli) => {
            let ui = cli.global.ui();
            let done = commands::run(&cli, ui, &mut report);
            (ui, done.and_then(|code| ui.report(&report).map(|()| code)))
        }
        // Bare `rop` asks for help as `rop --help` does.
        Err(error) if !error.use_stderr() || args.len() < 2 => {
            let help = error.render().to_string();
            (Ui::default(), ui::print(&help).map(|()| 0))
        }
        Err(error) => {
            report.command = cli::typed(&args);
            (cli::ui_of(&args), Err(cli::usage(&error, &args)))
        }
    };
    let code = done.unwrap_or_else(|error| {
        ui.failure(&error, report);
        error.exit_code()
    });
    ExitCode::from(code)
}
