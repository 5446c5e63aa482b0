//! Reduction items and scan values in a source: their types, identities, and the operators as text.
use super::body::Body;
use super::expr;
use super::expr::literal;
use super::helpers::c_name;
use super::writer::{read_float, read_int};
use crate::back::{Arg, Dialect};
use omp_ir::desc::Prim;
use omp_ir::kernel::{Kernel, Reducer};
use omp_ir::template::{BinOp, ReduceOp};
use std::fmt::Write as _;

/// A value that threads combine: a field of `items`.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub reducer: Reducer,
    /// The local that the body updates.
    pub local: String,
    /// Its type in memory.
    pub ty: String,
    /// The identity.
    pub identity: String,
    /// The starting value of a thread's copy.
    pub start: String,
}

/// The scalar items of a kernel with their positions among its reductions.
pub(crate) fn items(body: &mut Body<'_, '_>) -> Vec<(usize, Item)> {
    let kernel = body.w.kernel;
    let locals = kernel.template.reductions.iter().enumerate().filter_map(|(k, r)| Some((k, r.local()?)));
    locals
        .map(|(k, local)| {
            let reducer = kernel.reducers[k].clone();
            let ty = body.code.local_ty[local.index()];
            let mut identity = body.reducer_identity(&reducer);
            let mut start = identity.clone();
            // `fmin` and `fmax` drop a NaN: for combining copies that start from the item it changes nothing.
            if let (Some(scalar), Reducer::Builtin(_, prim)) = (kernel.template.reductions[k].start, &reducer)
                && prim.is_float()
            {
                start = body.arg(Arg::Scalar(scalar));
                identity = literal::float(body.w.syntax, *prim, f64::NAN);
            }
            let item = Item {
                local: body.locals[local.index()].clone(),
                ty: body.w.memory_type(ty),
                identity,
                start,
                reducer,
            };
            (k, item)
        })
        .collect()
}

/// An operator needs a context: a declared one can fail.
pub(crate) fn in_context(body: &Body<'_, '_>) -> bool {
    body.w.operators_can_fail()
}

impl super::writer::Writer<'_> {
    /// Whether a declared operator has a check.
    pub(crate) fn operators_can_fail(&self) -> bool {
        self.kernel.reducers.iter().chain(&self.kernel.inner_reducers).any(|r| match r {
            Reducer::Builtin(..) => false,
            Reducer::Declared { function, .. } => self.functions.can_fail(*function),
        })
    }
}

/// Bytes beyond which items that hold parts narrower than a word are large; the first where one of more bytes isn't even
/// aligned as a word is.
const LARGE: u64 = 48;
const LARGE_MIXED: u64 = 128;
const WORD: usize = 4;

impl super::writer::Writer<'_> {
    /// Whether CUDA would move so many bytes in registers, some of them less than a word wide, that its compiler packs and
    /// spills them: with each move of bytes written out it took minutes, and of 16 bits in 288 bytes ptxas 13.0 made
    /// wrong code on `sm_90` (right at `-O0`). A scan of 61 bytes took NVRTC 35 s in registers and takes 0.6 s in memory; one of
    /// 24 numbers of 16 bits takes 3 s in registers. What is made of words alone is done in seconds and nine times as fast in
    /// registers.
    pub(crate) fn has_large_items(&self) -> bool {
        let kernel = self.kernel;
        let types = &kernel.types;
        let is_large = |reducers: &[Reducer]| {
            let (mut bytes, mut narrowest, mut most, mut declared) = (0, WORD, LARGE_MIXED, false);
            for reducer in reducers {
                let (size, width) = match reducer {
                    Reducer::Builtin(_, prim) => (prim.size() as u64, prim.size()),
                    Reducer::Declared { ty, .. } => {
                        declared = true;
                        let size = types.size(*ty).unwrap_or(0);
                        if size > LARGE && types.align(*ty) < WORD {
                            most = LARGE;
                        }
                        (size, types.narrowest(*ty))
                    }
                };
                bytes += size;
                narrowest = narrowest.min(width);
            }
            // Without a declared one items don't move as the bytes of a union.
            declared && narrowest < WORD && bytes > most
        };
        self.syntax.dialect == Dialect::Cuda
            && (is_large(&kernel.reducers) || is_large(&kernel.inner_reducers))
    }

    /// The definition of a type of items. A large one is a union with words, so that it is copied word by word, whatever its fields.
    pub(crate) fn items_type(&self, fields: &str, name: &str) -> String {
        if self.has_large_items() {
            return format!(
                "typedef struct {{{fields} }} {name}_alone;\n\
                 typedef union {{ struct {{{fields} }}; u32 as_words[(sizeof({name}_alone) + 3) / 4]; }} {name};"
            );
        }
        format!("typedef struct {{{fields} }} {name};")
    }

    /// The text of functions and kernel. Code that moves large items is emitted once, in functions and loops.
    pub(crate) fn moving_items(&self, text: &str) -> String {
        if !self.has_large_items() {
            return text.to_owned();
        }
        let line = |line: &str| match line {
            _ if line.trim() == "#pragma unroll" => format!("{line} 1\n"),
            _ if line.contains("item") => line.replace("__forceinline__", "__noinline__") + "\n",
            _ => format!("{line}\n"),
        };
        text.lines().map(line).collect()
    }
}

