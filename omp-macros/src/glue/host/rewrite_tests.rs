//! Tests: bodies before and after [`super::rewrite`].
use super::*;
use crate::lower::{CapturedArray, Captures};
use omp_ir::ids::AccessId;
use omp_ir::ids::{ArrayId, ExprId, LocalId, SrcId};
use omp_ir::template::{Access, FpMode, KernelTemplate};
use omp_ir::template::{Base, Block, Check, Code, Place, Stmt};
use proc_macro2::Span;

/// Arrays `x` (read), `y` and `self.z` (written); subscript `n` is the first on the array `firsts[n]`.
fn lowered(firsts: &[Option<u32>], writes: &[bool]) -> Lowered {
    let array = |key: &str, written| CapturedArray {
        scalar: false,
        or_scalar: None,
        place: syn::parse_str(key).unwrap(),
        key: key.to_owned(),
        written,
        read: true,
        passed: false,
        subscripted: true,
        shadowed: false,
        sections: vec![],
        declared: false,
        span: Span::call_site(),
    };
    let mut code = Code::default();
    for (i, first) in firsts.iter().enumerate() {
        code.accesses.push(Access {
            name: String::new(),
            write: writes[i],
            read: true,
            src: SrcId(0),
            bracket: SrcId(0),
        });
        let base = first.map_or(Base::Local(LocalId(0)), |a| Base::Array(ArrayId(a)));
        let base = Place::from(base);
        let check = Check::Bounds { access: AccessId::new(i), base, index: ExprId(0) };
        code.block.0.push(Stmt::If {
            cond: ExprId(0),
            then: Block(vec![Stmt::Check { check, src: SrcId(0) }]),
            els: Block::default(),
        });
    }
    let template = KernelTemplate {
        name: String::new(),
        arrays: vec![],
        scalars: vec![],
        dims: vec![],
        reductions: vec![],
        scan: None,
        inner_scans: false,
        code,
        fp: FpMode::Contract,
        trust_disjoint: vec![],
        check_disjoint: vec![],
        unchecked: vec![],
        unchecked_all: false,
    };
    let captures = Captures {
        arrays: vec![array("x", false), array("y", true), array("self.z", true)],
        ..Captures::default()
    };
    let (typing, spans, paths, reads, owners) = <_>::default();
    Lowered { template, typing, captures, spans, paths, reads, checked: false, owners }
}

/// Numbers the subscripts in the order of the source, outer before inner, as lowering does.
struct Number(u32);

impl VisitMut for Number {
    fn visit_expr_index_mut(&mut self, x: &mut ExprIndex) {
        let n = proc_macro2::Literal::u32_unsuffixed(self.0);
        self.0 += 1;
        x.attrs.push(syn::parse_quote!(#[__omp_access(#n)]));
        visit_mut::visit_expr_index_mut(self, x);
    }
}

#[track_caller]
fn check(before: &str, firsts: &[Option<u32>], writes: &[bool], proved: bool, after: &str) {
    let mut block: syn::Block = syn::parse_str(before).unwrap();
    Number(0).visit_block_mut(&mut block);
    let names: Vec<Ident> = ["__x0", "__v1", "__v2"].iter().map(|n| hidden(n)).collect();
    let fields = HashMap::from([("self.gain".to_owned(), hidden("__k0"))]);
    let classes = vec![AccessClass { affine: proved, unconditional: true }; firsts.len()];
    Rewrite::new(&lowered(firsts, writes), &classes, &names, fields).block(&mut block);
    let want: TokenStream = after.parse().unwrap();
    assert_eq!(block.to_token_stream().to_string(), want.to_string());
}

#[test]
fn proved_subscripts_are_not_checked() {
    check(
        "{ y[i] = a * x[i]; }",
        &[Some(1), Some(0)],
        &[true, false],
        true,
        "{ *{ let __p = __v1.at(i); unsafe { &mut (*__p) } } = a * *{ __x0.at(i) }; }",
    );
}

#[test]
fn receivers_stand_in_parentheses() {
    check(
        "{ y[i] = x[i].abs(); }",
        &[Some(1), Some(0)],
        &[true, false],
        true,
        "{ *{ let __p = __v1.at(i); unsafe { &mut (*__p) } } = (*{ __x0.at(i) }).abs(); }",
    );
}

#[test]
fn others_are() {
    check(
        "{ y[i] += x[x[i]] + y[k]; }",
        &[Some(1), Some(0), Some(0), Some(1)],
        &[true, false, false, false],
        false,
        "{ *{ let __p = __v1.at_checked(i); unsafe { &mut (*__p) } } += \
           x[x[i]] + *{ let __p = __v1.at_checked(k); unsafe { &(*__p) } }; }",
    );
}

#[test]
fn places_are_one_reference_to_the_leaf() {
    check(
        "{ y[i].at[w[j]].x = 1.0; f(&mut y[i].b); }",
        &[None, Some(1), None, Some(1)],
        &[true, true, false, false],
        false,
        "{ *{ let __p = __v1.at_checked(i); let __j1 = w[j]; unsafe { &mut *(&raw mut (*__p).at[__j1].x) } } = 1.0; \
           f(&mut *{ let __p = __v1.at_checked(i); unsafe { &mut *(&raw mut (*__p).b) } }); }",
    );
}

#[test]
fn fields_of_captured_places_become_locals() {
    check(
        "{ self.z[i] = self.gain * self.z.len(); }",
        &[Some(2)],
        &[true],
        false,
        "{ *{ let __p = __v2.at_checked(i); unsafe { &mut (*__p) } } = __k0 * __v2.len(); }",
    );
}

#[test]
fn macros_are_rewritten() {
    check(
        "{ assert!(y[i] > 0, \"{}\", y[i]); }",
        &[Some(1), Some(1)],
        &[false, false],
        false,
        "{ assert!(*{ let __p = __v1.at_checked(i); unsafe { &(*__p) } } > 0, \"{}\", \
           *{ let __p = __v1.at_checked(i); unsafe { &(*__p) } }); }",
    );
}

#[test]
fn shadowed_names_are_other_variables() {
    check("{ let y = [1, 2]; let k = y[i]; }", &[None], &[false], false, "{ let y = [1, 2]; let k = y[i]; }");
}
