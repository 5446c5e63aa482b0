//! Prints random loop bodies as Rust: typed, terminating, free of races and of overflow, with one right answer (floats
//! have `+ - * /` and comparisons only). Each is printed twice, as an annotated function and as a plain one.
use crate::Values;
use std::fmt::Write as _;

const INTS: [&str; 10] = ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
const FLOATS: [&str; 2] = ["f32", "f64"];

/// A file of `count` bodies.
#[must_use]
pub fn file(count: u64) -> String {
    let mut text = String::from(
        "//! Made by `omp_tests::bodies`; change the generator, then run\n\
         //! `cargo test -p omp-tests --test programs -- --ignored random_bodies`.\n\
         use super::case;\n",
    );
    for k in 0..count {
        Body::new(k).print(&mut text, k);
    }
    text
}

struct Body {
    random: Values,
    text: String,
    indent: usize,
    names: u32,
    /// Statements that may still be made.
    budget: u32,
    /// Names that can be read, with their types.
    scope: Vec<(String, &'static str)>,
    /// Those of them that can be assigned.
    mutable: Vec<(String, &'static str)>,
    /// Local arrays: name, element, length.
    locals: Vec<(String, &'static str, usize)>,
    inputs: [&'static str; 3],
    outputs: [&'static str; 2],
}

impl Body {
    fn new(seed: u64) -> Self {
        let mut random = Values(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678);
        let mut any = |floats: bool| {
            let all = if floats { 12 } else { 10 };
            let k = random.bits() as usize % all;
            INTS.iter().chain(&FLOATS).copied().nth(k).unwrap_or("i32")
        };
        let (inputs, outputs) = ([any(true), any(false), any(true)], [any(true), any(true)]);
        Self {
            random,
            text: String::new(),
            indent: 2,
            names: 0,
            budget: 14,
            scope: Vec::new(),
            mutable: Vec::new(),
            locals: Vec::new(),
            inputs,
            outputs,
        }
    }

    fn print(mut self, into: &mut String, k: u64) {
        self.scope.push(("i".into(), "usize"));
        self.scope.push(("s".into(), self.inputs[1]));
        self.line("let mut h: u64 = 7;");
        self.scope.push(("h".into(), "u64"));
        while self.budget > 0 {
            self.stmt(3);
            self.gather();
        }
        let (e, f) = (self.expr(self.outputs[0], 2), self.expr(self.outputs[1], 2));
        let (e, f) = (self.mixed(self.outputs[0], e), self.mixed(self.outputs[1], f));
        self.line(&format!("y[i] = {e};"));
        self.line(&format!("z[i] = {f};"));
        let ([a, b, c], [y, z]) = (self.inputs, self.outputs);
        let head = format!("a: &[{a}], b: &[{b}], c: &[{c}], s: {b}, y: &mut [{y}], z: &mut [{z}]");
        let body = &self.text;
        let _ = write!(
            into,
            "\npub mod body_{k} {{\n    #[omp::offload]\n    pub fn device(d: usize, {head}) {{\n        \
             #[omp::target(device(d), fp(strict))]\n        for i in 0..y.len() {{\n{body}        }}\n    }}\n\n    \
             pub fn serial({head}) {{\n        for i in 0..y.len() {{\n{body}        }}\n    }}\n}}\n\
             case! {{ body_{k}: {a} {b} {c} {y} {z} }}\n"
        );
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.bits() as usize % n
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(list[self.below(list.len())].clone()) }
    }

    fn ty(&mut self) -> &'static str {
        match self.below(14) {
            k @ 0..10 => INTS[k],
            k @ 10..12 => FLOATS[k - 10],
            12 => "bool",
            _ => "i32",
        }
    }

    fn int(&mut self) -> &'static str {
        INTS[self.below(INTS.len())]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", self.indent * 4 + 4);
    }

    /// A result with what all statements left in `h`.
    fn mixed(&mut self, t: &str, e: String) -> String {
        if t.starts_with('f') { format!("{e} * (h % 1000) as {t}") } else { format!("{e} ^ h as {t}") }
    }

    /// Lets `h` depend on one of the latest names.
    fn gather(&mut self) {
        let late: Vec<_> = self.scope.iter().rev().take(5).filter(|(name, _)| name != "h").cloned().collect();
        if let Some((name, _)) = self.pick(&late) {
            self.line(&format!("h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ {name} as u64;"));
        }
    }

    /// A block of a few statements; its names go out of scope.
    fn block(&mut self, depth: u32, last: Option<String>) {
        let kept = (self.scope.len(), self.mutable.len(), self.locals.len());
        self.indent += 1;
        for _ in 0..1 + self.below(3) {
            self.stmt(depth - 1);
        }
        self.gather();
        if let Some(last) = last {
            self.line(&last);
        }
        self.indent -= 1;
        self.scope.truncate(kept.0);
        self.mutable.truncate(kept.1);
        self.locals.truncate(kept.2);
    }

    fn stmt(&mut self, depth: u32) {
        let most = if depth == 0 || self.budget == 0 { 9 } else { 15 };
        self.budget = self.budget.saturating_sub(1);
        match self.below(most) {
            0..3 => self.declare(),
            3..6 => self.assign(),
            6 => self.local_array(),
            7 => {
                let (t, u, name) = (self.ty(), self.ty(), self.name());
                let (e, f) = (self.expr(t, 2), self.expr(u, 2));
                if self.below(2) == 0 {
                    self.line(&format!("let {name}: ({t}, {u}) = ({e}, {f});"));
                    self.scope.push((format!("{name}.0"), t));
                    self.scope.push((format!("{name}.1"), u));
                } else {
                    let other = self.name();
                    self.line(&format!("let (mut {name}, {other}): ({t}, {u}) = ({e}, {f});"));
                    self.mutable.push((name.clone(), t));
                    self.scope.push((name, t));
                    self.scope.push((other, u));
                }
            }
            8 => {
                if let Some((name, t, n)) = self.pick(&self.locals.clone()) {
                    let (at, e) = (self.expr("usize", 2), self.expr(t, 2));
                    self.line(&format!("{name}[{at} % {n}] = {e};"));
                }
            }
            9..11 => {
                let c = self.expr("bool", 2);
                self.line(&format!("if {c} {{"));
                self.block(depth, None);
                if self.below(2) == 0 {
                    self.line("} else {");
                    self.block(depth, None);
                }
                self.line("}");
            }
            11 | 12 => self.counted(depth),
            13 => {
                let (t, name) = (self.int(), self.name());
                let (c, n) = (self.expr("bool", 2), 2 + self.below(5));
                self.line(&format!("let mut {name}: {t} = 0;"));
                self.line(&format!("while {name} < {n} && {c} {{"));
                self.scope.push((name.clone(), t));
                self.block(depth, Some(format!("{name} += 1;")));
                self.line("}");
            }
            _ => self.cases(depth),
        }
    }

    fn declare(&mut self) {
        let (t, name) = (self.ty(), self.name());
        let e = self.expr(t, 2);
        let m = if self.below(2) == 0 { "mut " } else { "" };
        self.line(&format!("let {m}{name}: {t} = {e};"));
        if !m.is_empty() {
            self.mutable.push((name.clone(), t));
        }
        self.scope.push((name, t));
    }

    fn assign(&mut self) {
        let Some((name, t)) = self.pick(&self.mutable.clone()) else { return self.declare() };
        let e = self.expr(t, 2);
        let op = match t {
            "bool" => self.pick(&["=", "&=", "|=", "^="]),
            "f32" | "f64" => self.pick(&["=", "+=", "-=", "*=", "/="]),
            _ => self.pick(&["=", "&=", "|=", "^="]),
        };
        self.line(&format!("{name} {} {e};", op.unwrap_or("=")));
    }

    fn local_array(&mut self) {
        let (t, n, name) = (self.ty(), 2 + self.below(4), self.name());
        let init = if self.below(2) == 0 {
            format!("[{}; {n}]", self.expr(t, 2))
        } else {
            let all: Vec<String> = (0..n).map(|_| self.expr(t, 1)).collect();
            format!("[{}]", all.join(", "))
        };
        self.line(&format!("let mut {name}: [{t}; {n}] = {init};"));
        self.locals.push((name, t, n));
    }

    fn counted(&mut self, depth: u32) {
        let (t, name, label) = (self.int(), self.name(), self.name());
        let (lo, n) = (self.below(3), 1 + self.below(5));
        let range = match self.below(4) {
            0 => format!("{lo}..={}", lo + n),
            1 => format!("({lo}..{}).rev()", lo + n),
            2 => format!("({lo}..{}).step_by(2)", lo + n),
            _ => format!("{lo}..{}", lo + n),
        };
        self.line(&format!("'{label}: for {name} in {range} {{"));
        self.indent += 1;
        let kept = self.scope.len();
        self.line(&format!("let {name}: {t} = {name};"));
        self.scope.push((name, t));
        if self.below(2) == 0 {
            let (c, word) = (self.expr("bool", 2), self.pick(&["break", "continue"]).unwrap_or("break"));
            self.line(&format!("if {c} {{ {word} '{label}; }}"));
        }
        self.indent -= 1;
        self.block(depth, None);
        self.scope.truncate(kept);
        self.line("}");
    }

    fn cases(&mut self, depth: u32) {
        let t = self.int();
        let e = self.expr(t, 2);
        self.line(&format!("match {e} & 7 {{"));
        self.indent += 1;
        for arm in ["0", "1 | 2", "3..=5", "_"] {
            self.line(&format!("{arm} => {{"));
            self.block(depth, None);
            self.line("}");
        }
        self.indent -= 1;
        self.line("}");
    }

    fn expr(&mut self, t: &'static str, depth: u32) -> String {
        if depth == 0 || self.below(5) == 0 {
            return self.leaf(t);
        }
        if self.below(8) == 0 {
            let (c, e, f) = (self.expr("bool", depth - 1), self.expr(t, depth - 1), self.expr(t, depth - 1));
            return format!("(if {c} {{ {e} }} else {{ {f} }})");
        }
        match t {
            "bool" => self.truth(depth),
            "f32" | "f64" => {
                if self.below(4) == 0 {
                    let from = self.pick(&["f32", "f64", self.inputs[1], "i32", "u64"]).unwrap_or("i32");
                    return format!("({} as {t})", self.expr(from, depth - 1));
                }
                let (e, f) = (self.expr(t, depth - 1), self.expr(t, depth - 1));
                format!("({e} {} {f})", self.pick(&["+", "-", "*", "/"]).unwrap_or("+"))
            }
            _ => self.integer(t, depth),
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        if self.below(3) == 0 {
            let (e, f) = (self.expr("bool", depth - 1), self.expr("bool", depth - 1));
            return format!("({e} {} {f})", self.pick(&["&&", "||", "^", "&", "|"]).unwrap_or("&&"));
        }
        let t = self.ty();
        let (e, f) = (self.expr(t, depth - 1), self.expr(t, depth - 1));
        format!("({e} {} {f})", self.pick(&["<", "<=", ">", ">=", "==", "!="]).unwrap_or("<"))
    }

    fn integer(&mut self, t: &'static str, depth: u32) -> String {
        let e = self.expr(t, depth - 1);
        match self.below(10) {
            0..3 => {
                let methods = [
                    "wrapping_add",
                    "wrapping_sub",
                    "wrapping_mul",
                    "saturating_add",
                    "saturating_sub",
                    "saturating_mul",
                    "min",
                    "max",
                ];
                let (method, f) = (self.pick(&methods).unwrap_or("min"), self.expr(t, depth - 1));
                format!("{e}.{method}({f})")
            }
            3 => format!("({e} {} {})", self.pick(&["&", "|", "^"]).unwrap_or("&"), self.expr(t, depth - 1)),
            4 => {
                let methods = ["wrapping_div", "wrapping_rem", "wrapping_div_euclid", "wrapping_rem_euclid"];
                let (method, f) = (self.pick(&methods).unwrap_or("wrapping_div"), self.expr(t, depth - 1));
                format!("{e}.{method}({f} | 1)")
            }
            5 => {
                let methods = ["rotate_left", "rotate_right", "wrapping_shl", "wrapping_shr"];
                let (method, f) = (self.pick(&methods).unwrap_or("rotate_left"), self.expr("u32", depth - 1));
                format!("{e}.{method}({f})")
            }
            6 => {
                let methods = ["swap_bytes", "reverse_bits", "wrapping_neg"];
                format!("{e}.{}()", self.pick(&methods).unwrap_or("swap_bytes"))
            }
            7 => format!("(!{e})"),
            _ => {
                let from = self.ty();
                format!(
                    "({} as {t})",
                    if from == "bool" { self.expr("bool", depth - 1) } else { self.number(from, depth) }
                )
            }
        }
    }

    /// What is cast: half of them the element of an input.
    fn number(&mut self, from: &'static str, depth: u32) -> String {
        if self.below(2) == 0 { self.leaf(from) } else { self.expr(from, depth - 1) }
    }

    fn leaf(&mut self, t: &'static str) -> String {
        let known: Vec<String> = self.scope.iter().filter(|(_, u)| *u == t).map(|(n, _)| n.clone()).collect();
        let mut places: Vec<String> = ["a", "b", "c"]
            .iter()
            .zip(self.inputs)
            .filter(|(_, u)| *u == t)
            .map(|(array, _)| format!("{array}[i]"))
            .collect();
        for (name, u, n) in self.locals.clone() {
            if u == t {
                let at = self.below(n);
                places.push(if self.below(2) == 0 {
                    format!("{name}[{at}]")
                } else {
                    format!("{name}[(i + {at}) % {n}]")
                });
            }
        }
        match self.below(4) {
            0 | 1 if !known.is_empty() => self.pick(&known).unwrap_or_default(),
            2 if !places.is_empty() => self.pick(&places).unwrap_or_default(),
            _ if t == "bool" => {
                let u = self.number_in_sight();
                format!("({u} {} {})", self.pick(&["<", ">=", "=="]).unwrap_or("<"), self.below(100))
            }
            3 => self.literal(t),
            _ => format!("({} as {t})", self.number_in_sight()),
        }
    }

    /// An integer that is not a constant, as `i64`.
    fn number_in_sight(&mut self) -> String {
        let mut all: Vec<String> = vec!["b[i]".into()];
        all.extend(self.scope.iter().filter(|(_, u)| INTS.contains(u)).map(|(name, _)| name.clone()));
        format!("({} as i64)", self.pick(&all).unwrap_or_default())
    }

    fn literal(&mut self, t: &'static str) -> String {
        match t {
            "bool" => ["true", "false"][self.below(2)].into(),
            "f32" | "f64" => {
                let text = ["0.0", "1.0", "0.5", "-1.25", "3.0e7", "1.0e-3", "-0.1", "255.0"][self.below(8)];
                format!("({text}_{t})")
            }
            _ => match self.below(6) {
                0 => format!("{t}::MAX"),
                1 => format!("{t}::MIN"),
                2 if t.starts_with('i') => format!("(-{}{t})", self.below(100)),
                _ => format!("{}{t}", self.below(100)),
            },
        }
    }
}
