//! Writes the source of a kernel: its parts in their order, the parameters, type definitions, constant tables and failure sites.
use super::body::Body;
use super::expr::literal;
use super::function::Functions;
use super::helpers::Helpers;
use super::kernel;
use super::names::Namer;
use super::types::{Space, TypeTable, word_of};
use crate::back::syntax::Syntax;
use crate::back::{Arg, Dialect, FailureKind, Site, Source, Unsupported};
use crate::program::{Program, Term};
use crate::schedule::{Schedule, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::Iterations;
use omp_ir::desc::{OptionLayout, Prim};
use omp_ir::ids::{ArrayId, ExprId, FnId, LocalId, ScalarId, SrcId, TyId};
use omp_ir::kernel::{Kernel, Ty, TypedCode};
use omp_ir::method::{IntMethod, Method};
use omp_ir::template::{Base, BinOp, Expr, FpMode, LocalKind, Place, Projection, Stmt};
use omp_ir::visit;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

/// How much of the tables goes into constant memory: a CUDA device has 64 KiB, of which the driver takes some.
const CONSTANT_BYTES: usize = 48 << 10;

/// Rows of a scan along rows that a multiprocessor has at a time: more would only scatter over the memory, and so they may
/// have more registers.
const ROWS: u32 = 32;

/// Everything except the text of the body that is being written.
pub(crate) struct Writer<'k> {
    pub kernel: &'k Kernel,
    pub info: &'k KernelInfo,
    pub schedule: &'k Schedule,
    pub syntax: &'static Syntax,
    /// It may keep a signed number of 32 bits above zero: see `same_T` in `templates/int.h`.
    pub rectifies: bool,
    /// The device program of the recipe.
    pub program: Option<&'k Program>,
    /// The body of the iterations outside of its interior.
    pub border: Option<&'k TypedCode>,
    /// Names at file scope.
    pub globals: Namer,
    /// Names at file scope and in any function: what a new name at file scope must differ from.
    pub all: Namer,
    pub types: TypeTable<'k>,
    pub helpers: Helpers,
    pub functions: Functions,
    /// What calls device functions of its own: the operators of reductions.
    pub late: String,
    pub sites: Vec<Site>,
    /// See [`Source::inner`], and the functions that add values of such lists to the record, by their number.
    pub inner: Vec<Vec<LocalId>>,
    pub tellers: Vec<(usize, String)>,
    tables: HashMap<(TyId, Vec<u8>), String>,
    table_text: String,
    /// Bytes of the tables in constant memory so far.
    table_bytes: usize,
    /// Tables of which the threads of a warp read different elements at a time: constant memory delivers one after the other.
    scattered: HashSet<(TyId, Vec<u8>)>,
    /// See [`Source::constants`].
    pub constants: Vec<Constant>,
}

/// A [`back::Constant`](crate::back::Constant) by its arguments.
pub(crate) struct Constant {
    /// Its declaration.
    pub text: String,
    pub symbol: String,
    pub array: Arg,
    pub origin: Option<Arg>,
    pub first: Option<Arg>,
    pub element: usize,
    pub number: usize,
    pub bytes: usize,
}

impl Constant {
    fn placed(self, args: &[Arg]) -> crate::back::Constant {
        let place = |arg| args.iter().position(|a| *a == arg).expect("it is an argument");
        let Self { symbol, array, origin, first, element, number, bytes, text: _ } = self;
        let (array, origin, first) = (place(array), origin.map(place), first.map(place));
        crate::back::Constant { symbol, array, origin, first, element, number, bytes }
    }
}

