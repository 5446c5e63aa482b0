//! Iterations that a thread of a grid runs jointly (`schedule::jam` tells why that may be): names of their own for each,
//! and their statements in turn.
use super::body::Body;
use crate::back::Arg;
use crate::ir::ids::LocalId;
use crate::ir::template::Stmt;
use crate::schedule::Joint;

/// The iterations while their statements are written.
pub(crate) struct Jam {
    joint: Joint,
    dim: usize,
    copies: Vec<Copy>,
}

/// One of them: names of the locals, and expressions of the parallel variables' values.
struct Copy {
    locals: Vec<String>,
    vars: Vec<String>,
}

/// Writes `together` iterations along dimension `dim`, the first of which has the number `ks[dim]`; `ks` are those of
/// all dimensions. Where the grid is `guarded`, the last ones may be fewer.
pub(crate) fn write(body: &mut Body<'_, '_>, ks: &[String], dim: usize, together: u32, guarded: bool) {
    let Some(joint) = Joint::new(body.w.kernel, dim) else { return alone(body, ks, dim, together) };
    if guarded {
        let count = body.arg(Arg::DimCount(dim as u32));
        body.out.open(format!("if ({} + {together}u <= {count}) {{", ks[dim]));
    } else {
        body.out.open("{");
    }
    jointly(body, joint, ks, dim, together);
    if guarded {
        body.out.close("} else {");
        body.out.depth += 1;
        alone(body, ks, dim, together);
    }
    body.out.close("}");
}

fn jointly(body: &mut Body<'_, '_>, joint: Joint, ks: &[String], dim: usize, together: u32) {
    let code = body.code;
    let first = body.locals.clone();
    let mut copies = vec![Copy { locals: first.clone(), vars: Vec::new() }];
    for _ in 1..together {
        let rename = |(i, name): (usize, &String)| {
            if joint.is_shared(code, LocalId::new(i)) { name.clone() } else { body.name(name) }
        };
        copies.push(Copy { locals: first.iter().enumerate().map(rename).collect(), vars: Vec::new() });
    }
    for d in (0..ks.len()).filter(|&d| d != dim) {
        body.declare_dim(d, &ks[d]);
    }
    for (u, copy) in copies.iter_mut().enumerate() {
        body.locals.clone_from(&copy.locals);
        body.declare_dim(dim, &if u == 0 { ks[dim].clone() } else { format!("({} + {u}u)", ks[dim]) });
        body.know_vars();
        copy.vars.clone_from(&body.vars);
        body.declare_private();
    }
    let jam = Jam { joint, dim, copies };
    body.take(&jam.copies[0]);
    body.jam = Some(jam);
    body.statements(&code.code.block.0);
    body.jam = None;
    body.locals = first;
}

/// One after the other.
fn alone(body: &mut Body<'_, '_>, ks: &[String], dim: usize, together: u32) {
    let (c, count, k) = (body.counter(), body.arg(Arg::DimCount(dim as u32)), body.name("k"));
    let (from, left) = (&ks[dim], body.name("left"));
    body.out.line(format!(
        "const {c} {left} = ({c}){count} - {from} < {together}u ? ({c}){count} - {from} : {together}u;"
    ));
    body.out.open(format!("for ({c} {k} = 0; {k} < {left}; {k}++) {{"));
    for (d, other) in ks.iter().enumerate() {
        let number = if d == dim { format!("({from} + {k})") } else { other.clone() };
        body.declare_dim(d, &number);
    }
    body.iteration();
    body.out.close("}");
}

impl Body<'_, '_> {
    /// A statement of each iteration.
    pub(crate) fn stmt(&mut self, stmt: &Stmt) {
        let Some(jam) = self.jam.take() else { return self.one(stmt) };
        if jam.joint.runs_once(self.code, stmt) {
            self.tell(&jam);
            self.jam = Some(jam);
            return self.one(stmt);
        }
        for copy in &jam.copies {
            self.take(copy);
            let before = self.out.text.len();
            self.tell(&jam);
            let told = self.out.text.len();
            self.one(stmt);
            if self.out.text.len() == told {
                self.out.text.truncate(before);
            }
        }
        self.take(&jam.copies[0]);
        self.jam = Some(jam);
    }

    fn take(&mut self, copy: &Copy) {
        self.locals.clone_from(&copy.locals);
        self.vars.clone_from(&copy.vars);
    }

    /// Tells the context which iteration fails, if one does.
    fn tell(&mut self, jam: &Jam) {
        if self.context
            && let Some(var) = self.vars.get(jam.dim).filter(|_| jam.dim < super::check::MAX_VARS)
        {
            self.out.line(format!("cx.vars[{}] = {var};", jam.dim));
        }
    }
}