impl Body<'_, '_> {
    /// The identity, as an expression.
    pub(crate) fn reducer_identity(&mut self, reducer: &Reducer) -> String {
        match reducer {
            Reducer::Builtin(op, prim) => {
                let bits = op.identity(*prim).unwrap_or(0).to_le_bytes();
                self.constant(*prim, &bits[..prim.size()])
            }
            Reducer::Declared { function: _, identity, ty } => match self.w.types.scalar(*ty) {
                Some(prim) => self.constant(prim, identity),
                None => self.w.table("identity_value", *ty, identity),
            },
        }
    }

    fn constant(&self, prim: Prim, bytes: &[u8]) -> String {
        if prim.is_float() {
            literal::float(self.w.syntax, prim, read_float(prim, bytes))
        } else {
            literal::int(self.w.syntax, prim, read_int(prim, bytes))
        }
    }

    /// The operator on two values. `cx` is the current context, for operators that can fail.
    pub(crate) fn combine(&mut self, reducer: &Reducer, a: &str, b: &str, cx: &str) -> String {
        match reducer {
            Reducer::Builtin(op, prim) => self.builtin(*op, *prim, a, b),
            Reducer::Declared { function, .. } => {
                let name = self.function_name(*function, &[]);
                let cx = if self.w.functions.can_fail(*function) { format!("{cx}, ") } else { String::new() };
                format!("{name}({cx}{a}, {b})")
            }
        }
    }

    /// A built-in operator on two values.
    pub(crate) fn builtin(&mut self, op: ReduceOp, prim: Prim, a: &str, b: &str) -> String {
        match op {
            ReduceOp::Add => self.arith(BinOp::Add, prim, a, b),
            ReduceOp::Mul => self.arith(BinOp::Mul, prim, a, b),
            ReduceOp::Min if prim.is_float() => format!("{}({a}, {b})", self.w.syntax.math("fmin", prim)),
            ReduceOp::Max if prim.is_float() => format!("{}({a}, {b})", self.w.syntax.math("fmax", prim)),
            ReduceOp::Min => format!("({b} < {a} ? {b} : {a})"),
            ReduceOp::Max => format!("({b} > {a} ? {b} : {a})"),
            ReduceOp::BitAnd => format!("({a} & {b})"),
            ReduceOp::BitOr => format!("({a} | {b})"),
            ReduceOp::BitXor => format!("({a} ^ {b})"),
            ReduceOp::And => format!("({a} && {b})"),
            ReduceOp::Or => format!("({a} || {b})"),
        }
    }

