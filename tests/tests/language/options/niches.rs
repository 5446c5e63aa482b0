//! `Option`s that rustc lays out without a tag: in arrays, fields, tables and variables, of values of many types.
#![allow(clippy::all, clippy::pedantic, missing_docs)]

mod arrays {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, omp::Device)]
        pub enum Edge { South, East, North, West }
        /// Discriminants with gaps.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, omp::Device)]
        #[repr(i16)]
        pub enum Gaps { Low = -300, Zero = 0, High = 32767 }
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, omp::Device)]
        #[repr(u8)]
        pub enum Ends { First = 0, Middle = 127, Last = 255 }
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        #[repr(u8)]
        pub enum Shape { Dot, Circle(f32) = 7, Box { w: u16, h: u64 } = 9 }
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct Visit { pub at: f64, pub open: bool, pub by: Edge, pub id: u16 }
        /// Rustc could take the first `bool`, and takes the second.
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        #[repr(C)]
        pub struct Tied { pub n: u32, pub a: bool, pub b: bool, pub c: bool }
        pub type Deep = Option<Option<(u8, Option<Edge>)>>;

        #[omp::declare_target]
        fn edge(k: u32) -> Option<Edge> {
            match k % 5 { 0 => Some(Edge::South), 1 => Some(Edge::East), 2 => Some(Edge::North), 3 => Some(Edge::West), _ => None }
        }
        #[omp::declare_target]
        fn visit(k: u32) -> Option<Visit> {
            let by = edge(k)?;
            (k % 7 != 0).then_some(Visit { at: k as f64 * 0.5, open: k % 2 == 0, by, id: k as u16 })
        }
        #[omp::declare_target]
        fn shape(k: u32) -> Option<Shape> {
            match k % 4 { 0 => None, 1 => Some(Shape::Dot), 2 => Some(Shape::Circle(k as f32)), _ => Some(Shape::Box { w: k as u16, h: k as u64 }) }
        }
        #[omp::declare_target]
        fn deep(k: u32) -> Deep {
            match k % 6 { 0 => None, 1 => Some(None), 2 => Some(Some((k as u8, None))), _ => Some(Some((3, edge(k)))) }
        }

        pub fn scalars(b: &mut [Option<bool>], c: &mut [Option<char>], e: &mut [Option<Edge>], g: &mut [Option<Gaps>], o: &mut [Option<Ends>], r: &mut [Option<std::cmp::Ordering>]) {
            #[omp::target]
            for i in 0..b.len() {
                let k = i as u32;
                b[i] = match k % 3 { 0 => None, 1 => Some(true), _ => Some(false) };
                c[i] = char::from_u32(k * 70000);
                e[i] = edge(k);
                g[i] = match k % 4 { 0 => Some(Gaps::Low), 1 => Some(Gaps::Zero), 2 => Some(Gaps::High), _ => None };
                o[i] = match k % 4 { 0 => Some(Ends::First), 1 => Some(Ends::Middle), 2 => Some(Ends::Last), _ => None };
                r[i] = if k % 5 == 0 { f32::NAN.partial_cmp(&1.0) } else { (k % 3).partial_cmp(&1) };
            }
        }
        pub fn nested(b: &mut [Option<Option<bool>>], u: &mut [Option<Option<u8>>], w: &mut [Option<(u64, Option<f32>, bool)>], d: &mut [Deep], q: &mut [[Option<char>; 3]]) {
            #[omp::target]
            for i in 0..b.len() {
                let k = i as u32;
                b[i] = match k % 4 { 0 => None, 1 => Some(None), 2 => Some(Some(true)), _ => Some(Some(false)) };
                u[i] = match k % 3 { 0 => None, 1 => Some(None), _ => Some(Some(k as u8)) };
                w[i] = match k % 3 { 0 => None, 1 => Some((k as u64, None, true)), _ => Some((9, Some(k as f32), false)) };
                d[i] = deep(k);
                q[i] = [Some('x'), None, char::from_digit(k, 10)];
            }
        }
        pub fn structs(v: &mut [Option<Visit>], s: &mut [Option<Shape>], t: &mut [Option<Tied>], p: &mut [Option<(Edge, Edge)>], l: &mut [Option<Result<u32, u8>>], a: &mut [Option<[Edge; 3]>]) {
            #[omp::target]
            for i in 0..v.len() {
                let k = i as u32;
                v[i] = visit(k);
                s[i] = shape(k);
                t[i] = (k % 3 > 0).then(|| Tied { n: k, a: k % 2 == 0, b: k % 4 == 0, c: true });
                p[i] = match (edge(k), edge(k / 2)) { (Some(x), Some(y)) => Some((x, y)), _ => None };
                l[i] = match k % 3 { 0 => None, 1 => Some(Ok(k * 1000)), _ => Some(Err(k as u8)) };
                a[i] = edge(k).map(|e| [e, Edge::West, e]);
            }
        }
        pub fn read_scalars(b: &[Option<bool>], c: &[Option<char>], e: &[Option<Edge>], g: &[Option<Gaps>], o: &[Option<Ends>], r: &[Option<std::cmp::Ordering>], out: &mut [i64]) {
            #[omp::target]
            for i in 0..out.len() {
                let mut n = b[i].map_or(5, |v| v as i64);
                n += c[i].map_or(-7, |v| v as i64) * 10;
                if let Some(e) = e[i] { n += e as i64 * 3; }
                n += match g[i] { Some(Gaps::Low) => 1, Some(g) => g as i64, None => 77 };
                n += match o[i] { Some(Ends::Last) => 1000, Some(_) => 2000, None => 3000 };
                n += r[i].is_some_and(|o| o.is_lt()) as i64 * 10000;
                n += (e[i] == Some(Edge::North)) as i64 * 100000 + (b[i] < Some(true)) as i64 * 1000000;
                n += (g[i].max(Some(Gaps::Zero)).is_none()) as i64 + e[i].cmp(&e[(i + 1) % out.len()]) as i64 * 7;
                n += c[i].or(Some('q')).unwrap_or_default() as i64 + b[i].unwrap_or(true) as i64;
                out[i] = n;
            }
        }
        pub fn read_nested(b: &[Option<Option<bool>>], u: &[Option<Option<u8>>], w: &[Option<(u64, Option<f32>, bool)>], d: &[Deep], q: &[[Option<char>; 3]]) -> f64 {
            let mut sum = 0.0;
            #[omp::target(reduction(+: sum))]
            for i in 0..b.len() {
                let mut n = 0.0;
                n += match b[i] { None => 1.0, Some(None) => 2.0, Some(Some(v)) => 3.0 + v as u8 as f64 };
                n += match u[i] { None => 10.0, Some(None) => 20.0, Some(Some(v)) => 30.0 + v as f64 };
                if let Some((a, f, t)) = w[i] { n += a as f64 + f.unwrap_or(0.5) as f64 + t as u8 as f64; }
                n += match d[i] { None => 100.0, Some(None) => 200.0, Some(Some((k, None))) => 300.0 + k as f64, Some(Some((k, Some(e)))) => 400.0 + e as u8 as f64 * 2.0 + k as f64 };
                for c in q[i] { n += c.map_or(0.25, |c| c as u32 as f64); }
                sum += n;
            }
            sum
        }
        pub fn read_structs(v: &[Option<Visit>], s: &[Option<Shape>], t: &[Option<Tied>], p: &[Option<(Edge, Edge)>], l: &[Option<Result<u32, u8>>], a: &[Option<[Edge; 3]>], out: &mut [f64]) {
            #[omp::target]
            for (i, out) in out.iter_mut().enumerate() {
                let mut n = 0.0;
                if let Some(Visit { at, open, by, id }) = v[i] { n += at + open as u8 as f64 + by as u8 as f64 * 2.0 + id as f64; }
                n += match s[i] { None => 0.5, Some(Shape::Dot) => 1.5, Some(Shape::Circle(r)) => r as f64, Some(Shape::Box { w, h }) => w as f64 * h as f64 };
                n += t[i].map_or(3.0, |t| t.n as f64 + t.a as u8 as f64 + t.b as u8 as f64 * 2.0 + t.c as u8 as f64 * 4.0);
                n += p[i].map_or(0.125, |(x, y)| (x as u8 * 4 + y as u8) as f64);
                n += match l[i] { None => 0.0, Some(Ok(v)) => v as f64, Some(Err(e)) => -(e as f64) };
                n += a[i].is_some() as u8 as f64 + a[i].map_or(0, |a| a[1] as u8 + a[2] as u8) as f64;
                *out = n + (p[i] == Some((Edge::East, Edge::South))) as u8 as f64;
            }
        }
        pub fn change(v: &mut [Option<Visit>], b: &mut [Option<bool>], d: &mut [Deep]) {
            #[omp::target]
            for i in 0..v.len() {
                if let Some(v) = &mut v[i] { v.at += 1.0; v.open = !v.open; if v.id % 3 == 0 { v.by = Edge::West; } }
                if i % 4 == 0 { v[i] = None; }
                b[i] = b[i].map(|v| !v);
                if let Some(Some((k, e))) = d[i].as_mut() { *k += 1; *e = None; } else { d[i] = Some(Some((1, Some(Edge::North)))); }
            }
        }
    }

    #[test]
    fn scalars() {
        compare!(m, d => {
            let n = 100;
            let (mut b, mut c, mut e, mut g, mut o, mut r) = (vec![None; n], vec![Some('a'); n], vec![None; n], vec![None; n], vec![None; n], vec![None; n]);
            m::scalars(&mut b, &mut c, &mut e, &mut g, &mut o, &mut r);
            let mut out = vec![0; n];
            m::read_scalars(&b, &c, &e, &g, &o, &r, &mut out);
            (format!("{b:?} {c:?} {e:?} {g:?} {o:?} {r:?}"), out)
        });
    }

    #[test]
    fn nested() {
        compare!(m, d => {
            let n = 100;
            let (mut b, mut u, mut w, mut e, mut q) = (vec![None; n], vec![None; n], vec![None; n], vec![None; n], vec![[None; 3]; n]);
            m::nested(&mut b, &mut u, &mut w, &mut e, &mut q);
            (format!("{b:?} {u:?} {w:?} {e:?} {q:?}"), m::read_nested(&b, &u, &w, &e, &q))
        });
    }

    #[test]
    fn structs() {
        compare!(m, d => {
            let n = 100;
            let (mut v, mut s, mut t, mut p, mut l, mut a) = (vec![None; n], vec![None; n], vec![None; n], vec![None; n], vec![None; n], vec![None; n]);
            m::structs(&mut v, &mut s, &mut t, &mut p, &mut l, &mut a);
            let mut out = vec![0.0; n];
            m::read_structs(&v, &s, &t, &p, &l, &a, &mut out);
            let written = format!("{v:?} {s:?} {t:?} {p:?} {l:?} {a:?}");
            let (mut b, mut e) = (vec![Some(true); n], vec![None; n]);
            for i in 0..n { b[i] = (i % 3 > 0).then_some(i % 2 == 0); e[i] = (i % 2 > 0).then_some((i % 5 > 0).then_some((i as u8, None))); }
            m::change(&mut v, &mut b, &mut e);
            (written, out, format!("{v:?} {b:?} {e:?}"))
        });
    }
}

