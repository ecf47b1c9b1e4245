//! Which texts a YAML parser would take for something else than a string, when written plainly.
//!
//! The rules are those of YAML 1.1 as Go's library knows them, wider than YAML 1.2 by `yes` and
//! `no`, numbers such as `0b1`, `1_000` and `1:30`, and times.

/// Whether the text, written plainly, is read as a string.
pub(super) fn is_string(text: &str) -> bool {
    let first = text.bytes().next();
    let something_else = match first {
        Some(b'0'..=b'9' | b'+' | b'-') => {
            let plain = text.replace('_', "");
            is_integer(&plain) || is_float(&plain) || is_base60(text) || is_time(text)
        }
        Some(b'.') => is_float(&without_separators(text)),
        _ => false,
    };
    !something_else && !is_word(text)
}

#[rustfmt::skip]
fn is_word(text: &str) -> bool {
    matches!(
        text,
        "" | "<<" | "~" | "null" | "Null" | "NULL"
            | "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON"
            | "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF"
            | ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF"
            | "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf" | "-.INF"
    )
}

/// Digits of base 10, 16 (`0x`), 8 (`0` or `0o`) or 2 (`0b`), with or without a sign, in 64 bits.
fn is_integer(text: &str) -> bool {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    // Go reads what follows `0b` once more, then with a sign of its own.
    let binary = text
        .strip_prefix("0b")
        .map(|rest| i64::from_str_radix(rest, 2));
    if binary.is_some_and(|number| number.is_ok()) {
        return true;
    }
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'o', ..] => (8, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, &*lower),
    };
    let largest = match (negative, text.starts_with('+')) {
        (true, _) => 1 << 63,
        (false, true) => (1 << 63) - 1,
        (false, false) => u64::MAX,
    };
    !digits.starts_with(['+', '-'])
        && u64::from_str_radix(digits, radix).is_ok_and(|value| value <= largest)
}

/// A decimal number, with or without a fraction and an exponent, that a float can hold.
fn is_float(text: &str) -> bool {
    let shape = text
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    // Rust takes the same shapes: `1`, `1.`, `.5`, `1e3`.
    shape && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// The text without the underscores that stand between digits.
fn without_separators(text: &str) -> String {
    let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let kept = text
        .char_indices()
        .filter(|&(at, c)| c != '_' || !digit(at - 1) || !digit(at + 1));
    kept.map(|(_, c)| c).collect()
}

/// Numbers such as `1:30`, which only YAML 1.1 knows.
fn is_base60(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (text, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or_default();
    text.contains(':')
        && first.starts_with(|c: char| c.is_ascii_digit())
        && digits(first)
        && digits(fraction)
        && parts.all(|part| matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']))
}

/// A date, or a date and a time, in the shapes that Go's library knows.
fn is_time(text: &str) -> bool {
    date_and_rest(text).is_some_and(|rest| {
        rest.is_empty()
            || rest
                .strip_prefix(' ')
                .is_some_and(|rest| clock(rest.trim_start_matches(' ')) == Some(""))
            || rest
                .strip_prefix(['T', 't'])
                .and_then(clock)
                .is_some_and(is_zone)
    })
}

/// What follows a date such as `2001-1-31`.
fn date_and_rest(text: &str) -> Option<&str> {
    let (year, rest) = text.split_at_checked(4)?;
    let year: u32 = year
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| year.parse().ok())??;
    let (month, rest) = two_digits(rest.strip_prefix('-')?)?;
    let (day, rest) = two_digits(rest.strip_prefix('-')?)?;
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(rest)
}

/// What follows a time of day such as `1:02:03.5`.
fn clock(text: &str) -> Option<&str> {
    let (hour, rest) = two_digits(text)?;
    let (minute, rest) = two_digits(rest.strip_prefix(':')?)?;
    let (second, rest) = two_digits(rest.strip_prefix(':')?)?;
    let fraction = rest
        .strip_prefix(['.', ','])
        .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let rest = match fraction {
        Some(after) if after.len() + 1 < rest.len() => after,
        _ => rest,
    };
    (hour < 24 && minute < 60 && second < 60).then_some(rest)
}

fn is_zone(text: &str) -> bool {
    let offset = |text: &str| {
        let (hour, minute) = text.split_once(':')?;
        let number = |text: &str| match two_digits(text)? {
            (number, "") if text.len() == 2 => Some(number),
            _ => None,
        };
        Some(number(hour)? <= 24 && number(minute)? <= 60)
    };
    text == "Z" || text.strip_prefix(['+', '-']).and_then(offset) == Some(true)
}

/// A number of one digit or two, and what follows it.
fn two_digits(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    Some((number.parse().ok()?, rest))
}
