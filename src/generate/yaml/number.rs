//! How numbers are printed.
use serde_json::Number;

/// A number as Go prints it: floats without a fraction are integers as long as 64 bits hold them,
/// others have an exponent below 1e-4 and from 1e6 on.
pub(super) fn to_string(number: &Number) -> String {
    let text = number.to_string();
    if !number.is_f64() {
        return text;
    }
    let (sign, digits, point) = decimal(&text);
    if digits.is_empty() {
        return "0".into();
    }
    let integer = match usize::try_from(point) {
        Ok(length @ ..=20) if length >= digits.len() => format!("{sign}{digits:0<length$}"),
        _ => String::new(),
    };
    if integer.parse::<i64>().is_ok() || integer.parse::<u64>().is_ok() {
        return integer;
    }
    match point {
        -3..=0 => format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs())),
        1..=6 => {
            let (whole, fraction) = digits.split_at(point.unsigned_abs());
            format!("{sign}{whole}.{fraction}")
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            let dot = if rest.is_empty() { "" } else { "." };
            let exponent = point - 1;
            let exponent_sign = if exponent < 0 { '-' } else { '+' };
            let exponent = exponent.unsigned_abs();
            format!("{sign}{first}{dot}{rest}e{exponent_sign}{exponent:02}")
        }
    }
}

/// Sign and significant digits of a float, and how many of them stand before the point.
///
/// They are those of the JSON text, the shortest that give the float again, which on a tie end in
/// an even digit, as Go's do; those of the standard library do not.
fn decimal(text: &str) -> (&str, String, isize) {
    let (sign, text) = text.split_at(usize::from(text.starts_with('-')));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let leading = all.len() - digits.len();
    let point = whole.len().saturating_sub(leading);
    let before = leading.saturating_sub(whole.len());
    let exponent = exponent.parse().unwrap_or(0isize);
    let point = exponent
        .saturating_add_unsigned(point)
        .saturating_sub_unsigned(before);
    (sign, digits.trim_end_matches('0').to_owned(), point)
}