/// Whether code may keep a signed number of 32 bits above zero, by a method or by a comparison.
fn rectifies(kernel: &Kernel, schedule: &Schedule) -> bool {
    let mut codes = kernel.fns.iter().map(|f| &f.body).chain([&kernel.body]);
    codes.any(|code| {
        let by_method = code
            .methods
            .iter()
            .flatten()
            .any(|m| matches!(m, Method::Int(IntMethod::Max | IntMethod::Clamp)));
        let compares = |e: &Expr| match e {
            Expr::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, a, _) => {
                let prim = kernel.types.prim(code.expr_ty[a.index()]);
                prim == Some(Prim::I32) || (!schedule.short.is_empty() && prim.is_some_and(|p| p.size() == 8))
            }
            _ => false,
        };
        by_method || code.code.exprs.iter().any(|node| compares(&node.expr))
    })
}

/// The tables with subscripts that are not made of numbers and of the variables of sequential loops alone.
fn scattered(kernel: &Kernel) -> HashSet<(TyId, Vec<u8>)> {
    let mut found = HashSet::new();
    for code in kernel.fns.iter().map(|f| &f.body).chain([&kernel.body]) {
        let mut parallel: BTreeSet<LocalId> = kernel.template.dims.iter().map(|dim| dim.var).collect();
        visit::each_stmt(&code.code.block, &mut |stmt| {
            if let Stmt::Inner(inner) = stmt {
                parallel.extend(super::stmt::inner::loops_of(inner).iter().map(|nest| nest.var));
            }
        });
        let is_sequential =
            |l: LocalId| code.code.locals[l.index()].kind == LocalKind::Loop && !parallel.contains(&l);
        let same = |index: &ExprId| {
            let mut same = true;
            visit::each_expr(&code.code, *index, &mut |e| {
                same &= match &code.code.exprs[e.index()].expr {
                    Expr::Int { .. } | Expr::Binary(..) | Expr::Cast { .. } => true,
                    Expr::Load(Place { base: Base::Local(l), projections }) => {
                        projections.is_empty() && is_sequential(*l)
                    }
                    Expr::Load(Place { base: Base::Const(_) | Base::Scalar(_), .. }) => true,
                    _ => false,
                };
            });
            same
        };
        for node in &code.code.exprs {
            if let Expr::Load(Place { base: Base::Const(id), projections }) = &node.expr
                && !projections
                    .iter()
                    .all(|p| if let Projection::Index { index, .. } = p { same(index) } else { true })
            {
                found.insert((code.const_ty[id.index()], code.consts[id.index()].bytes.clone()));
            }
        }
    }
    found
}

const WIDE: &str = "typedef unsigned __int128 u128;\n";

/// The compilers of some devices have no such type; the host runs the region there, and says so.
const WIDE_OF_OPENCL: &str = "#ifndef __SIZEOF_INT128__\n#error \"the compiler of this OpenCL device has no 128-bit \
                              integers\"\n#endif\ntypedef unsigned __int128 u128;\n";

impl<'k> Writer<'k> {
    /// Writes a source.
    pub(crate) fn write(
        kernel: &'k Kernel,
        info: &'k KernelInfo,
        schedule: &'k Schedule,
        dialect: Dialect,
    ) -> Result<Source, Unsupported> {
        // Which helpers are needed, is known at the end: where the user's things have their names, these get others.
        if let Strategy::Recipe(recipe) = &schedule.strategy {
            let refused = |message| Unsupported { message };
            let program = recipe.build(kernel).map_err(refused)?;
            let made = Kernel { body: program.code.clone(), ..kernel.clone() };
            let border = (program.iterations == Iterations::Interior).then_some(&kernel.body);
            return Writer::write_all(&made, info, schedule, dialect, (Some(&program), border));
        }
        Self::write_all(kernel, info, schedule, dialect, (None, None))
    }

    fn write_all(
        kernel: &'k Kernel,
        info: &'k KernelInfo,
        schedule: &'k Schedule,
        dialect: Dialect,
        programs: (Option<&'k Program>, Option<&'k TypedCode>),
    ) -> Result<Source, Unsupported> {
        let mut kept = Vec::new();
        loop {
            let (source, shared) = Self::write_reserving((kernel, programs), info, schedule, dialect, &kept)?;
            if shared.is_empty() {
                return Ok(source);
            }
            kept.extend(shared);
        }
    }

