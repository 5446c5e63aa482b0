//! Splits a sequential loop into chunks, in order. The remainder is a last chunk of its own. Some iterations may run before the first
//! chunk, so that what chunks access begins where wide accesses do.
use super::{Refused, change};
use crate::program::recipe::Chunks;
use crate::program::{Axis, Cut, Index, Program, Stmt, Var, with};

/// Cuts a loop into chunks.
///
/// # Errors
/// There is no such loop.
pub fn split(program: &mut Program, chunks: &Chunks) -> Result<(), Refused> {
    let mut found = false;
    change(program, |program, body| {
        let body = list(program, body, chunks, &mut found);
        if found { Ok(body) } else { Err("there is no such sequential loop".into()) }
    })
}

fn list(program: &mut Program, stmts: Vec<Stmt>, chunks: &Chunks, found: &mut bool) -> Vec<Stmt> {
    let Chunks { of, depth, head, tail } = *chunks;
    let var = Var(of);
    let mut out = Vec::with_capacity(stmts.len());
    for mut stmt in stmts {
        match stmt {
            Stmt::Loop { var: v, trips, axis: Axis::Serial, body } if v == var => {
                *found = true;
                let name = program.vars[var.0 as usize].clone();
                let (chunk, place) =
                    (program.var(format!("{name}_chunk")), program.var(format!("{name}_in")));
                let in_chunks = trips.clone() - i64::from(head);
                let whole = in_chunks.clone() / depth;
                let cut = |start: Index, place: Var| Cut {
                    start,
                    inner: place.into(),
                    extent: depth,
                    head,
                    limit: trips.clone(),
                    ragged: false,
                    vector: 1,
                    thread: None,
                };
                let start = Index::from(chunk) * depth + head;
                program.cuts.insert(var, cut(start.clone(), place));
                if head > 0 {
                    // Each thread accesses what these have without boxes.
                    let first = program.var(format!("{name}_first"));
                    let body = with(&body, var, &first.into());
                    out.push(Stmt::Loop { var: first, trips: head.into(), axis: Axis::Serial, body });
                }
                let mut inside = vec![Stmt::Let(var, start + Index::from(place))];
                inside.extend(body.iter().cloned());
                let inside =
                    Stmt::Loop { var: place, trips: depth.into(), axis: Axis::Unrolled, body: inside };
                out.push(Stmt::Loop {
                    var: chunk,
                    trips: whole.clone(),
                    axis: Axis::Serial,
                    body: vec![inside],
                });
                program.chunks.push(chunk);
                program.whole.push((chunk, var, depth));
                if tail {
                    let (last, rest) =
                        (program.var(format!("{name}_last")), program.var(format!("{name}_rest")));
                    let (once, start) = (program.var(format!("{name}_tail")), whole * depth + head);
                    program.cuts.insert(last, Cut { ragged: true, ..cut(start.clone(), rest) });
                    let mut inside = vec![Stmt::Let(last, start + Index::from(rest))];
                    inside.extend(with(&body, var, &last.into()));
                    let left = in_chunks % depth;
                    let inside = Stmt::Loop { var: rest, trips: left, axis: Axis::Serial, body: inside };
                    out.push(Stmt::Loop {
                        var: once,
                        trips: 1.into(),
                        axis: Axis::Serial,
                        body: vec![inside],
                    });
                    program.chunks.push(once);
                }
            }
            _ => {
                if let Some(inner) = stmt.inner_mut() {
                    let body = std::mem::take(inner);
                    let body = list(program, body, chunks, found);
                    if let Some(inner) = stmt.inner_mut() {
                        *inner = body;
                    }
                }
                out.push(stmt);
            }
        }
    }
    out
}
