//! Parser of fixed-width records in one column of bytes (date, amount, code), with counts of the kinds of errors.
use omp_tests::twice;

twice! {
    use std::ops::Range;

    const WIDTH: usize = 28;
    const DATE: Range<usize> = 0..10;
    const AMOUNT: Range<usize> = 11..22;
    const CODE: Range<usize> = 23..27;
    const NULL: i64 = i64::MIN;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    enum ParseError {
        Blank,
        BadDigit,
        BadSeparator,
        OutOfRange,
    }

    const KINDS: usize = 4;

    #[omp::declare_target]
    fn digit(b: u8) -> Result<i64, ParseError> {
        match b {
            b'0'..=b'9' => Ok((b - b'0') as i64),
            _ => Err(ParseError::BadDigit),
        }
    }

    #[omp::declare_target]
    fn digits(field: &[u8]) -> Result<i64, ParseError> {
        let mut value = 0;
        for &b in field {
            value = 10 * value + digit(b)?;
        }
        Ok(value)
    }

    #[omp::declare_target]
    const fn is_leap(year: i64) -> bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    #[omp::declare_target]
    fn days_in_month(year: i64, month: i64) -> i64 {
        match month {
            2 if is_leap(year) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// Days since 1970-01-01 (H. Hinnant's algorithm).
    #[omp::declare_target]
    fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
        let y = if month <= 2 { year - 1 } else { year };
        let era = y.div_euclid(400);
        let yoe = y.rem_euclid(400);
        let doy = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
    }

    #[omp::declare_target]
    fn parse_date(field: &[u8]) -> Result<i64, ParseError> {
        if field.iter().all(|&b| b == b' ') {
            return Err(ParseError::Blank);
        }
        if field[4] != b'-' || field[7] != b'-' {
            return Err(ParseError::BadSeparator);
        }
        let (year, month, day) = (digits(&field[..4])?, digits(&field[5..7])?, digits(&field[8..10])?);
        if !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
            return Err(ParseError::OutOfRange);
        }
        Ok(days_from_civil(year, month, day))
    }

    /// A right-aligned decimal with two places, in cents.
    #[omp::declare_target]
    fn parse_cents(field: &[u8]) -> Result<i64, ParseError> {
        let start = field.iter().position(|&b| b != b' ').ok_or(ParseError::Blank)?;
        let text = &field[start..];
        let (negative, text) = match text[0] {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        if text.len() < 4 || text[text.len() - 3] != b'.' {
            return Err(ParseError::BadSeparator);
        }
        let (whole, fraction) = text.split_at(text.len() - 3);
        let cents = 100 * digits(whole)? + digits(&fraction[1..])?;
        Ok(if negative { -cents } else { cents })
    }

    #[omp::declare_target]
    fn parse_code(field: &[u8]) -> Result<i64, ParseError> {
        match digits(field)? {
            0 => Err(ParseError::OutOfRange),
            code => Ok(code),
        }
    }

    #[derive(Debug, PartialEq)]
    struct Columns {
        days: Vec<i64>,
        cents: Vec<i64>,
        codes: Vec<i64>,
        errors: [u32; KINDS],
    }

    impl Columns {
        fn with_rows(rows: usize) -> Self {
            Columns { days: vec![NULL; rows], cents: vec![NULL; rows], codes: vec![NULL; rows], errors: [0; KINDS] }
        }
    }

    #[omp::offload]
    fn parse(bytes: &[u8]) -> Columns {
        let mut columns = Columns::with_rows(bytes.len() / WIDTH);
        let Columns { days, cents, codes, errors } = &mut columns;

        #[omp::target(map(to: bytes), map(from: days, cents, codes), reduction(+: errors))]
        for (row, record) in bytes.chunks_exact(WIDTH).enumerate() {
            match parse_date(&record[DATE]) {
                Ok(v) => days[row] = v,
                Err(e) => errors[e as usize] += 1,
            }
            match parse_cents(&record[AMOUNT]) {
                Ok(v) => cents[row] = v,
                Err(e) => errors[e as usize] += 1,
            }
            codes[row] = parse_code(&record[CODE]).unwrap_or(NULL);
            if codes[row] == NULL {
                errors[ParseError::OutOfRange as usize] += 1;
            }
        }
        columns
    }

    pub fn run() -> (Vec<i64>, Vec<i64>, Vec<i64>, [u32; 4]) {
        assert_eq!(parse_date(b"1970-01-01"), Ok(0));
        assert_eq!(parse_date(b"2000-02-29"), Ok(11_016));
        assert_eq!(parse_date(b"1900-02-29"), Err(ParseError::OutOfRange));
        assert_eq!(parse_cents(b"     -12.05"), Ok(-1_205));

        let mut seed = 12345u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 10) % n
        };
        let mut bytes = Vec::new();
        for _ in 0..1_500 {
            let (y, m, d) = (1890 + next(200), 1 + next(12), 1 + next(31));
            let amount = format!("{}{}.{:02}", ["", "-", "+"][next(3) as usize], next(1_000_000), next(100));
            let mut record = format!("{y:04}-{m:02}-{d:02}|{amount:>11}|{:04}\n", next(500)).into_bytes();
            assert_eq!(record.len(), WIDTH);
            match next(20) {
                0 => record[DATE].fill(b' '),
                1 => record[AMOUNT].fill(b' '),
                2 => record[next(27) as usize] = b'x',
                _ => {}
            }
            bytes.extend_from_slice(&record);
        }

        let columns = parse(&bytes);
        assert!(columns.errors.iter().all(|&e| e > 0), "{:?}", columns.errors);
        (columns.days, columns.cents, columns.codes, columns.errors)
    }
}
port!(parse_fixed: run());
