//! Yields of bonds: calendars, day counts, bisection.
use omp_tests::twice;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
pub struct Date {
    year: i32,
    month: u8,
    day: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
#[repr(u8)]
pub enum DayCount {
    Thirty360,
    Act365,
    ActAct,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
#[repr(u8)]
pub enum Frequency {
    Annual = 1,
    Semiannual = 2,
    Quarterly = 4,
}

#[omp::declare_target]
const fn is_leap(y: i32) -> bool {
    y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)
}

#[omp::declare_target]
const fn days_in_month(y: i32, m: u8) -> u8 {
    match m {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(y) => 29,
        2 => 28,
        _ => unreachable!(),
    }
}

#[omp::declare_target]
impl Date {
    pub const fn new(year: i32, month: u8, day: u8) -> Self {
        Date { year, month, day }
    }
    fn days(self) -> i64 {
        let y = self.year as i64 - (self.month <= 2) as i64;
        let era = y.div_euclid(400);
        let yoe = y - era * 400;
        let m = self.month as i64;
        let doy = (153 * (if m > 2 { m - 3 } else { m + 9 }) + 2) / 5 + self.day as i64 - 1;
        era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
    }
    fn add_months(self, n: i32) -> Date {
        let total = self.year * 12 + self.month as i32 - 1 + n;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12) as u8 + 1);
        Date { year, month, day: self.day.min(days_in_month(year, month)) }
    }
}

#[omp::declare_target]
impl DayCount {
    fn fraction(self, from: Date, to: Date) -> f64 {
        match self {
            DayCount::Thirty360 => {
                let (d1, d2) = (from.day.min(30) as i32, to.day.min(30) as i32);
                (360 * (to.year - from.year) + 30 * (to.month as i32 - from.month as i32) + d2 - d1) as f64
                    / 360.0
            }
            Self::Act365 => (to.days() - from.days()) as f64 / 365.0,
            Self::ActAct => {
                let basis = if is_leap(from.year) { 366.0 } else { 365.0 };
                (to.days() - from.days()) as f64 / basis
            }
        }
    }
}

#[derive(Clone, Copy, Debug, omp::Device)]
pub struct Bond {
    issue: Date,
    maturity: Date,
    rate: f64,
    frequency: Frequency,
    basis: DayCount,
}

#[omp::declare_target]
impl Bond {
    fn price(&self, settle: Date, yld: f64) -> f64 {
        let step = 12 / self.frequency as i32;
        let mut value = 0.0;
        let mut date = self.maturity;
        let mut first = true;
        while date > settle && date > self.issue {
            let t = self.basis.fraction(settle, date);
            let mut flow = self.rate / self.frequency as u8 as f64;
            if first {
                flow += 1.0;
                first = false;
            }
            value += flow * (-yld * t).exp();
            date = date.add_months(-step);
        }
        value
    }
    fn yield_from(&self, settle: Date, price: f64) -> Result<f64, f64> {
        let (mut lo, mut hi) = (-0.5, 1.0);
        if !(self.price(settle, hi)..=self.price(settle, lo)).contains(&price) {
            return Err(price);
        }
        for _ in 0..40 {
            let mid = 0.5 * (lo + hi);
            if self.price(settle, mid) > price { lo = mid } else { hi = mid }
        }
        Ok(0.5 * (lo + hi))
    }
}

twice! {
    pub fn yields(bonds: &[Bond], prices: &[f64], settle: Date) -> Vec<f64> {
        let mut out = vec![0.0; bonds.len()];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            *o = bonds[i].yield_from(settle, prices[i]).unwrap_or(f64::NAN);
        }
        out
    }

    pub fn run() -> Vec<f64> {
        let frequencies = [Frequency::Annual, Frequency::Semiannual, Frequency::Quarterly];
        let bases = [DayCount::Thirty360, DayCount::Act365, DayCount::ActAct];
        let bonds: Vec<Bond> = (0..9).map(|i| Bond {
            issue: Date::new(2010 + i as i32 % 4, 1 + i as u8, 31 - 3 * (i as u8 % 2)),
            maturity: Date::new(2024 + i as i32, 3 + i as u8 % 9, 28),
            rate: 0.02 + 0.005 * i as f64, frequency: frequencies[i % 3], basis: bases[i / 3],
        }).collect();
        let prices: Vec<f64> = (0..9).map(|i| if i == 4 { 1e9 } else { 0.9 + 0.02 * i as f64 }).collect();
        yields(&bonds, &prices, Date::new(2020, 2, 29))
    }
}
port!(bonds: run());
