//! Liveness after a region: reads of variables that its iterations have private copies of (E0406).
//!
//! Without directives, the variable has the value of the last iteration; with them, it has its old value. So on every
//! path from the loop to a read, something has to assign the variable first.
mod host_paths;
mod owner;

use crate::ast::{Data, Item};
use crate::diag::{Code, Sink};
use crate::lower::Lowered;
use crate::lower::region::copies::CapturedRead;
use crate::sema::CheckedRegion;
use crate::sema::syntax::forms::{is_name, strip};
use crate::sema::syntax::place;
use crate::sema::syntax::place::{Step, any_covers, item_key};
use crate::sema::syntax::uses;
use crate::sema::syntax::uses::{How, Use, Uses};
use host_paths::Variable;
use proc_macro2::TokenStream;
use syn::{Block, Expr, Signature};

/// The variables whose copies iterations change without effect on the variable.
pub fn of_region(region: &CheckedRegion, uses: &Uses) -> Vec<Item> {
    let c = &region.directive.clauses;
    let last = |item: &&Item| !c.lastprivate.iter().any(|l| item_key(l) == item_key(item));
    let assigned = |item: &&Item| {
        uses.body.iter().any(|u| u.writes() && any_covers(std::slice::from_ref(*item), &u.key))
    };
    c.private.iter().chain(&c.firstprivate).filter(last).filter(assigned).cloned().collect()
}

/// Whether the body of a region uses one of these variables.
pub fn uses_any(region: &CheckedRegion, keys: &[String]) -> bool {
    let uses = uses::of_region(region);
    let same = |u: &Use| keys.iter().any(|key| place::covers(key, &u.key) || place::covers(&u.key, key));
    uses.body.iter().any(same)
}

/// The reads of a region or data directive, for which a placeholder stands in the function.
pub struct Reader {
    name: String,
    /// The host reads these before its loop runs.
    head: Vec<Use>,
    /// The loop reads these.
    body: Vec<CapturedRead>,
    /// Its iterations have copies of these, and assign them before they read them.
    own: Vec<Vec<Step>>,
    /// The places that it leaves with new values, and whether it does so in any case.
    last: Vec<Vec<Step>>,
    iterates: bool,
}

impl Reader {
    /// A region, which is lowered unless something is wrong with it.
    pub fn region(name: String, region: &CheckedRegion, lowered: Option<&mut Lowered>) -> Self {
        let c = &region.directive.clauses;
        let paths = |items: &[Item]| items.iter().map(|i| place::key_path(&item_key(i))).collect::<Vec<_>>();
        let last = paths(&c.lastprivate);
        let iterates = region.loops.iter().all(|l| uses::surely_runs(&l.whole));
        let Uses { bounds, before, .. } = uses::of_region(region);
        let mut head = uses::of_clauses(region);
        // A value that is kept for a loop without iterations is not read.
        let kept = |u: &Use| last.iter().any(|of| u.path.starts_with(of));
        head.extend(before.into_iter().filter(|u| !kept(u)).chain(bounds));
        let own = [paths(&c.private), last.clone()].concat();
        let body = lowered.map(|l| std::mem::take(&mut l.reads)).unwrap_or_default();
        Self { name, head, body, own, last, iterates }
    }

    /// A data directive.
    pub fn data(name: String, data: &Data) -> Self {
        let c = &data.directive.clauses;
        let items = c.maps.iter().flat_map(|m| &m.items).chain(&c.to);
        let places: Vec<&Expr> = items.map(|i| &i.place).collect();
        let block: Block = syn::parse_quote!({ #(#places;)* });
        let head = uses::of_block(&block, data.context.names.clone());
        Self { name, head, body: vec![], own: vec![], last: vec![], iterates: false }
    }

    /// A read of a part that the region has not assigned itself.
    fn reads(&self, path: &[Step], inside: bool) -> Option<TokenStream> {
        let value =
            |u: &&Use| !matches!(u.how, How::Write | How::Len) && place::meet(&u.path, path).is_some();
        if let Some(u) = self.head.iter().find(value) {
            return Some(u.tokens.clone());
        }
        // A copy is read before it is assigned only where no iteration assigns that part of it: everything else is checked.
        let old = |read: &&CapturedRead| {
            let own = self.own.iter().any(|own| read.path.starts_with(own));
            place::meet(&read.path, path).is_some() && if own { read.unassigned } else { !read.certain }
        };
        self.body.iter().filter(|_| inside).find(old).map(|read| read.tokens.clone())
    }

    /// Whether a variable has a new value after it.
    fn assigns(&self, path: &[Step]) -> bool {
        self.iterates && self.last.iter().any(|of| path.starts_with(of))
    }
}

/// Reports the first read of such a variable after the region. `placeholder` stands in the function for the region.
pub fn check(
    sig: &Signature,
    body: &Block,
    placeholder: &str,
    region: &CheckedRegion,
    others: &[Reader],
    sink: &mut Sink,
) -> Vec<Item> {
    let mut owners = Vec::new();
    for item in &region.lost {
        let key = item_key(item);
        let path = place::key_path(&key);
        let root = key.split('.').next().unwrap_or_default();
        let (plain, lent) = (is_name(strip(&item.place)), owner::is_lent(root, sig, body));
        // (Copies of a variable as it stands are no references.)
        if !plain && !lent {
            owners.push(item.clone());
        }
        let seen = host_paths::of_body(
            body,
            &Variable { placeholder, key: root, path: &path, others, lent: lent && !plain },
        );
        if let Some(read) = seen.read {
            let message = format!(
                "`{key}` is private to the iterations, but this reads it after the loop. There it has its old value; without the directive, it would have the last iteration's"
            );
            sink.error_at(Code::StalePrivate, read, message)
                .note(Some(item.span), "the clause is here")
                .help(format!(
                    "write `lastprivate({key})` for the last iteration's value, or use a variable of the body"
                ));
        } else if seen.at_end && lent {
            let message = format!(
                "`{key}` is private to the iterations, but the caller can read it after the function. There it has its old value; without the directive, it would have the last iteration's"
            );
            sink.error(Code::StalePrivate, item.span, message).help(format!(
                "write `lastprivate({key})` for the last iteration's value, or use a variable of the body"
            ));
        }
    }
    owners
}
