//! Types of the user's that have names of std's: `Vec`, `String`, `Option`, `Box` and others. Each means the user's, and runs on every device.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
use omp_tests::on_every_device;

mod vectors {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Vec {
        pub x: f32,
        pub y: f32,
    }

    #[omp::declare_target]
    impl Vec {
        pub fn norm(&self) -> f32 {
            self.x * self.x + self.y * self.y
        }
    }

    #[omp::declare_target]
    pub fn turned(v: Vec) -> Vec {
        let back: Vec = v;
        Vec { x: -back.y, y: back.x }
    }

    #[omp::offload]
    pub fn norms(d: usize, v: &[Vec], one: Vec, turns: &mut [Vec], y: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let turn: Vec = turned(one);
            turns[i] = Vec { x: turn.x + v[i].x, y: turn.y };
            y[i] = v[i].norm() + one.x;
        }
    }
}

mod strings {
    #[derive(Clone, Copy, omp::Device)]
    pub struct String {
        pub tension: u32,
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Guitar {
        pub strings: [String; 6],
        pub first: String,
    }

    #[omp::offload]
    pub fn tensions(d: usize, guitars: &[Guitar], other: String, y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let first: String = guitars[i].first;
            y[i] = guitars[i].strings[2].tension + other.tension + first.tension;
        }
    }
}

/// Its types are in scope by a glob, which no file shows.
mod imported {
    pub mod types {
        #[derive(Clone, Copy, omp::Device)]
        #[repr(u8)]
        pub enum Option {
            Call,
            Put,
        }

        #[derive(Clone, Copy, omp::Device)]
        pub struct Box {
            pub low: f32,
            pub high: f32,
        }
    }
    use types::*;

    #[derive(Clone, Copy, omp::Device)]
    pub struct Deal {
        pub kind: Option,
        pub bounds: Box,
    }

    #[omp::declare_target]
    fn worth(kind: Option, bounds: Box, price: f32) -> f32 {
        match kind {
            Option::Call => (price - bounds.low).max(0.0),
            Option::Put => (bounds.high - price).max(0.0),
        }
    }

    #[omp::offload]
    pub fn prices(d: usize, deals: &[Deal], boxes: &[Box], kind: Option, y: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = worth(deals[i].kind, deals[i].bounds, 3.0) + worth(kind, boxes[i], 2.0);
        }
    }
}

/// Made by a macro.
mod made {
    macro_rules! value {
        ($($name:ident)*) => { $(
            #[derive(Clone, Copy, omp::Device)]
            pub struct $name {
                pub v: u32,
            }
        )* };
    }
    value! { HashMap RefCell Mutex Result }

    #[omp::offload]
    pub fn sums(d: usize, cells: &[RefCell], map: HashMap, lock: &Mutex, result: Result, y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = cells[i].v + map.v + lock.v + result.v;
        }
    }
}

#[test]
fn types_named_as_stds() {
    on_every_device(|d| {
        use vectors::Vec as Vector;
        let v: Vec<_> = (0..50u8).map(|i| Vector { x: f32::from(i), y: 2.0 }).collect();
        let (mut turns, mut y) = (v.clone(), vec![0.0; 50]);
        vectors::norms(d, &v, Vector { x: 1.0, y: 3.0 }, &mut turns, &mut y);
        for i in 0..50u8 {
            let x = f32::from(i);
            assert_eq!(y[usize::from(i)], x * x + 5.0);
            assert_eq!([turns[usize::from(i)].x, turns[usize::from(i)].y], [x - 3.0, 1.0]);
        }

        use strings::{Guitar, String};
        let guitars: Vec<_> = (0..20)
            .map(|i| Guitar { strings: [String { tension: i }; 6], first: String { tension: 100 } })
            .collect();
        let mut y = vec![0; 20];
        strings::tensions(d, &guitars, String { tension: 1_000 }, &mut y);
        assert_eq!(y, (1_100..1_120).collect::<Vec<_>>());

        use imported::types::{Box, Option};
        let bounds = Box { low: 1.0, high: 7.0 };
        let deals = [(Option::Call, 2.0), (Option::Put, 4.0)];
        let mut y = [0.0; 2];
        let of = deals.map(|(kind, _)| imported::Deal { kind, bounds });
        imported::prices(d, &of, &[bounds; 2], Option::Call, &mut y);
        assert_eq!(y, deals.map(|(_, worth)| worth + 1.0));

        let mut y = vec![0; 9];
        let cells: Vec<_> = (0..9).map(|v| made::RefCell { v }).collect();
        let (map, lock, result) =
            (made::HashMap { v: 10 }, made::Mutex { v: 100 }, made::Result { v: 1_000 });
        made::sums(d, &cells, map, &lock, result, &mut y);
        assert_eq!(y, (1_110..1_119).collect::<Vec<_>>());
    });
}