mod parts {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
        pub enum Edge { South, East, North, West }
        use Edge::*;
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        #[repr(u8)]
        pub enum Op { Push(Option<bool>), Pop, Cell { at: Option<(Edge, u16)>, sign: Option<char> } }
        /// `Option`s as fields.
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct Tile { pub walls: [Option<Edge>; 3], pub mark: Option<char>, pub seen: Option<bool>, pub deep: Option<Option<u16>>, pub weight: f64 }
        #[omp::declare_target]
        const LINES: [[Option<(Edge, Edge)>; 2]; 4] = [[None, None], [Some((West, South)), None], [Some((South, East)), Some((East, North))], [None, Some((West, West))]];
        #[omp::declare_target]
        const NESTED: [Option<Option<u8>>; 3] = [None, Some(None), Some(Some(200))];
        #[omp::declare_target]
        const OPS: [Op; 4] = [Op::Push(None), Op::Push(Some(true)), Op::Pop, Op::Cell { at: None, sign: Some('é') }];
        #[omp::declare_target]
        static TILES: [Option<Tile>; 2] = [None, Some(Tile { walls: [None, Some(West), None], mark: None, seen: Some(false), deep: Some(None), weight: 2.5 })];
        #[omp::declare_target]
        const START: Option<char> = None;

