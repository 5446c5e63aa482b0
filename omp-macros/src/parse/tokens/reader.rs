//! Reads the text of a source file without its comments and literals. Tokens would take longer to make, and live only as long as one
//! expansion.

/// A place: line and column, as spans count them.
pub type At = (usize, usize);

pub fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c >= 128
}

/// Reads a text without its comments and literals.
pub struct Reader<'t> {
    pub text: &'t str,
    pub at: usize,
    pub place: At,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0, place: (1, 0) }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub fn skip(&mut self, bytes: usize) {
        let end = (self.at + bytes).min(self.text.len());
        // (Text between may end within a character of a text that is no Rust.)
        let end = (end..=self.text.len()).find(|at| self.text.is_char_boundary(*at)).unwrap_or(end);
        for c in self.text[self.at..end].chars() {
            self.place = if c == '\n' { (self.place.0 + 1, 0) } else { (self.place.0, self.place.1 + 1) };
        }
        self.at = end;
    }

    /// Goes to the next character of code, and gives it.
    pub fn code(&mut self) -> Option<u8> {
        loop {
            let rest = self.rest();
            let first = *rest.as_bytes().first()?;
            if first.is_ascii_whitespace() {
                self.skip(1);
            } else if rest.starts_with("//") {
                self.skip(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                self.skip(comment(rest));
            } else if let Some(length) = literal(rest) {
                self.skip(length);
            } else {
                return Some(first);
            }
        }
    }

    pub fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let length = rest.bytes().position(|c| !is_word(c)).unwrap_or(rest.len());
        self.skip(length);
        &rest[..length]
    }
}

/// How long a comment is, with those inside of it.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// How long the text or character is that something begins with.
fn literal(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let prefix = bytes.iter().take_while(|c| matches!(c, b'b' | b'c' | b'r')).count();
    let (prefix, raw) = (prefix.min(2), bytes[..prefix.min(2)].contains(&b'r'));
    let hashes = bytes[prefix..].iter().take_while(|c| **c == b'#').count();
    if raw && bytes.get(prefix + hashes) == Some(&b'"') {
        let end = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return Some(text[start..].find(&end).map_or(text.len(), |at| start + at + end.len()));
    }
    match bytes.get(prefix)? {
        b'"' => Some(prefix + 1 + quoted(&bytes[prefix + 1..], b'"')),
        b'\'' if prefix < 2 => {
            let mut chars = text[prefix + 1..].char_indices();
            let (_, first) = chars.next()?;
            match (first, chars.next()) {
                ('\\', _) => Some(prefix + 1 + quoted(&bytes[prefix + 1..], b'\'')),
                // Not a lifetime.
                (_, Some((at, '\''))) => Some(prefix + 1 + at + 1),
                _ => Some(prefix + 1),
            }
        }
        _ => None,
    }
}

/// How long a text is, with what ends it.
fn quoted(bytes: &[u8], end: u8) -> usize {
    let mut at = 0;
    while at < bytes.len() && bytes[at] != end {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}
