//! rop.lock: each rendered file as rop last wrote it.
use super::Root;
use crate::{
    edit::quoted,
    error::{Error, Result},
};
use sha2::{Digest, Sha256};
use std::{cell::OnceCell, collections::BTreeMap, rc::Rc};
use toml_edit::{DocumentMut, Key, Value};

/// Path of the record.
pub const PATH: &str = "rop.lock";

const HEADER: &str =
    "# Written by rop: its version, and each file as it last wrote it. Commit it.\n";

/// The record: which version of rop made the project, and the sha256 of each rendered file. It
/// tells files that the user changed from those that are as rop wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    version: String,
    files: BTreeMap<String, String>,
}

impl Record {
    /// A record without files.
    pub fn new(version: &str) -> Self {
        Self {
            version: version.into(),
            files: BTreeMap::new(),
        }
    }

    /// The record of a project; `version` of rop starts one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(root: &Root, version: &str) -> Result<Self> {
        match root.text(PATH)? {
            Some(text) => Self::parse(&text),
            None => Ok(Self::new(version)),
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If it is not TOML of the right shape.
    pub fn parse(text: &str) -> Result<Self> {
        if let Some(record) = Self::as_written(text) {
            return Ok(record);
        }
        Error::refuse_merge_marks(PATH, text)?;
        let broken = |why: String| {
            Error::failed(format!("{PATH} cannot be read: {why}"))
                .hint(format!("restore {PATH} from version control"))
        };
        let document: DocumentMut = text
            .parse()
            .map_err(|error: toml_edit::TomlError| broken(error.message().into()))?;
        let version = document.get("version").and_then(|v| v.as_str());
        let version = version.ok_or_else(|| broken("it has no `version`".into()))?;
        let files = match document.get("files") {
            None => BTreeMap::new(),
            Some(files) => {
                let table = files.as_table_like();
                let table = table.ok_or_else(|| broken("`files` is no table".into()))?;
                let files = table.iter().map(|(path, sum)| {
                    let sum = sum.as_str();
                    let sum = sum.ok_or_else(|| broken(format!("`{path}` is no string")))?;
                    Ok((path.to_owned(), sum.to_owned()))
                });
                files.collect::<Result<_>>()?
            }
        };
        Ok(Self {
            version: version.into(),
            files,
        })
    }

    /// Reads what [`Self::to_text`] wrote, line by line: far faster than all that TOML can be.
    fn as_written(text: &str) -> Option<Self> {
        let mut lines = text.strip_prefix(HEADER)?.lines();
        let mut record = Self::new(quoted(lines.next()?.strip_prefix("version = ")?)?);
        if (lines.next()?, lines.next()?) != ("", "[files]") {
            return None;
        }
        for line in lines {
            let (path, sum) = line.split_once(" = ")?;
            let is_word = |path: &&str| path.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let bare = Some(path).filter(|path| !path.is_empty()).filter(is_word);
            let path = quoted(path).or(bare)?;
            let earlier = record.files.insert(path.into(), quoted(sum)?.into());
            earlier.is_none().then_some(())?;
        }
        Some(record)
    }

    /// Whether rop last wrote exactly these bytes to this path.
    pub fn wrote(&self, path: &str, bytes: &[u8]) -> bool {
        self.files
            .get(path)
            .is_some_and(|noted| *noted == sum(bytes))
    }

    /// Whether rop last wrote exactly this text to this path.
    pub(super) fn wrote_text(&self, path: &str, text: &Text) -> bool {
        self.files
            .get(path)
            .is_some_and(|noted| noted == text.sum())
    }

    /// Notes that rop writes this text to this path.
    pub(super) fn note(&mut self, path: &str, text: &Text) {
        self.files.insert(path.into(), text.sum().into());
    }

    /// Notes that there is no such file of rop's any more.
    pub(super) fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// The text of the record.
    pub fn to_text(&self) -> String {
        let version = Value::from(&self.version);
        let mut text = format!("{HEADER}version = {version}\n\n[files]\n");
        for (path, sum) in &self.files {
            text += &format!("{} = {}\n", Key::new(path), Value::from(sum));
        }
        text
    }
}

/// A new text of a file. Its sum goes to the record and to the journal, and takes longer than to
/// write the text: it is made once.
#[derive(Debug)]
pub(super) struct Text {
    text: String,
    sum: OnceCell<String>,
}

impl Text {
    pub(super) fn new(text: String) -> Rc<Self> {
        let sum = OnceCell::new();
        Rc::new(Self { text, sum })
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The sha256, in hexadecimal.
    pub(super) fn sum(&self) -> &str {
        self.sum.get_or_init(|| sum(self.text.as_bytes()))
    }
}

/// The sha256 of some bytes, in hexadecimal.
pub(crate) fn sum(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default();
    let digest = Sha256::digest(bytes);
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(digit).collect()
}