        #[omp::declare_target]
        fn of_op(o: Op) -> u64 {
            match o {
                Op::Push(None) => 1,
                Op::Push(Some(v)) => 2 + v as u64,
                Op::Pop => 4,
                Op::Cell { at, sign } => at.map_or(5, |(e, n)| e as u64 + n as u64) * 1000 + sign.map_or(6, |c| c as u64),
            }
        }
        pub fn write(t: &mut [Tile], o: &mut [Op]) {
            #[omp::target]
            for i in 0..t.len() {
                t[i].walls[i % 3] = if i % 2 == 0 { Some(North) } else { None };
                t[i].mark = char::from_digit(i as u32 % 20, 10);
                t[i].deep = match i % 3 { 0 => None, 1 => Some(None), _ => Some(Some(i as u16)) };
                if let Some(s) = &mut t[i].seen { *s = !*s; } else { t[i].seen = Some(true); }
                o[i] = match i % 5 { 0 => Op::Push(t[i].seen), 1 => Op::Pop, 2 => Op::Push(None), _ => Op::Cell { at: t[i].walls[0].map(|e| (e, i as u16)), sign: t[i].mark } };
            }
        }
        pub fn read(t: &[Tile], o: &[Op], out: &mut [u64]) {
            let last: Option<Edge> = if t.len() > 3 { Some(West) } else { None };
            let first = t[0];
            #[omp::target]
            for i in 0..out.len() {
                let mut n = of_op(o[i]) + of_op(OPS[i % 4]) * 7;
                for line in LINES[i % 4].iter().flatten() { n += 10 * line.0 as u64 + line.1 as u64; }
                for w in t[i].walls { n += w.map_or(100, |e| e as u64 * 1000); }
                n += match NESTED[i % 3] { None => 1, Some(None) => 2, Some(Some(v)) => v as u64 };
                if let Some(tile) = TILES[i % 2] { n += tile.weight as u64 + tile.walls[1].map_or(50, |e| e as u64) + tile.deep.is_some() as u64; }
                n += (t[i].seen == first.seen) as u64 + (t[i].walls == first.walls) as u64 * 5 + START.is_none() as u64;
                n += match last { Some(e) => e as u64, None => 99 };
                out[i] = n;
            }
        }
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct Best { pub at: Option<(Edge, u16)>, pub value: u32 }
        #[omp::declare_reduction(better: Best, identity = Best { at: None, value: 0 })]
        fn better(a: Best, b: Best) -> Best {
            match (a.at, b.at) {
                (None, _) => b,
                (_, None) => a,
                (Some((_, x)), Some((_, y))) => if (a.value, y) >= (b.value, x) { a } else { b },
            }
        }
        pub fn best(x: &[u32]) -> Best {
            let mut found = Best { at: None, value: 0 };
            #[omp::target(reduction(better: found))]
            for i in 0..x.len() {
                let at = if x[i] % 3 == 0 { None } else { Some((North, i as u16)) };
                found = better(found, Best { at, value: x[i] });
            }
            found
        }
    }

    #[test]
    fn parts() {
        compare!(m, d => {
            let n = 67;
            let tile = m::Tile { walls: [Some(m::Edge::West), None, None], mark: Some('x'), seen: None, deep: Some(Some(5)), weight: 0.5 };
            let (mut t, mut o, mut out) = (vec![tile; n], vec![m::Op::Pop; n], vec![0; n]);
            m::write(&mut t, &mut o);
            m::write(&mut t, &mut o);
            m::read(&t, &o, &mut out);
            let x: Vec<u32> = (0..1000).map(|i| i * 7919 % 1009).collect();
            format!("{t:?} {o:?} {out:?} {:?}", m::best(&x))
        });
    }
}
