//! The loop of a task on the host's threads.
//!
//! It is a closure that owns all that it uses, and rustc checks that (`'static`): copies of the captured values, and
//! the arrays without their borrows, which the guards hold. It takes a reduced variable from the guard when it begins,
//! and puts it back when it ends: tasks on one variable follow each other. If the launch knows which elements the loop
//! touches, the loop makes no reference to others, so that tasks on other elements run concurrently.
use super::{Local, comes_back, direct_of, own_label, reduces};
use crate::expand::tasks::{Guard, GuardKind, only_elements, path, tokens};
use crate::glue::host::claims;
use crate::glue::{host, lints_off, numbered, private};
use crate::lower::{CapturedArray, CapturedScalar, Lowered};
use crate::sema::CheckedRegion;
use crate::sema::syntax::forms::{as_name, is_name};
use proc_macro2::{Ident, TokenStream};
use std::collections::HashMap;
use syn::{Expr, UnOp};

/// Whether the loop can own what it uses. (What is reached through a reference that is no plain `*x` it can't, nor what a guard's variable
/// came to refer to later.)
pub fn is_movable(region: &CheckedRegion, lowered: &Lowered, guards: &[Guard]) -> bool {
    let captures = &lowered.captures;
    let owned = |a: &CapturedArray| {
        !guards.iter().any(|g| g.renewed && g.key == a.key)
            && (direct_of(region, a, guards).is_some() || !a.scalar && !region.keeps(&a.key))
    };
    captures.arrays.iter().all(owned)
        && captures.scalars.iter().all(|s| guard_of(s, guards).is_some() || form_of(&s.place).is_some())
}

fn guard_of<'g>(scalar: &CapturedScalar, guards: &'g [Guard]) -> Option<&'g Guard> {
    guards.iter().find(|g| g.kind == GuardKind::Scalar && g.key == scalar.key)
}

/// How a captured value is written.
enum Form<'e> {
    /// `x`
    Plain,
    /// `*x`
    Dereferenced(&'e Ident),
    /// `s.x`
    Field,
}

fn form_of(place: &Expr) -> Option<Form<'_>> {
    match place {
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => {
            as_name(&u.expr).filter(|i| *i != "self").map(Form::Dereferenced)
        }
        Expr::Field(f) => is_chain(&f.base).then_some(Form::Field),
        place => as_name(place).filter(|i| *i != "self").map(|_| Form::Plain),
    }
}

