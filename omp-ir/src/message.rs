//! Messages of panics: Rust's format strings with holes for values, `{}`, `{:?}`, `{:>8.3}`, `{:#x}`, and `{{`, `}}`
//! for braces. The host formats the values from their bits.
use super::desc::Prim;

/// The most values that a message shows.
pub const MAX_VALUES: usize = 8;

/// How a value is shown: the text after the `:` of a hole, with numbers for width and precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    fill: char,
    align: Option<Align>,
    plus: bool,
    alternate: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Center,
    Right,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Display,
    Debug,
    LowerHex,
    UpperHex,
    Octal,
    Binary,
    LowerExp,
    UpperExp,
}

impl Spec {
    /// Reads it; `None` for what is no format of a primitive value, or takes its numbers from arguments.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_end();
        let align = |c: char| match c {
            '<' => Some(Align::Left),
            '^' => Some(Align::Center),
            '>' => Some(Align::Right),
            _ => None,
        };
        let mut chars = text.chars();
        let (first, second) = (chars.next(), chars.next());
        let (mut fill, mut side, mut rest) = (' ', None, text);
        if let (Some(c), Some(a)) = (first, second.and_then(align)) {
            (fill, side, rest) = (c, Some(a), chars.as_str());
        } else if let Some(a) = first.and_then(align) {
            (side, rest) = (Some(a), &text[1..]);
        }
        let mut flag = |c: char| match rest.strip_prefix(c) {
            Some(behind) => {
                rest = behind;
                true
            }
            None => false,
        };
        let (plus, alternate, zeros) = (flag('+'), flag('#'), flag('0'));
        let (width, rest) = number(rest)?;
        let (precision, rest) = match rest.strip_prefix('.') {
            Some(behind) => {
                let (n, rest) = number(behind)?;
                (Some(n?), rest)
            }
            None => (None, rest),
        };
        let kind = match rest {
            "" => Kind::Display,
            "?" => Kind::Debug,
            "x" => Kind::LowerHex,
            "X" => Kind::UpperHex,
            "o" => Kind::Octal,
            "b" => Kind::Binary,
            "e" => Kind::LowerExp,
            "E" => Kind::UpperExp,
            _ => return None,
        };
        let width = width.unwrap_or(0);
        Some(Self { fill, align: side, plus, alternate, zeros, width, precision, kind })
    }

    /// The text of a number or `bool`.
    #[must_use]
    pub fn show(&self, prim: Prim, bits: u64) -> String {
        macro_rules! int {
            ($t:ty) => {{
                let v = bits as $t;
                match self.kind {
                    Kind::Display | Kind::Debug => v.to_string(),
                    Kind::LowerHex if self.alternate => format!("{v:#x}"),
                    Kind::LowerHex => format!("{v:x}"),
                    Kind::UpperHex if self.alternate => format!("{v:#X}"),
                    Kind::UpperHex => format!("{v:X}"),
                    Kind::Octal if self.alternate => format!("{v:#o}"),
                    Kind::Octal => format!("{v:o}"),
                    Kind::Binary if self.alternate => format!("{v:#b}"),
                    Kind::Binary => format!("{v:b}"),
                    Kind::LowerExp => match self.precision {
                        Some(p) => format!("{v:.p$e}"),
                        None => format!("{v:e}"),
                    },
                    Kind::UpperExp => match self.precision {
                        Some(p) => format!("{v:.p$E}"),
                        None => format!("{v:E}"),
                    },
                }
            }};
        }
        macro_rules! float {
            ($v:expr) => {{
                let v = $v;
                match (self.kind, self.precision) {
                    (Kind::Debug, None) => format!("{v:?}"),
                    (Kind::Debug, Some(p)) => format!("{v:.p$?}"),
                    (Kind::LowerExp, None) => format!("{v:e}"),
                    (Kind::LowerExp, Some(p)) => format!("{v:.p$e}"),
                    (Kind::UpperExp, None) => format!("{v:E}"),
                    (Kind::UpperExp, Some(p)) => format!("{v:.p$E}"),
                    (_, None) => v.to_string(),
                    (_, Some(p)) => format!("{v:.p$}"),
                }
            }};
        }
        let text = match prim {
            Prim::Bool => return self.word(if bits == 0 { "false" } else { "true" }),
            Prim::Char => {
                let c = char::from_u32(bits as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
                let debug = matches!(self.kind, Kind::Debug);
                return if debug { format!("{c:?}") } else { self.word(&c.to_string()) };
            }
            Prim::I8 => int!(i8),
            Prim::I16 => int!(i16),
            Prim::I32 => int!(i32),
            Prim::I64 | Prim::Isize => int!(i64),
            Prim::U8 => int!(u8),
            Prim::U16 => int!(u16),
            Prim::U32 => int!(u32),
            // (No message has a `u128`.)
            Prim::U64 | Prim::Usize | Prim::U128 => int!(u64),
            Prim::F32 => float!(f32::from_bits(bits as u32)),
            Prim::F64 => float!(f64::from_bits(bits)),
        };
        self.padded(text)
    }

    /// Text that is no number.
    #[must_use]
    pub fn word(&self, text: &str) -> String {
        let text = match self.precision {
            Some(most) => text.chars().take(most).collect(),
            None => text.to_owned(),
        };
        self.aligned(text, Align::Left)
    }

    /// A number with its sign, and zeros after sign and `0x` up to the width.
    fn padded(&self, mut text: String) -> String {
        if self.plus && !text.starts_with('-') && text != "NaN" {
            text.insert(0, '+');
        }
        if !self.zeros {
            return self.aligned(text, Align::Right);
        }
        let sign = usize::from(text.starts_with(['+', '-']));
        let radix = matches!(self.kind, Kind::LowerHex | Kind::UpperHex | Kind::Octal | Kind::Binary);
        let at = sign + if radix && self.alternate { 2 } else { 0 };
        let missing = self.width.saturating_sub(text.chars().count());
        text.insert_str(at, &"0".repeat(missing));
        text
    }

    fn aligned(&self, text: String, otherwise: Align) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        let before = match self.align.unwrap_or(otherwise) {
            Align::Left => 0,
            Align::Center => missing / 2,
            Align::Right => missing,
        };
        let fill = |n: usize| self.fill.to_string().repeat(n);
        format!("{}{text}{}", fill(before), fill(missing - before))
    }
}

