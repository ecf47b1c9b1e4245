//! What commands need to know, and ask for where somebody can answer.
use super::Session;
use crate::{
    cli::CreateApi,
    error::{Error, Result},
    model::{
        names::{ApiGroup, Approval, Domain, Group, Kind, Plural, Version},
        project::Project,
        request::ApiRequest,
    },
    plan::{Plan, Policies, Policy},
    ui::Questions,
};

/// There is no domain, and nobody to ask for it.
pub(super) fn missing_domain() -> Error {
    missing("init", &["--domain <DOMAIN>"])
}

/// Flags that nobody gave, nor can be asked for.
fn missing(command: &str, flags: &[&str]) -> Error {
    let flags = flags.join(" ");
    Error::usage(format!(
        "the following required arguments were not provided: {flags}"
    ))
    .hint(format!("see `rop {command} --help`"))
}

/// Somebody ended the input instead of an answer.
fn ended(flags: &str) -> Error {
    Error::usage("the input ended before all questions were answered")
        .hint(format!("give the answers with {flags}"))
}

/// The domain of a project that `rop init` is to start, or has started.
pub(super) fn domain(session: &Session, existing: Option<&Project>) -> Result<Domain> {
    let Some(questions) = session.questions()? else {
        let known = existing.map(|project| project.domain.clone());
        return known.ok_or_else(missing_domain);
    };
    let known = existing.map(|project| project.domain.to_string());
    let known = known.unwrap_or_default();
    let question = match &*known {
        "" => "Domain of the API groups, such as example.com: ".into(),
        known => format!("Domain of the API groups [{known}]: "),
    };
    let domain = questions.ask(&question, &known, |answer| match answer {
        // A key pressed too often must not be an answer.
        "" => Err(Error::invalid("a domain is needed")
            .hint("a project without one is started with `rop init --domain=`")),
        answer => answer.parse(),
    })?;
    domain.ok_or_else(|| ended("--domain"))
}

/// The flags of `create api`, each valid by itself.
pub(super) struct Given {
    group: Option<Group>,
    version: Option<Version>,
    kind: Option<Kind>,
    plural: Option<Plural>,
    namespaced: Option<bool>,
    approved: Option<Approval>,
    resource: Option<bool>,
    controller: Option<bool>,
}

impl Given {
    pub(super) fn parse(args: &CreateApi) -> Result<Self> {
        Ok(Self {
            group: args.group.as_deref().map(str::parse).transpose()?,
            version: args.version.as_deref().map(str::parse).transpose()?,
            kind: args.kind.as_deref().map(str::parse).transpose()?,
            plural: args.plural.as_deref().map(str::parse).transpose()?,
            namespaced: args.namespaced,
            approved: args.api_approved.as_deref().map(str::parse).transpose()?,
            resource: args.resource,
            controller: args.controller,
        })
    }

    /// # Errors
    /// If a flag is missing that has no default.
    pub(super) fn check(&self) -> Result<()> {
        let flags = [
            ("--group <GROUP>", self.group.is_none()),
            ("--version <VERSION>", self.version.is_none()),
            ("--kind <KIND>", self.kind.is_none()),
        ];
        let flags = flags.into_iter().filter(|(_, is_missing)| *is_missing);
        let flags: Vec<_> = flags.map(|(flag, _)| flag).collect();
        if flags.is_empty() {
            return Ok(());
        }
        Err(missing("create api", &flags))
    }

    /// Asks for what is not given, if somebody can answer.
    pub(super) fn ask(&mut self, session: &Session, project: &Project) -> Result<()> {
        let Some(questions) = session.questions()? else {
            return Ok(());
        };
        let ended = || ended("--group, --version, --kind, --resource and --controller");
        if self.group.is_none() {
            let group = ask_group(&questions, project)?;
            self.group = Some(group.ok_or_else(ended)?);
        }
        if self.version.is_none() {
            let version = questions.ask("Version [v1alpha1]: ", "v1alpha1", str::parse)?;
            self.version = Some(version.ok_or_else(ended)?);
        }
        if self.kind.is_none() {
            let kind = questions.ask("Kind, such as MyApp: ", "", str::parse)?;
            self.kind = Some(kind.ok_or_else(ended)?);
        }
        if session.yes {
            return Ok(());
        }
        if self.resource.is_none() && self.controller != Some(false) {
            let resource = questions.confirm("Create the resource?")?;
            self.resource = Some(resource.ok_or_else(ended)?);
        }
        // Without a resource, it is all there is to do.
        if self.controller.is_none() && self.resource != Some(false) {
            let controller = questions.confirm("Create the controller?")?;
            self.controller = Some(controller.ok_or_else(ended)?);
        }
        Ok(())
    }

    pub(super) fn request(self) -> Result<ApiRequest> {
        self.check()?;
        let (Some(group), Some(version), Some(kind)) = (self.group, self.version, self.kind) else {
            return Err(Error::internal("a flag is missing"));
        };
        Ok(ApiRequest {
            group,
            version,
            kind,
            plural: self.plural,
            namespaced: self.namespaced,
            approved: self.approved,
            resource: self.resource.unwrap_or(true),
            controller: self.controller.unwrap_or(true),
        })
    }
}

/// The group of the project's APIs is the one that others can have.
fn ask_group(questions: &Questions, project: &Project) -> Result<Option<Group>> {
    let known = project.resources().first().map(|api| api.group().as_str());
    let known = known.unwrap_or_default();
    let question = match known {
        "" => "Group, such as app: ".into(),
        known => format!("Group [{known}]: "),
    };
    questions.ask(&question, known, |answer| {
        if answer.is_empty() {
            return Err(Error::invalid("a group is needed")
                .hint("an API in the domain itself is added with `--group=`"));
        }
        let group = answer.parse()?;
        ApiGroup::new(&group, &project.domain)?;
        Ok(group)
    })
}

/// What to do with a file that is in the way.
enum Answer {
    Yes,
    No,
    Diff,
    All,
    Quit,
}

/// Asks for each file that is in the way whether to overwrite it; false if all shall stay as it is.
pub(super) fn about_files(
    questions: &Questions,
    plan: &Plan,
    policies: &mut Policies,
    overwriting: impl Fn() -> Result<Plan>,
) -> Result<bool> {
    let forced = overwriting()?;
    for path in plan.choices() {
        let verb = match forced.removes(path) {
            true => "Remove",
            false => "Overwrite",
        };
        let question = format!("{verb} {path}? [yes/no/diff/all/quit] ");
        let policy = loop {
            match questions.ask(&question, "", read_answer)? {
                Some(Answer::Yes) => break Policy::Force,
                Some(Answer::No) => break Policy::SkipExisting,
                Some(Answer::Diff) => questions.show(&forced.diff_of(path)),
                Some(Answer::All) => {
                    policies.rest = Policy::Force;
                    return Ok(true);
                }
                Some(Answer::Quit) | None => return Ok(false),
            }
        };
        policies.set(path, policy);
    }
    Ok(true)
}

fn read_answer(answer: &str) -> Result<Answer> {
    match &*answer.to_ascii_lowercase() {
        "y" | "yes" => Ok(Answer::Yes),
        "n" | "no" => Ok(Answer::No),
        "d" | "diff" => Ok(Answer::Diff),
        "a" | "all" => Ok(Answer::All),
        "q" | "quit" => Ok(Answer::Quit),
        _ => Err(Error::invalid("answer yes, no, diff, all or quit")),
    }
}
