//! Structural characters of JSON: quotes, escapes and depth by scans.
use omp_tests::twice;
twice! {
    pub fn structure(json: &[u8]) -> (Vec<u8>, Vec<i32>, i32) {
        let n = json.len();
        let mut escaped = vec![false; n];
        #[omp::target]
        for (i, e) in escaped.iter_mut().enumerate() {
            let backslashes = json[..i].iter().rev().take_while(|&&b| b == b'\\').count();
            *e = backslashes % 2 == 1;
        }
        let mut inside = vec![0u8; n];
        let mut quotes = 0u8;
        #[omp::target(scan(^: quotes))]
        for i in 0..n {
            quotes ^= (json[i] == b'"' && !escaped[i]) as u8;
            inside[i] = quotes;
        }
        let mut depth = vec![0i32; n];
        let mut level = 0;
        #[omp::target(scan(+: level))]
        for i in 0..n {
            level += match json[i] {
                b'{' | b'[' if inside[i] == 0 => 1,
                b'}' | b']' if inside[i] == 0 => -1,
                _ => 0,
            };
            depth[i] = level;
        }
        let mut deepest = 0;
        #[omp::target(reduction(max: deepest))]
        for d in depth.iter() { deepest = deepest.max(*d); }
        (inside, depth, deepest)
    }

    pub fn run() -> (Vec<u8>, Vec<i32>, i32) {
        structure(br#"{"a": [1, {"b\"]": "}{"}, [[]]], "c\\": {}}"#)
    }
}
port!(simd_json_scan: run());
