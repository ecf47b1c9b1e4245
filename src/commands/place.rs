//! Where `rop generate` reads, and where it writes.
use super::{Session, project};
use crate::{cli::Generate, error::Result, model::project::Project, plan::Root, ui::Report};

/// A project of rop or any of cargo, and the folder for what is generated of it.
pub(super) struct Place {
    /// What is read: sources, manifests, the program that prints CRDs.
    pub(super) root: Root,
    /// What is written is below.
    pub(super) output: Root,
    /// Nothing where rop did not start it.
    pub(super) project: Option<Project>,
    /// Whether all is written side by side, as into a folder that was named.
    is_flat: bool,
}

impl Place {
    /// Finds it, and undoes what a killed command left there.
    pub(super) fn find(args: &Generate, session: &Session, report: &mut Report) -> Result<Self> {
        let root = Root::of_sources(&session.directory)?;
        let output = match &args.output_dir {
            Some(folder) => Root::at(&session.directory.join(folder))?,
            None => root.clone(),
        };
        if !args.check && !args.stdout {
            session.recover(&output, report)?;
        }
        Ok(Self {
            // A broken or foreign PROJECT is told before anything is built.
            project: project(&root)?,
            is_flat: args.output_dir.is_some(),
            root,
            output,
        })
    }

    /// Where a file is written that has this path in a project of rop.
    pub(super) fn path(&self, path: &str) -> String {
        let name = path.rsplit('/').next().filter(|_| self.is_flat);
        name.unwrap_or(path).to_owned()
    }

    /// The folder of files whose folder this is in a project of rop.
    pub(super) fn folder<'a>(&self, folder: &'a str) -> &'a str {
        if self.is_flat { "" } else { folder }
    }

    /// Whether kustomizations may list what is written.
    pub(super) fn has_lists(&self) -> bool {
        !self.is_flat
    }
}
