//! Questions at a terminal.
use super::{
    Format, Ui,
    keyboard::{Key, Keyboard},
    print_talk, told, yellow,
};
use crate::error::{Error, Result};
use console::{Style, Term};
use signal_hook::consts::SIGINT;
use std::{
    env,
    io::{self, IsTerminal as _},
};

impl Ui {
    /// Whether somebody can be asked: a person at a terminal, who has not declined.
    pub fn can_ask(self) -> bool {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        // A line cannot be drawn again on a terminal that is called dumb.
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        !self.no_input
            && !self.quiet
            && self.format == Format::Text
            && !is_set("CI")
            && !is_dumb
            && io::stdin().is_terminal()
            && Term::stderr().is_term()
    }
}

/// Asks, and says while an answer is typed what is wrong with it.
pub struct Questions {
    signal: Box<dyn Fn() -> Option<i32>>,
}

impl Questions {
    /// Questions that end when there is a signal.
    pub fn new(signal: impl Fn() -> Option<i32> + 'static) -> Self {
        Self {
            signal: Box::new(signal),
        }
    }

    /// Asks until `read` takes the answer; Enter alone answers with `default`. Gives nothing if
    /// the input ends, by Ctrl-D.
    ///
    /// # Errors
    /// At Ctrl-C, at a signal, and if the terminal fails.
    pub fn ask<T>(
        &self,
        question: &str,
        default: &str,
        read: impl Fn(&str) -> Result<T>,
    ) -> Result<Option<T>> {
        let advice = |text: &str| read(text).err().map(|error| advice(&error));
        loop {
            let Some(text) = self.line(question, &advice)? else {
                return Ok(None);
            };
            let answer = if text.is_empty() { default } else { &text };
            match read(answer) {
                Ok(value) => return Ok(Some(value)),
                Err(error) => print_talk(&told(&error)),
            }
        }
    }

    /// Asks for yes or no, where Enter alone is yes.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub fn confirm(&self, question: &str) -> Result<Option<bool>> {
        let question = format!("{question} [Y/n] ");
        self.ask(&question, "yes", |answer| {
            match &*answer.to_ascii_lowercase() {
                "y" | "yes" => Ok(true),
                "n" | "no" => Ok(false),
                _ => Err(Error::invalid("answer yes or no")),
            }
        })
    }

    /// Shows something to whoever is asked.
    pub fn show(&self, text: &str) {
        print_talk(text);
    }

    /// One line, without blanks around it.
    fn line(
        &self,
        question: &str,
        advice: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<String>> {
        let keyboard = Keyboard::open()?;
        let mut text = String::new();
        let draw = |text: &str, advice: Option<String>| {
            let width = Term::stderr().size().1.into();
            print_talk(&drawn(question, text, &advice.unwrap_or_default(), width));
        };
        let ended = loop {
            let typed = text.trim();
            draw(&text, advice(typed).filter(|_| !typed.is_empty()));
            match self.press(&keyboard) {
                Ok(Key::Char(char)) => text.push(char),
                Ok(Key::Backspace) => drop(text.pop()),
                Ok(Key::Clear) => text.clear(),
                Ok(Key::Enter) => break Ok(Some(text.trim().into())),
                Ok(Key::End) if text.is_empty() => break Ok(None),
                Ok(Key::Interrupt) => break Err(Error::interrupted(SIGINT)),
                Ok(Key::End | Key::Other) => {}
                Err(error) => break Err(error),
            }
        };
        draw(&text, None);
        print_talk("\n");
        ended
    }

    fn press(&self, keyboard: &Keyboard) -> Result<Key> {
        loop {
            if let Some(signal) = (self.signal)() {
                return Err(Error::interrupted(signal));
            }
            if let Some(key) = keyboard.key()? {
                return Ok(key);
            }
        }
    }
}

/// The way out, or what is wrong.
fn advice(error: &Error) -> String {
    let hint = error.hints().first().cloned();
    hint.unwrap_or_else(|| error.message())
}

/// Draws the line anew, with the cursor behind the text. It is one line of the screen, however
/// long the text is: of that, the end is shown.
fn drawn(question: &str, text: &str, advice: &str, width: usize) -> String {
    let asked = question.chars().count();
    let typed = text.chars().count();
    let room = width.saturating_sub(asked + 1);
    let shown: String = text.chars().skip(typed.saturating_sub(room)).collect();
    let column = asked + shown.chars().count();
    let question = Style::new().bold().for_stderr().apply_to(question);
    let mut line = format!("\r\x1b[2K{question}{shown}");
    let advice = format!("  {advice}");
    let room = width.saturating_sub(column + 1);
    let advice: String = advice.chars().take(room).collect();
    if !advice.trim().is_empty() {
        line += &format!("{}\r\x1b[{column}C", yellow().apply_to(advice));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::drawn;

    /// What is on the screen, and the column of the cursor.
    fn screen(text: &str, advice: &str, width: usize) -> (String, usize) {
        console::set_colors_enabled_stderr(false);
        let line = drawn("Kind: ", text, advice, width);
        let line = line.strip_prefix("\r\x1b[2K").unwrap();
        match line.rsplit_once("\r\x1b[") {
            Some((line, column)) => {
                let column = column.strip_suffix('C').unwrap();
                (line.into(), column.parse().unwrap())
            }
            None => (line.into(), line.chars().count()),
        }
    }

    #[test]
    fn a_line_is_one_line_of_the_screen() {
        let my = |shown: &str| (format!("Kind: my{shown}"), 8);
        assert_eq!(screen("", "", 80), ("Kind: ".into(), 6));
        assert_eq!(screen("my", "try `My`", 80), my("  try `My`"));
        assert_eq!(screen("my", "try `My`", 16), my("  try `"));
        assert_eq!(screen("my", "try `My`", 11), my(""));
        assert_eq!(screen("abcdefghij", "try", 12), ("Kind: fghij".into(), 11));
        for width in 0..30 {
            let (line, _) = screen(&"x".repeat(width), "try something else", width);
            assert!(line.chars().count() <= width.max(6), "{width}: {line}");
        }
    }
}