    /// Defines the struct of all items with identity, operator, and the ways that items go between threads. `pieces`
    /// of the templates come after them, in order.
    pub(crate) fn define_items(&mut self, items: &[(usize, Item)], pieces: &[&str], shuffles: &[Shuffle]) {
        let s = self.w.syntax;
        let (mut fields, mut identity, mut joined) = (String::new(), String::new(), String::new());
        for (k, item) in items {
            let _ = write!(fields, " {} v{k};", item.ty);
            let _ = write!(identity, " r.v{k} = {};", item.identity);
            let both = self.combine(&item.reducer, &format!("a.v{k}"), &format!("b.v{k}"), "cx");
            let _ = write!(joined, " r.v{k} = {};", expr::bare(&both));
        }
        if items.is_empty() {
            fields.push_str(" u32 nothing;");
            identity.push_str(" r.nothing = 0u;");
            joined.push_str(" r = a;");
        }
        let (helper, global) = (s.helper, s.global);
        let (param, arg) = if in_context(self) { ("context* cx,", "cx,") } else { ("", "") };
        let mut text = format!(
            "#define CX_PARAM {param}\n#define CX_ARG {arg}\n#define PARTIAL_BYTES {}u\n\
             {}\n\
             typedef union {{ items all; u32 words[(sizeof(items) + 3) / 4]; }} item_words;\n\
             {helper}items identity(void) {{ items r;{identity} return r; }}\n\
             {helper}items combine(CX_PARAM items a, items b) {{ items r;{joined} return r; }}\n\
             {helper}items load_partial(const {global}u8* p) {{\n    item_words r;\n    \
             for (u32 k = 0; k < (sizeof(items) + 3) / 4; k++) r.words[k] = ((volatile const {global}u32*)p)[k];\n    \
             return r.all;\n}}\n",
            partial_bytes(self.w.kernel),
            self.w.items_type(&fields, "items"),
        );
        text.push_str(&self.shuffle(items, shuffles));
        let file = match s.dialect {
            Dialect::Cuda => include_str!("../../templates/reduce.cuh"),
            Dialect::OpenCl => include_str!("../../templates/reduce.cl"),
        };
        if s.dialect == Dialect::OpenCl {
            let single = pieces.contains(&"single");
            let barrier = if single { "" } else { "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)" };
            let [x, y, z] = self.w.schedule.block;
            let _ = writeln!(text, "#define GROUP_BARRIER() {barrier}\n#define GROUP_ITEMS {}u", x * y * z);
        }
        for piece in pieces {
            let _ = write!(text, "\n{}\n", super::helpers::find(file, piece).unwrap_or_default());
        }
        self.w.late.push_str(&text);
    }

    /// Declares an item's variable.
    pub(crate) fn declare_item(&mut self, item: &Item) {
        self.out.line(format!("{} {} = {};", item.ty, item.local, item.start));
    }

    /// The first arguments of a template function that may combine: the context.
    pub(crate) fn context_arg(&self) -> &'static str {
        if in_context(self) { "&cx, " } else { "" }
    }

    /// The functions that fetch the items of other lanes.
    fn shuffle(&self, items: &[(usize, Item)], ways: &[Shuffle]) -> String {
        let helper = self.w.syntax.helper;
        let mut out = String::new();
        // Padding at the end is not shuffled.
        let words = match items {
            [(_, Item { reducer: Reducer::Declared { ty, .. }, .. })] => {
                self.w.kernel.types.used(*ty).map(|bytes| format!("{}u", bytes.div_ceil(4)))
            }
            _ => None,
        };
        let words = words.unwrap_or_else(|| "(sizeof(items) + 3) / 4".to_owned());
        for way in ways {
            let (name, by) = match way {
                Shuffle::Down => ("shuffle_down", "__shfl_down_sync"),
                Shuffle::Up => ("shuffle_up", "__shfl_up_sync"),
                Shuffle::From => ("shuffle_from", "__shfl_sync"),
            };
            let prims = items.iter().map(|(k, item)| match item.reducer {
                Reducer::Builtin(_, prim) => Some((*k, prim)),
                Reducer::Declared { .. } => None,
            });
            let Some(prims) = prims.collect::<Option<Vec<_>>>() else {
                let _ = writeln!(
                    out,
                    "{helper}items {name}(items a, u32 d) {{\n    item_words x;\n    \
                 x.words[(sizeof(items) + 3) / 4 - 1] = 0u;\n    x.all = a;\n#pragma unroll\n    \
                 for (u32 k = 0; k < {words}; k++) \
                 x.words[k] = {by}(0xffffffffu, x.words[k], d);\n    return x.all;\n}}"
                );
                continue;
            };
            let _ = write!(out, "{helper}items {name}(items a, u32 d) {{ items r;");
            for (k, prim) in prims {
                let _ = write!(out, " r.v{k} = {};", shuffled(prim, by, &format!("a.v{k}"), "d"));
            }
            if items.is_empty() {
                out.push_str(" r = a;");
            }
            out.push_str(" return r; }\n");
        }
        out
    }
}

/// A number of another lane, by an intrinsic of CUDA.
pub(crate) fn shuffled(prim: Prim, by: &str, value: &str, lane: &str) -> String {
    let c = if prim == Prim::Bool { "u8" } else { c_name(prim) };
    let wide = if prim.size() < 4 { "(int)" } else { "" };
    format!("({c}){by}(0xffffffffu, {wide}{value}, {lane})")
}

/// Which lane's items are fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shuffle {
    /// The lane that is so far above.
    Down,
    /// The lane that is so far below.
    Up,
    /// The lane of this number.
    From,
}

/// Bytes of a block's results in the partials.
pub(crate) fn partial_bytes(kernel: &Kernel) -> u32 {
    (kernel.result_places().1 as u32).max(16)
}
