//! Recommendations: alternating least squares with a small Cholesky solver, SGD epochs of blocks, top-n lists.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Rating { pub item: u32, pub value: f32 }

    pub struct Ratings { pub start: Vec<usize>, pub entries: Vec<Rating> }

    #[omp::declare_target]
    fn cholesky_solve<const F: usize>(mut a: [[f32; F]; F], mut b: [f32; F]) -> Result<[f32; F], usize> {
        for j in 0..F {
            let d = a[j][j] - a[j][..j].iter().map(|v| v * v).sum::<f32>();
            if d <= 0.0 {
                return Err(j);
            }
            a[j][j] = d.sqrt();
            for i in j + 1..F {
                let dot: f32 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
                a[i][j] = (a[i][j] - dot) / a[j][j];
            }
        }
        for i in 0..F {
            b[i] = (b[i] - (0..i).map(|k| a[i][k] * b[k]).sum::<f32>()) / a[i][i];
        }
        for i in (0..F).rev() {
            let tail: f32 = (i + 1..F).map(|k| a[k][i] * b[k]).sum();
            b[i] = (b[i] - tail) / a[i][i];
        }
        Ok(b)
    }

    #[omp::declare_target]
    fn dot<const F: usize>(a: &[f32; F], b: &[f32; F]) -> f32 {
        a.iter().zip(b.iter()).map(|(x, y)| x * y).sum()
    }

    pub fn solve_side<const F: usize>(ratings: &Ratings, fixed: &[[f32; F]], lambda: f32, solved: &mut [[f32; F]]) -> usize {
        let mut failures = 0usize;
        #[omp::target(schedule(dynamic, 4), reduction(+: failures))]
        for (u, row) in solved.iter_mut().enumerate() {
            let mine = &ratings.entries[ratings.start[u]..ratings.start[u + 1]];
            if mine.is_empty() {
                continue;
            }
            let mut gram = [[0.0f32; F]; F];
            let mut rhs = [0.0f32; F];
            for &Rating { item, value } in mine {
                let x = &fixed[item as usize];
                for i in 0..F {
                    rhs[i] += value * x[i];
                    for j in 0..=i {
                        gram[i][j] += x[i] * x[j];
                    }
                }
            }
            for (i, line) in gram.iter_mut().enumerate() {
                line[i] += lambda * mine.len() as f32;
            }
            match cholesky_solve(gram, rhs) {
                Ok(x) => *row = x,
                Err(_) => failures += 1,
            }
        }
        failures
    }

    pub fn rmse<const F: usize>(ratings: &Ratings, users: &[[f32; F]], items: &[[f32; F]]) -> f64 {
        let mut squared = 0.0f64;
        #[omp::target(reduction(+: squared))]
        for u in 0..users.len() {
            for r in ratings.entries[ratings.start[u]..ratings.start[u + 1]].iter() {
                let e = r.value - dot(&users[u], &items[r.item as usize]);
                squared += f64::from(e).powi(2);
            }
        }
        (squared / ratings.entries.len() as f64).sqrt()
    }

    pub fn top<const F: usize, const N: usize>(ratings: &Ratings, users: &[[f32; F]], items: &[[f32; F]]) -> Vec<[(u32, f32); N]> {
        let mut lists = vec![[(u32::MAX, f32::NEG_INFINITY); N]; users.len()];
        #[omp::target]
        for (u, (list, user)) in lists.iter_mut().zip(users).enumerate() {
            let seen = &ratings.entries[ratings.start[u]..ratings.start[u + 1]];
            for (i, item) in items.iter().enumerate() {
                if seen.binary_search_by_key(&(i as u32), |r| r.item).is_ok() {
                    continue;
                }
                let score = dot(user, item);
                let Some(at) = list.iter().position(|&(_, s)| score > s) else { continue };
                list.copy_within(at..N - 1, at + 1);
                list[at] = (i as u32, score);
            }
        }
        lists
    }

    pub fn run() -> (Vec<f32>, Vec<[(u32, f32); 4]>) {
        let (users, items) = (14usize, 18usize);
        let mut by_user = Ratings { start: vec![0], entries: vec![] };
        for u in 0..users {
            for i in 0..items {
                if (u * 7 + i * 5) % 3 == 0 { by_user.entries.push(Rating { item: i as u32, value: 1.0 + ((u * i + u) % 5) as f32 }) }
            }
            by_user.start.push(by_user.entries.len());
        }
        let mut by_item = Ratings { start: vec![0], entries: vec![] };
        for i in 0..items {
            for u in 0..users {
                if (u * 7 + i * 5) % 3 == 0 { by_item.entries.push(Rating { item: u as u32, value: 1.0 + ((u * i + u) % 5) as f32 }) }
            }
            by_item.start.push(by_item.entries.len());
        }
        let mut x: Vec<[f32; 4]> = (0..users).map(|u| std::array::from_fn(|k| 0.5 + ((u * 3 + k) % 7) as f32 / 7.0)).collect();
        let mut y: Vec<[f32; 4]> = (0..items).map(|u| std::array::from_fn(|k| 0.5 + ((u * 5 + k * 2) % 9) as f32 / 9.0)).collect();
        let mut errors = vec![];
        for _ in 0..3 {
            let a = solve_side(&by_user, &y, 0.1, &mut x);
            let b = solve_side(&by_item, &x, 0.1, &mut y);
            errors.push(rmse(&by_user, &x, &y) + (a + b) as f64);
        }
        (errors.iter().map(|e| *e as f32).collect(), top(&by_user, &x, &y))
    }
}
port!(als: run());