    /// Writes a source in which no name of the user's is one of the reserved names `kept`. Also gives further names of helpers that names
    /// of the user's collide with.
    fn write_reserving(
        (kernel, (program, border)): (&'k Kernel, (Option<&'k Program>, Option<&'k TypedCode>)),
        info: &'k KernelInfo,
        schedule: &'k Schedule,
        dialect: Dialect,
        kept: &[String],
    ) -> Result<(Source, Vec<String>), Unsupported> {
        if info.recursive && dialect == Dialect::OpenCl {
            let message = format!(
                "the device functions {} call themselves, which needs a stack: OpenCL devices have none; write a loop, or \
                 let the host run the region (`if(false)`)",
                super::recursion::names(kernel)
            );
            return Err(Unsupported { message });
        }
        let syntax = Syntax::of(dialect);
        let mut writer = Self {
            kernel,
            info,
            schedule,
            syntax,
            rectifies: rectifies(kernel, schedule),
            program,
            border,
            globals: Namer::new(syntax),
            all: Namer::new(syntax),
            types: TypeTable::new(&kernel.types, syntax),
            helpers: Helpers::default(),
            functions: Functions::new(kernel),
            late: String::new(),
            sites: Vec::new(),
            inner: Vec::new(),
            tellers: Vec::new(),
            tables: HashMap::new(),
            table_text: String::new(),
            table_bytes: 0,
            scattered: scattered(kernel),
            constants: Vec::new(),
        };
        if info.recursive {
            writer.global_name(super::recursion::STACK);
        }
        for name in kept {
            writer.globals.take(name);
            writer.all.take(name);
        }
        let words = writer.all.clone();
        let entry = writer.global_name(&kernel.template.name);
        let mut body = Body::of_kernel(&mut writer);
        kernel::write(&mut body);
        let done = body.finish();
        let named = |name: &&String| writer.all.has(name) && !words.has(name);
        let shared = writer.helpers.names().filter(named).cloned().collect();
        Ok((writer.assemble(entry, done), shared))
    }

    fn assemble(mut self, entry: String, body: kernel::Done) -> Source {
        let mut text = String::new();
        let cuda = self.syntax.dialect == Dialect::Cuda;
        let fp = self.kernel.template.fp;
        if !cuda {
            if fp == FpMode::Strict {
                text.push_str("#pragma OPENCL FP_CONTRACT OFF\n");
            }
            if self.info.uses_f64 {
                text.push_str("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
            }
            if self.info.atomics64 {
                text.push_str("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
            }
        }
        text.push_str(self.syntax.prelude);
        let types_at = text.len();
        if !cuda && self.info.uses_f64 {
            text.push_str("typedef double f64;\n");
        }
        let constants: String = self.constants.iter().map(|c| c.text.as_str()).collect();
        for part in [
            &self.types.text,
            &constants,
            &self.table_text,
            &self.status_text(),
            &self.stack_text(),
            &self.helpers.text,
            &self.functions.prototypes,
            &self.functions.text,
            &self.moving_items(&self.late),
        ] {
            if !part.is_empty() {
                let _ = write!(text, "\n{}\n", part.trim_end());
            }
        }
        let [x, y, z] = self.schedule.block;
        let head = if cuda {
            let threads = x * y * z;
            let most = match &self.schedule.strategy {
                Strategy::Grid { resident, .. } if *resident > 0 => format!(", {resident}"),
                // Without, NVIDIA's compiler saves registers for a second block, and loads one after the other.
                Strategy::Reduce { alone: true, .. } => ", 1".to_owned(),
                Strategy::Linear if self.schedule.unroll.is_some() => ", 1".to_owned(),
                Strategy::Recipe(recipe) if recipe.resident > 0 => format!(", {}", recipe.resident),
                Strategy::Rows { warps: 1, .. } => {
                    format!(", {}", (ROWS * 32 / threads.max(32)).clamp(1, 16))
                }
                _ => String::new(),
            };
            format!("extern \"C\" __global__ void __launch_bounds__({threads}{most})")
        } else {
            format!("__kernel __attribute__((reqd_work_group_size({x}, {y}, {z})))\nvoid")
        };
        let (params, statements) = (body.params.join(",\n    "), self.moving_items(&body.text));
        match body.wait {
            None => {
                let _ = write!(text, "\n{head} {entry}(\n    {params}\n) {{\n{statements}}}\n");
            }
            Some(wait) => {
                let function = self.global_name("iterations");
                let function_head = "static __device__ __forceinline__ void";
                let _ = write!(text, "\n{function_head} {function}(\n    {params}\n) {{\n{statements}}}\n");
                text.push_str(&wait.kernel(&head, &entry, &function));
            }
        }
        let mut options = options(self.syntax.dialect, fp);
        if text.contains("u128") {
            text.insert_str(types_at, if cuda { WIDE } else { WIDE_OF_OPENCL });
            options.extend(cuda.then(|| "--device-int128".to_owned()));
        }
        Source {
            text,
            entry,
            constants: self.constants.into_iter().map(|c| c.placed(&body.args)).collect(),
            args: body.args,
            sites: self.sites,
            inner: self.inner,
            options,
            phases: self.schedule.phases(self.kernel),
        }
    }

    /// A name at file scope.
    pub(crate) fn global_name(&mut self, wish: &str) -> String {
        let name = self.all.name(wish);
        self.globals.take(&name);
        name
    }

    /// The bodies that the kernel has statements of.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &'k TypedCode> {
        std::iter::once(&self.kernel.body).chain(self.border)
    }

    /// The name of a launch value.
    pub(crate) fn term_name(&self, term: Term) -> String {
        let Some(program) = self.program else { return "number".to_owned() };
        let var = |l: u32| program.vars[l as usize].clone();
        let array = |id: omp_ir::ids::AccessId| {
            let access = program.accesses.iter().find(|a| a.id == id);
            access.map_or_else(String::new, |a| self.kernel.template.arrays[a.array.index()].name.clone())
        };
        match term {
            Term::Trips(l) => format!("{}_trips", var(l)),
            Term::First(l) => format!("{}_first", var(l)),
            Term::Step(l) => format!("{}_step", var(l)),
            Term::Lower(l) => format!("{}_lower", var(l)),
            Term::Upper(l) => format!("{}_upper", var(l)),
            Term::Base(id) => format!("{}_base", array(id)),
            Term::Stride(id, l) => format!("{}_{}_stride", array(id), var(l)),
        }
    }

    /// The type of a variable.
    pub(crate) fn value_type(&mut self, ty: TyId) -> String {
        self.with_types(|types, names| types.value(ty, names))
    }

    /// The type of an element or field.
    pub(crate) fn memory_type(&mut self, ty: TyId) -> String {
        self.with_types(|types, names| types.memory(ty, names))
    }

    /// The type of a slice.
    pub(crate) fn slice_type(&mut self, elem: TyId, space: Space) -> String {
        self.with_types(|types, names| types.slice(elem, space, names))
    }

    /// Runs something that may define types, and makes their names known as those of file scope.
    pub(crate) fn with_types<R>(&mut self, run: impl FnOnce(&mut TypeTable<'k>, &mut Namer) -> R) -> R {
        self.all.watch();
        let result = run(&mut self.types, &mut self.all);
        for name in self.all.news() {
            self.globals.take(name);
        }
        result
    }

    /// Whether the `Option` that is this text is a `Some`.
    pub(crate) fn has(&mut self, option: TyId, text: &str) -> String {
        match self.types.get(option) {
            Ty::Option(payload) => self.with_types(|types, names| types.has(*payload, text, names)),
            _ => format!("{text}.has"),
        }
    }

    /// The name of a function that makes a value of its parts.
    pub(crate) fn maker(&mut self, ty: TyId) -> String {
        self.with_types(|types, names| types.maker(ty, names))
    }

    /// The name of the table that holds a const.
    pub(crate) fn table(&mut self, wish: &str, ty: TyId, bytes: &[u8]) -> String {
        if let Some(name) = self.tables.get(&(ty, bytes.to_vec())) {
            return name.clone();
        }
        let c = self.memory_type(ty);
        let last = wish.rsplit("::").next().unwrap_or(wish);
        let name = self.global_name(last);
        let value = self.initialiser(ty, bytes);
        // Tables that don't fit constant memory are in global memory, if the language has variables there.
        let fits = self.table_bytes + bytes.len() <= CONSTANT_BYTES;
        let constant = match self.syntax.dialect {
            Dialect::Cuda if !fits || self.scattered.contains(&(ty, bytes.to_vec())) => {
                "static __device__ const "
            }
            Dialect::Cuda | Dialect::OpenCl => {
                self.table_bytes += bytes.len();
                self.syntax.constant
            }
        };
        let _ = writeln!(self.table_text, "{constant}{c} {name} = {value};");
        self.tables.insert((ty, bytes.to_vec()), name.clone());
        name
    }

    fn initialiser(&mut self, ty: TyId, bytes: &[u8]) -> String {
        match self.types.get(ty) {
            Ty::Prim(p) if p.is_float() => literal::float_in_table(self.syntax, *p, read_float(*p, bytes)),
            Ty::Prim(p) => {
                literal::int(self.syntax, if *p == Prim::Bool { Prim::U8 } else { *p }, read_int(*p, bytes))
            }
            Ty::Enum(_) => {
                let p = self.types.scalar(ty).unwrap_or(Prim::U8);
                literal::int(self.syntax, p, read_int(p, bytes))
            }
            Ty::Array(elem, len) => {
                let size = self.types.size(*elem).unwrap_or(0) as usize;
                let items: Vec<_> = (0..*len as usize)
                    .map(|i| self.initialiser(*elem, &bytes[i * size..(i + 1) * size]))
                    .collect();
                format!("{{ {{ {} }} }}", items.join(", "))
            }
            Ty::Struct(desc, fields) => {
                self.memory_type(ty);
                let mut order: Vec<usize> =
                    (0..fields.len()).filter(|&i| !self.types.is_empty(fields[i])).collect();
                order.sort_by_key(|&i| desc.fields[i].offset);
                let (mut items, mut at) = (Vec::new(), 0usize);
                for i in order {
                    let field = &desc.fields[i];
                    if field.offset > at.div_ceil(field.ty.align().max(1)) * field.ty.align().max(1) {
                        items.push("{ 0 }".to_owned());
                    }
                    let size = field.ty.size().unwrap_or(0);
                    items.push(self.initialiser(fields[i], &bytes[field.offset..field.offset + size]));
                    at = field.offset + size;
                }
                format!("{{ {} }}", items.join(", "))
            }
            Ty::Data(desc, _) => {
                let word = word_of(desc);
                let words: Vec<_> = bytes
                    .chunks(word.size())
                    .map(|bytes| {
                        let mut wide = [0; 8];
                        wide[..bytes.len()].copy_from_slice(bytes);
                        literal::int(self.syntax, word, i128::from(u64::from_le_bytes(wide)))
                    })
                    .collect();
                format!("{{ {{ {} }} }}", words.join(", "))
            }
            Ty::Option(payload) => {
                let Some(layout) = self.kernel.types.option(*payload) else { return "{ 0 }".to_owned() };
                let value = self.initialiser(*payload, &bytes[layout.value_at()..]);
                match layout {
                    // (Not only 0 or 1: an `Option` of this one may have its `None` there.)
                    OptionLayout::Tag(prim) => {
                        let tag = literal::int(self.syntax, prim, read_int(prim, bytes));
                        format!("{{ {tag}, {value} }}")
                    }
                    OptionLayout::Niche { .. } => format!("{{ {value} }}"),
                }
            }
            Ty::Unit | Ty::Never | Ty::Slice(_) => "{ 0 }".to_owned(),
        }
    }

    /// A new place that may fail.
    pub(crate) fn site(&mut self, function: Option<FnId>, src: SrcId, failure: FailureKind) -> u32 {
        let site = Site { function, src, failure };
        if let Some(known) = self.sites.iter().position(|s| *s == site) {
            return known as u32;
        }
        self.sites.push(site);
        (self.sites.len() - 1) as u32
    }

    /// The order of arguments.
    pub(crate) fn all_args(&self) -> Vec<Arg> {
        let mut args = Vec::new();
        for a in (0..self.kernel.template.arrays.len()).map(ArrayId::new) {
            args.extend([Arg::Array(a), Arg::Origin(a), Arg::Len(a), Arg::SectionLo(a), Arg::SectionHi(a)]);
        }
        args.extend((0..self.kernel.template.scalars.len()).map(|s| Arg::Scalar(ScalarId::new(s))));
        for d in 0..self.kernel.template.dims.len() as u32 {
            args.extend([Arg::DimFirst(d), Arg::DimStep(d), Arg::DimCount(d)]);
            args.extend([Arg::DigitFirst(d), Arg::DigitStep(d), Arg::DigitCount(d)]);
        }
        args.extend((0..self.kernel.template.arrays.len()).map(|a| Arg::Claims(ArrayId::new(a))));
        if let Some(program) = self.program {
            args.extend(program.terms().into_iter().map(|term| Arg::Term(program.iterations, term)));
        }
        if self.border.is_some() {
            args.extend((0..self.kernel.template.dims.len() as u32).map(Arg::InsideStart));
        }
        args.extend([
            Arg::Total,
            Arg::Partials,
            Arg::Copies,
            Arg::Tiles,
            Arg::Ticket,
            Arg::Result,
            Arg::Status,
            Arg::Phase,
        ]);
        args
    }
}

/// The bits of an integer, `bool`, `char` or enum in memory.
pub(crate) fn read_int(prim: Prim, bytes: &[u8]) -> i128 {
    if let (Prim::U128, Ok(bytes)) = (prim, bytes.try_into()) {
        return i128::from_le_bytes(bytes);
    }
    let mut wide = [0; 8];
    let size = prim.size().min(bytes.len());
    wide[..size].copy_from_slice(&bytes[..size]);
    let bits = u64::from_le_bytes(wide);
    match prim {
        Prim::I8 => i128::from(bits as i8),
        Prim::I16 => i128::from(bits as i16),
        Prim::I32 => i128::from(bits as i32),
        Prim::I64 | Prim::Isize => i128::from(bits as i64),
        Prim::Bool | Prim::Char | Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 | Prim::Usize | Prim::U128 => {
            i128::from(bits)
        }
        Prim::F32 | Prim::F64 => 0,
    }
}

/// A float in memory.
pub(crate) fn read_float(prim: Prim, bytes: &[u8]) -> f64 {
    match (prim, bytes) {
        (Prim::F32, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        (_, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0.0,
    }
}

fn options(dialect: Dialect, fp: FpMode) -> Vec<String> {
    let list: &[&str] = match (dialect, fp) {
        (Dialect::Cuda, FpMode::Strict) => &["--fmad=false"],
        (Dialect::Cuda, FpMode::Contract) => &[],
        (Dialect::Cuda, FpMode::Fast) => &["--use_fast_math"],
        (Dialect::OpenCl, FpMode::Strict | FpMode::Contract) => &["-cl-fp32-correctly-rounded-divide-sqrt"],
        (Dialect::OpenCl, FpMode::Fast) => &["-cl-fast-relaxed-math"],
    };
    list.iter().map(|&o| o.to_owned()).collect()
}
