//! The keys of a terminal that neither shows them nor waits for whole lines.
use crate::error::Result;
use anyhow::Context as _;
use nix::sys::termios::{
    LocalFlags, SetArg, SpecialCharacterIndices as Setting, Termios, tcgetattr, tcsetattr,
};
use std::{
    io::{self, ErrorKind, Read as _},
    thread,
    time::Duration,
};

/// What was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// A letter, or what else can be seen.
    Char(char),
    /// The end of the line.
    Enter,
    /// Takes the last letter away.
    Backspace,
    /// Ctrl-U: takes all letters away.
    Clear,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D.
    End,
    /// One that means nothing here, such as an arrow.
    Other,
}

/// The keyboard. When it is dropped, the terminal is as it was before.
pub(super) struct Keyboard {
    before: Termios,
}

impl Keyboard {
    /// Takes the terminal at stdin.
    pub(super) fn open() -> Result<Self> {
        let before = tcgetattr(io::stdin()).context("cannot read the settings of the terminal")?;
        let mut settings = before.clone();
        // Ctrl-C is a key like others, so that the terminal is put right before rop ends.
        let not = LocalFlags::ECHO | LocalFlags::ICANON | LocalFlags::IEXTEN | LocalFlags::ISIG;
        settings.local_flags.remove(not);
        // A read waits a tenth of a second, and then gives nothing.
        settings.control_chars[Setting::VMIN as usize] = 0;
        settings.control_chars[Setting::VTIME as usize] = 1;
        tcsetattr(io::stdin(), SetArg::TCSADRAIN, &settings)
            .context("cannot change the settings of the terminal")?;
        Ok(Self { before })
    }

    /// The next key, or nothing if there is none for a tenth of a second.
    pub(super) fn key(&self) -> Result<Option<Key>> {
        match byte()? {
            Some(first) => Ok(Some(key(first, &mut byte)?)),
            None => Ok(None),
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        // A terminal that is gone needs no settings.
        let _ = tcsetattr(io::stdin(), SetArg::TCSADRAIN, &self.before);
    }
}

fn byte() -> Result<Option<u8>> {
    let mut byte = [0];
    match io::stdin().lock().read(&mut byte) {
        Ok(1) => return Ok(Some(byte[0])),
        // So reads a terminal that is gone, too, but without a wait.
        Ok(_) => {
            tcgetattr(io::stdin()).context("the terminal is gone")?;
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => {}
        // Whoever started rop has set this for the terminal.
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            thread::sleep(Duration::from_millis(100));
        }
        Err(error) => Err(anyhow::Error::new(error).context("cannot read from the terminal"))?,
    }
    Ok(None)
}

/// The key of some bytes; all of them have come if the first has.
fn key(first: u8, next: &mut dyn FnMut() -> Result<Option<u8>>) -> Result<Key> {
    Ok(match first {
        b'\r' | b'\n' => Key::Enter,
        0x7f | 0x08 => Key::Backspace,
        0x15 => Key::Clear,
        0x03 => Key::Interrupt,
        0x04 => Key::End,
        0x1b => {
            // `ESC [`, parameters, and a letter; or `ESC O` and a letter.
            if let Some(b'[' | b'O') = next()? {
                while let Some(0x20..=0x3f) = next()? {}
            }
            Key::Other
        }
        first => {
            let char = char(first, next)?;
            if char.is_control() {
                Key::Other
            } else {
                Key::Char(char)
            }
        }
    })
}

/// The character that starts with this byte of UTF-8.
fn char(first: u8, next: &mut dyn FnMut() -> Result<Option<u8>>) -> Result<char> {
    let length = match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => 1,
    };
    let mut bytes = vec![first];
    while bytes.len() < length
        && let Some(byte) = next()?
    {
        bytes.push(byte);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<Key> {
        let mut bytes = bytes.iter().copied();
        let mut keys = Vec::new();
        while let Some(first) = bytes.next() {
            keys.push(key(first, &mut || Ok(bytes.next())).unwrap());
        }
        keys
    }

    #[test]
    fn keys_that_edit() {
        use Key::{Backspace, Char, Clear, End, Enter, Interrupt};
        let wanted = [
            Char('a'),
            Backspace,
            Backspace,
            Clear,
            Enter,
            Enter,
            Interrupt,
            End,
        ];
        assert_eq!(keys(b"a\x7f\x08\x15\r\n\x03\x04"), wanted);
    }

    #[test]
    fn letters_of_every_length() {
        assert_eq!(
            keys("aé–😀".as_bytes()),
            ['a', 'é', '–', '😀'].map(Key::Char)
        );
        assert_eq!(keys(b"\xff\xe2"), [Key::Char('\u{fffd}'); 2]);
    }

    #[test]
    fn keys_that_mean_nothing() {
        for (bytes, count) in [
            (&b"\x1b[D"[..], 1),
            (b"\x1bOA\x1b[1;5C", 2),
            (b"\x1b[3~", 1),
            (b"\x1b", 1),
            (b"\x1bb", 1),
            (b"\t\0\x1a", 3),
        ] {
            assert_eq!(keys(bytes), vec![Key::Other; count], "{bytes:?}");
        }
    }
}