/// An array without its borrow, which a guard holds.
fn taken(array: &Ident) -> TokenStream {
    code!(let #array = unsafe { (&#array).guarded(__used) };)
}

/// `s`, `s.x`
fn is_chain(e: &Expr) -> bool {
    match e {
        Expr::Field(f) => is_chain(&f.base),
        e => is_name(e),
    }
}

/// The values that the closure captures.
#[derive(Default)]
struct Parts {
    /// Before the closure.
    taken: TokenStream,
    /// At its head.
    head: TokenStream,
    /// At its head, where the loop sees slices: as it stands, or checked.
    serial: TokenStream,
    /// At its head and end, where it sees variables that it reaches as arrays of one element.
    variables: [TokenStream; 2],
    /// The same for `lastprivate`, for a task that runs at once.
    lasts: [TokenStream; 2],
    /// At its head, for `lastprivate` where it is checked.
    kept: TokenStream,
    /// At its head, where it runs in parallel.
    parallel: TokenStream,
    /// At its end.
    end: TokenStream,
    /// Places that are no variables, and what stands for them.
    names: HashMap<Vec<String>, Ident>,
    /// The arrays that the parallel loop sees as slices.
    whole: Vec<usize>,
}

impl Parts {
    fn arrays(
        &mut self,
        region: &CheckedRegion,
        lowered: &Lowered,
        guards: &[Guard],
        parallel: &TokenStream,
    ) {
        let (p, allow) = (private(), super::shadowing());
        let captures = &lowered.captures;
        for (i, a) in captures.arrays.iter().enumerate() {
            let array = numbered("m", i);
            let guard = guards.iter().enumerate().find(|(_, g)| g.kind == GuardKind::Array && g.key == a.key);
            self.head.extend(code!(let mut #array = unsafe { #array.array() };));
            if let Some(guard) = direct_of(region, a, guards) {
                self.taken.extend(taken(&array));
                self.direct(i, a, guard, guards);
                continue;
            }
            let name = match guard {
                Some((k, guard)) => {
                    self.taken.extend(taken(&array));
                    let Local { name, plain } = super::local(k, guard);
                    if !plain {
                        // The name that the guard's own stands for, if there is one.
                        self.names.insert(path(&guard.key), name.clone());
                    }
                    name
                }
                None if region.directive.clauses.device_ptr.iter().any(|item| item.key == a.key) => {
                    self.taken.extend(code!(let #array = unsafe { (&#array).kept() };));
                    match as_name(&a.place) {
                        Some(name) => name.clone(),
                        None => {
                            let name = numbered("slice", i);
                            self.names.insert(path(&a.key), name.clone());
                            name
                        }
                    }
                }
                None => {
                    self.taken.extend(code!(let #array = (&#array).lasting();));
                    continue;
                }
            };
            let back = comes_back(region, a);
            let slice = if back {
                code!(unsafe { (&#array).task_elements() })
            } else {
                code!(unsafe { (&#array).slice() })
            };
            self.serial.extend(code!(#allow let #name = #slice; let _ = &#name;));
            let reduced = captures.reductions.iter().any(|r| r.array == Some(i));
            let elements = only_elements(parallel.clone(), &path(&a.key))
                && only_elements(parallel.clone(), &[name.to_string()]);
            let sees_slice = !a.written && (a.passed || !elements);
            if reduced || sees_slice {
                self.whole.push(i);
            }
            if sees_slice {
                self.parallel.extend(code!(#allow let #name = #slice; let _ = &#name;));
            } else if !a.written {
                self.parallel
                    .extend(code!(#allow let #name = unsafe { #p::read_view(&#array) }; let _ = &#name;));
            }
        }
    }

    /// An array that is a variable.
    fn direct(&mut self, i: usize, a: &CapturedArray, guard: &Guard, guards: &[Guard]) {
        let (allow, array) = (super::shadowing(), numbered("m", i));
        self.whole.push(i);
        let k = guards.iter().position(|g| g.n == guard.n).unwrap_or_default();
        let Local { name, .. } = super::local(k, guard);
        let kept = numbered("kept", k);
        let (head, value) = if guard.deref {
            (
                code!(let mut #kept = unsafe { *(&#array).ptr() }; #allow let #name = &mut #kept; let _ = &#name;),
                kept,
            )
        } else {
            (code!(#allow let mut #name = unsafe { *(&#array).ptr() }; let _ = &mut #name;), name)
        };
        let put = a.written.then(|| code!(unsafe { *(&#array).ptr() = #value };));
        let [at_head, at_end] = if a.scalar { &mut self.variables } else { &mut self.lasts };
        at_head.extend(head);
        at_end.extend(put);
        if !a.scalar {
            let place = &a.place;
            self.kept
                .extend(code!(#allow let #place = unsafe { (&#array).task_elements() }; let _ = &#place;));
        }
    }

    fn scalars(&mut self, lowered: &Lowered, guards: &[Guard]) {
        let allow = super::shadowing();
        for (i, s) in lowered.captures.scalars.iter().enumerate() {
            if guard_of(s, guards).is_some() {
                continue;
            }
            let (place, copy) = (&s.place, numbered("copy", i));
            match form_of(place) {
                Some(Form::Dereferenced(name)) => {
                    let value = host::taken(i);
                    self.taken.extend(code!(let mut #copy = #value;));
                    self.head.extend(code!(#allow let #name = &mut #copy; let _ = &#name;));
                }
                Some(Form::Field) => {
                    let value = host::taken(i);
                    self.taken.extend(code!(let #copy = #value;));
                    self.names.insert(path(&s.key), copy);
                }
                // Copied by the closure.
                Some(Form::Plain) | None => {}
            }
        }
    }

    /// The parts of a scan need the types of its items.
    fn caught(&mut self, lowered: &Lowered) {
        let p = private();
        for (_, caught) in lowered.typing.operators.iter().take(lowered.captures.reductions.len()) {
            let name = caught.name();
            self.taken.extend(code!(let #name = #p::moved_in(#name);));
            self.head.extend(code!(let #name = &#name;));
        }
    }

    fn reduced(&mut self, lowered: &Lowered, guards: &[Guard]) {
        let allow = super::shadowing();
        for (k, guard) in guards.iter().enumerate().filter(|(_, g)| g.kind == GuardKind::Scalar) {
            if !reduces(lowered, guard) {
                continue;
            }
            let (slot, variable) = (numbered("place", k), super::variable(guard));
            let Local { name, .. } = super::local(k, guard);
            self.taken.extend(code!(let #slot = (&mut #variable).slot();));
            if guard.deref {
                let value = numbered("kept", k);
                self.head
                    .extend(code!(let mut #value = unsafe { #slot.get() }; #allow let #name = &mut #value; let _ = &#name;));
                self.end.extend(code!(unsafe { #slot.put(#value) };));
            } else {
                self.head.extend(code!(#allow let mut #name = unsafe { #slot.get() }; let _ = &mut #name;));
                self.end.extend(code!(unsafe { #slot.put(#name) };));
            }
        }
    }
}

/// The body of a task that the host runs: `__h` says how.
pub fn expand(
    region: &CheckedRegion,
    lowered: &Lowered,
    guards: &[Guard],
    failed: &TokenStream,
) -> TokenStream {
    let (allow, label) = (lints_off(), own_label(region.directive.span));
    let counting = crate::glue::region::counting();
    let (shadows, serial) = (host::shadows(lowered), host::serial(region, lowered));
    let serial = code!({ #shadows #serial });
    let parallel = host::parallel(region, lowered);
    let claimed = claims::claimed(region, lowered);
    let mut parts = Parts::default();
    let at_once = claimed.as_ref().and_then(|claimed| claimed.parallel.clone());
    parts.arrays(region, lowered, guards, &code!(#parallel #at_once));
    parts.scalars(lowered, guards);
    parts.reduced(lowered, guards);
    if region.scan.is_some() {
        parts.caught(lowered);
    }
    let known = host::items::known(region, lowered);
    if let Some(known) = &known {
        parts.taken.extend(code!(let __known = #known;));
    }
    let Parts { taken, head, serial: slices, parallel: views, end, names, whole, .. } = &parts;
    let ([variables, put], [lasts, put_lasts], kept) = (&parts.variables, &parts.lasts, &parts.kept);
    let serial_loop = code!(#counting { #slices #variables #lasts #serial #put #put_lasts });
    let unknown = known.is_some().then(|| code!(|| !__known));
    let alone = host::alone(region, lowered);
    let run = match parallel {
        Some(parallel) => {
            code!(if __h.serial() #unknown #alone { #serial_loop } else { #allow { #views #parallel } })
        }
        None => serial_loop,
    };
    let (tables, run) = match claimed {
        Some(claims::Claimed { tables, serial_loop, parallel }) => {
            let mut claimed = code!(#allow { #slices #variables #kept #serial_loop #put });
            if let Some(parallel) = parallel {
                claimed =
                    code!(if __h.serial() #unknown #alone { #claimed } else { #allow { #views #parallel } });
            }
            (tables, code!(if __h.claims() { #claimed } else { #run }))
        }
        None => (TokenStream::new(), run),
    };
    let work = tokens(code!({ #head #run #end }), names);
    let verified = crate::glue::region::verification(region, lowered, guards, failed);
    let refresh = super::refresh(lowered, guards);
    let (expected, compared) = verified;
    code! {
        if (&__r).verifying() { #refresh #expected }
        let __ran = {
            #tables
            #taken
            let __loop = move || #work;
            (&*__tasks).on_host(&mut __r, __h, (__used, &__depends), &[#(#whole),*], __loop)
        };
        if let ::omp::__private::core::result::Result::Err(__e) = __ran #failed
        if (&__r).verifying() { #refresh #compared }
        break #label;
    }
}
