//! Numbers, tables and wrapped text for a terminal.
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::fmt::Write as _;
use std::io::Write as _;

/// Prints; whoever reads may be gone (`| head`).
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Columns of the terminal: what the shell says, else 80.
pub fn width() -> u16 {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns.filter(|n| (40..=400).contains(n)).unwrap_or(80)
}

/// `139.7 GiB`
pub fn bytes(n: u64) -> String {
    let units = [(1u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(size, _)| n >= *size) {
        Some((size, unit)) => format!("{:.1} {unit}", n as f64 / *size as f64),
        None => format!("{n} B"),
    }
}

/// A number of something in a second, or a frequency: `4.8 T`.
pub fn rate(of: f64, unit: &str) -> String {
    let (scale, prefix) = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
        .into_iter()
        .find(|(scale, _)| of >= *scale)
        .unwrap_or((1.0, ""));
    format!("{:.1} {prefix}{unit}", of / scale)
}

/// `12.3 us`
pub fn time(nanos: f64) -> String {
    let (scale, unit) = [(1e9, "s"), (1e6, "ms"), (1e3, "us")]
        .into_iter()
        .find(|(scale, _)| nanos >= *scale)
        .unwrap_or((1.0, "ns"));
    let digits = if unit == "ns" { 0 } else { 2 };
    format!("{:.digits$} {unit}", nanos / scale)
}

/// `name   value`, the value wrapped and indented.
pub fn field(name: &str, value: &str) -> String {
    const NAME: usize = 22;
    let mut text = format!("  {name:NAME$}");
    text.push_str(&wrap(value, NAME + 2));
    text.push('\n');
    text
}

/// Words in lines of the terminal's width; all but the first are indented.
pub fn wrap(words: &str, indent: usize) -> String {
    let most = usize::from(width()).saturating_sub(indent).max(20);
    let (mut text, mut column) = (String::new(), 0);
    for (n, word) in words.split_whitespace().enumerate() {
        let len = word.chars().count();
        if n > 0 && column + 1 + len > most {
            let _ = write!(text, "\n{:indent$}{word}", "");
            column = len;
        } else {
            if n > 0 {
                text.push(' ');
            }
            text.push_str(word);
            column += len + usize::from(n > 0);
        }
    }
    text
}

/// A table of the terminal's width: the first `left` columns are text, the others numbers.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>, left: usize) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width());
    table.set_header(head.to_vec());
    table.add_rows(rows);
    for (n, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        if n >= left {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// Text in HTML and SVG.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units() {
        assert_eq!([bytes(12), bytes(3 << 30)], ["12 B", "3.0 GiB"]);
        assert_eq!([rate(4.8e12, "B/s"), rate(5.0, "B/s")], ["4.8 TB/s", "5.0 B/s"]);
        assert_eq!([time(1500.0), time(7.0), time(2e9)], ["1.50 us", "7 ns", "2.00 s"]);
    }

    #[test]
    fn words_are_wrapped_and_none_is_lost() {
        let words = "word ".repeat(40);
        let text = wrap(&words, 10);
        assert_eq!(text.split_whitespace().count(), 40);
        assert!(
            text.lines().skip(1).all(|line| line.starts_with("          w") && line.len() <= 400),
            "{text}"
        );
        assert_eq!(escaped("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