/// The digits at the start of a text, if it has any, and the rest; `None` for a number that is too large.
fn number(text: &str) -> Option<(Option<usize>, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() {
        return Some((None, rest));
    }
    let n = digits.parse().ok().filter(|n| *n <= 1000)?;
    Some((Some(n), rest))
}

/// Puts values into a message. `show(k, spec)` gives the text of value `k`.
pub fn fill(message: &str, show: impl Fn(usize, &Spec) -> Option<String>) -> String {
    let mut next = 0;
    with_holes(message, |piece| {
        let (text, of) = match piece {
            Piece::Brace(brace) => return (brace.to_owned(), 2),
            Piece::Hole(text, of) => (text, of),
        };
        let spec = if text.is_empty() { Some("") } else { text.strip_prefix(':') };
        match spec.and_then(Spec::parse) {
            Some(spec) => {
                next += 1;
                (show(next - 1, &spec).unwrap_or_default(), of.len())
            }
            None => ("{".to_owned(), 1),
        }
    })
}

/// The message with other texts for its holes: `with` gets the number of each, and the hole's text.
#[must_use]
pub fn respelled(message: &str, mut with: impl FnMut(usize, &str) -> String) -> String {
    let mut next = 0;
    with_holes(message, |piece| match piece {
        Piece::Brace(brace) => (brace.repeat(2), 2),
        Piece::Hole(_, of) => {
            next += 1;
            (with(next - 1, of), of.len())
        }
    })
}

/// What of a message isn't text.
enum Piece<'a> {
    /// `{{` or `}}`, as one brace.
    Brace(&'a str),
    /// What is between `{` and `}`, and with both.
    Hole(&'a str, &'a str),
}

/// The message with `by`'s text for each piece; it also says how many bytes of the message that stands for. A brace by
/// itself is text.
fn with_holes(message: &str, mut by: impl FnMut(Piece<'_>) -> (String, usize)) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (text, taken) = if rest.starts_with("{{") || rest.starts_with("}}") {
            by(Piece::Brace(&rest[..1]))
        } else if let Some(end) = rest.find('}').filter(|end| *end > 0) {
            by(Piece::Hole(&rest[1..end], &rest[..=end]))
        } else {
            (rest[..1].to_owned(), 1)
        };
        out.push_str(&text);
        rest = &rest[taken..];
    }
    out.push_str(rest);
    out
}

/// The text that stands for this one in a message.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_braces() {
        let show =
            |k: usize, spec: &Spec| Some(format!("{k}{}", if spec.kind == Kind::Debug { "?" } else { "" }));
        assert_eq!(fill("a {} b {:?}{}", show), "a 0 b 1?2");
        assert_eq!(fill("{{}} {} {{x}}", show), "{} 0 {x}");
        assert_eq!(fill("lone } and {", show), "lone } and {");
        assert_eq!(fill(&escape("{} {:?} {{"), show), "{} {:?} {{");
        assert_eq!(fill("{:>5}|{:q}", show), "0|{:q}");
    }

    /// As Rust's own formatting has it.
    #[test]
    fn specs_mean_what_they_mean_in_rust() {
        macro_rules! same {
            ($v:expr, $prim:ident, $bits:expr; $($spec:literal)*) => { $(
                assert_eq!(
                    Spec::parse($spec).expect($spec).show(Prim::$prim, $bits),
                    format!(concat!("{:", $spec, "}"), $v),
                    "{:?} by {}", $v, $spec
                );
            )* };
        }
        for v in [-128i8, -1, 0, 7, 127] {
            same!(v, I8, i64::from(v).cast_unsigned();
                "" "?" "5" "<5" "^6" "*>7" "+" "05" "+05" "x" "#x" "#010x" "08b" "#o" "X" "e" "#06X" ".1");
        }
        for v in [0u64, 9, 12_345, u64::MAX] {
            same!(v, U64, v;
                "" "?" "5" "<5" "^6" "*>7" "+" "05" "+05" "x" "#x" "#010x" "08b" "#o" "X" "e" "#06X" "+#x");
        }
        for v in [0.0f64, -0.0, 1.5, -2.25, 1e20, 1e-9, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            same!(v, F64, v.to_bits(); "" "?" ".3" "8.2" "<8.2" "+.1" "08.3" "e" ".2E" "+" ".2?" "-^9" "09");
            let v = v as f32;
            same!(v, F32, u64::from(v.to_bits());
                "" "?" ".3" "8.2" "<8.2" "+.1" "08.3" "e" ".2E" "+" ".2?" "-^9" "09");
        }
        for v in [true, false] {
            same!(v, Bool, u64::from(v); "" "?" "7" ">7" "^8" ".2");
        }
        for none in ["q", "1$", ".*", "x?", "#?x", "5 5"] {
            assert_eq!(Spec::parse(none), None, "{none}");
        }
    }
}
