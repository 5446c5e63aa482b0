//! ISO 8601 timestamps parsed from fixed columns of bytes, errors with `?` and `From`, civil days, weekdays and truncation.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum DigitError { NotADigit(u8) }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum ParseError { Digit(u8), Separator { at: u8 }, Month(u32), Day(u32), Time }

    #[omp::declare_target]
    impl From<DigitError> for ParseError {
        fn from(e: DigitError) -> Self {
            let DigitError::NotADigit(b) = e;
            ParseError::Digit(b)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    pub struct DateTime { year: i32, month: u8, day: u8, seconds: u32 }

    #[omp::declare_target]
    fn number(digits: &[u8]) -> Result<u32, DigitError> {
        let mut n = 0;
        for &d in digits {
            match d {
                b'0'..=b'9' => n = n * 10 + (d - b'0') as u32,
                _ => return Err(DigitError::NotADigit(d)),
            }
        }
        Ok(n)
    }

    #[omp::declare_target]
    const fn is_leap(y: i32) -> bool { y % 4 == 0 && (y % 100 != 0 || y % 400 == 0) }

    #[omp::declare_target]
    fn days_in_month(year: i32, month: u32) -> u32 {
        const DAYS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        match month {
            2 if is_leap(year) => 29,
            m => DAYS[m as usize - 1],
        }
    }

    #[omp::declare_target]
    impl DateTime {
        fn parse(s: &[u8]) -> Result<Self, ParseError> {
            for (at, sep) in [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')] {
                if s[at] != sep {
                    return Err(ParseError::Separator { at: at as u8 });
                }
            }
            let year = number(&s[0..4])? as i32;
            let month = number(&s[5..7])?;
            if !(1..=12).contains(&month) {
                return Err(ParseError::Month(month));
            }
            let day = number(&s[8..10])?;
            if day == 0 || day > days_in_month(year, month) {
                return Err(ParseError::Day(day));
            }
            let [h, m, sec] = [number(&s[11..13])?, number(&s[14..16])?, number(&s[17..19])?];
            if h > 23 || m > 59 || sec > 59 {
                return Err(ParseError::Time);
            }
            Ok(DateTime { year, month: month as u8, day: day as u8, seconds: (h * 60 + m) * 60 + sec })
        }
        /// Days since 1970-01-01 (Hinnant's `days_from_civil`).
        fn days(&self) -> i64 {
            let y = i64::from(self.year) - i64::from(self.month <= 2);
            let era = y.div_euclid(400);
            let yoe = y.rem_euclid(400);
            let mp = (i64::from(self.month) + 9) % 12;
            let doy = (153 * mp + 2) / 5 + i64::from(self.day) - 1;
            let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
            era * 146_097 + doe - 719_468
        }
        fn unix(&self) -> i64 { self.days() * 86_400 + i64::from(self.seconds) }
        fn weekday(&self) -> u8 { (self.days() + 3).rem_euclid(7) as u8 }
    }

    pub fn parse_column(text: &[u8]) -> (Vec<i64>, Vec<u8>, u32, u32) {
        const W: usize = 20;
        let n = text.len() / W;
        let mut unix = vec![i64::MIN; n];
        let mut weekday = vec![u8::MAX; n];
        let (mut bad, mut weekend) = (0, 0);
        #[omp::target(reduction(+: bad, weekend))]
        for i in 0..n {
            match DateTime::parse(&text[i * W..][..W]) {
                Ok(d) => {
                    unix[i] = d.unix();
                    weekday[i] = d.weekday();
                    weekend += u32::from(d.weekday() >= 5);
                }
                Err(e) => {
                    bad += 1;
                    unix[i] = match e {
                        ParseError::Digit(b) => -(b as i64),
                        ParseError::Separator { at } => -1000 - i64::from(at),
                        ParseError::Month(m) | ParseError::Day(m) => -2000 - i64::from(m),
                        ParseError::Time => -3000,
                    };
                }
            }
        }
        (unix, weekday, bad, weekend)
    }

    pub fn run() -> (Vec<i64>, Vec<u8>, u32, u32) {
        let mut v = Values(22);
        let mut text = String::new();
        for i in 0..60 {
            let mut r = |n: u32| v.bits() % n;
            text += &match i % 10 {
                7 => format!("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", 2023, 2, 29, 0, 0, 0),
                8 => format!("{:04}/{:02}-{:02}T{:02}:{:02}:{:02}Z", 2023, 2, 2, 0, 0, 0),
                9 => format!("{:04}-{:02}-{:02}T{:02}:x{}:{:02}Z", 2023, 2, 2, 0, 0, 0),
                _ => format!("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", 1600 + r(600), 1 + r(12), 1 + r(28), r(24), r(61), r(60)),
            };
        }
        parse_column(text.as_bytes())
    }
}
port!(iso_dates: run());
