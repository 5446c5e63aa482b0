//! `OMP_TUNE`: the schedule of a launch by the results of searches.
//!
//! A [`Tuner`] has the results of this process and of the files: those of `OMP_TUNE_FILE`, then the one in `OMP_CACHE_DIR`.
//! The search itself is `launch/search.rs`.
pub(crate) mod store;

use crate::env::{Env, Tune};
use crate::error::Place;
use crate::observe;
use omp_kernels::schedule::Choice;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::Unread;
pub(crate) use store::{Entry, Key, Tried};

/// A schedule replaces the default one if it takes less than this part of its time.
pub(crate) const GAIN: f64 = 0.99;

/// Schedules by what searches have found.
#[derive(Debug, Default)]
pub struct Tuner {
    mode: Tune,
    /// `OMP_TUNE_FILE`
    file: Option<PathBuf>,
    /// In `OMP_CACHE_DIR`.
    cached: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What the files have, once they were read.
    stored: Option<Vec<Entry>>,
    /// What this process has decided.
    decided: HashMap<Key, Decision>,
    /// What was said.
    said: BTreeSet<String>,
}

/// What this process knows of a key.
#[derive(Debug)]
enum Decision {
    /// A search that goes on with a later launch.
    Open(Box<Search>),
    /// A launch is at it.
    Busy,
    /// It has ended.
    Chosen(Choice),
}

/// A search.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search {
    /// What was tried.
    pub tried: Vec<Tried>,
    /// Seconds that it has taken.
    pub seconds: f64,
}

impl Search {
    /// Adds what a launch has tried: the default schedule, and others. Times are given as if all had run in the first launch.
    pub(crate) fn add(&mut self, tried: Vec<Tried>) {
        let scale = match (self.tried.first(), tried.first()) {
            (Some(Tried { us: Some(first), .. }), Some(Tried { us: Some(now), .. })) if *now > 0.0 => {
                first / now
            }
            _ => 1.0,
        };
        let known = usize::from(!self.tried.is_empty());
        let scaled =
            tried.into_iter().skip(known).map(|one| Tried { us: one.us.map(|us| us * scale), ..one });
        self.tried.extend(scaled);
    }

    /// The best choice, the time of the default one, and its own.
    pub(crate) fn best(&self) -> (Choice, f64, f64) {
        let default = self.tried.first().and_then(|one| one.us).unwrap_or(0.0);
        let timed = self.tried.iter().filter_map(|one| Some((one.us?, one.schedule.parse().ok()?)));
        let best = timed.filter(|(us, _)| *us < default * GAIN).min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or((Choice::Default, default, default), |(us, choice)| (choice, default, us))
    }
}

impl Tuner {
    /// As the environment has it.
    #[must_use]
    pub fn new(env: &Env) -> Self {
        Self {
            mode: env.tune,
            file: env.tune_file.clone(),
            cached: env.cache_dir.as_ref().map(|dir| dir.join("tune.json")),
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether launches try schedules.
    pub(crate) fn searches(&self) -> bool {
        matches!(self.mode, Tune::Auto | Tune::Full)
    }

    /// Whether the first launch tries all of them.
    pub(crate) fn at_once(&self) -> bool {
        self.mode == Tune::Full
    }

    /// The choice for a key. `key` is called only if there is anything to compare it with.
    pub(crate) fn choice(&self, place: &Place, key: impl FnOnce() -> Key) -> Choice {
        if self.mode == Tune::Off {
            return Choice::Default;
        }
        let mut state = self.state();
        if state.stored.is_none() {
            state.stored = Some(self.read());
        }
        let State { stored, decided, said } = &mut *state;
        let stored = stored.as_deref().unwrap_or_default();
        if stored.is_empty() && decided.is_empty() {
            return Choice::Default;
        }
        let key = key();
        if let Some(Decision::Chosen(choice)) = decided.get(&key) {
            return choice.clone();
        }
        let Some(found) = stored.iter().find(|entry| entry.key == key) else {
            if let Some(old) = stored.iter().find(|entry| entry.key.is_of_another_version(&key))
                && said.insert("version".into())
            {
                let Key { driver, library, .. } = &old.key;
                let what = format!("what was found with {driver}, omp-offload {library} is ignored");
                observe::tuned(place, &what);
            }
            return Choice::Default;
        };
        found.schedule.parse().unwrap_or_else(|()| {
            if said.insert(found.schedule.clone()) {
                observe::tuned(place, &format_args!("`{}` in the store is no schedule", found.schedule));
            }
            Choice::Default
        })
    }

    /// The entries of all files, the more specific ones first.
    fn read(&self) -> Vec<Entry> {
        let mut all = Vec::new();
        for path in [&self.file, &self.cached].into_iter().flatten() {
            match store::read(path) {
                Ok(entries) => all.extend(entries),
                Err(Unread::Missing) if self.file.as_ref() == Some(path) && self.mode == Tune::Cached => {
                    observe::tune_file(path, "is not there");
                }
                Err(Unread::Missing) => {}
                Err(Unread::Bad(why)) => observe::tune_file(path, &format!("is ignored: {why}")),
            }
        }
        all
    }

    /// The search of a key, if no other launch has taken it. [`Self::pause`] or [`Self::end`] give it back.
    pub(crate) fn take(&self, key: &Key) -> Option<Search> {
        let mut state = self.state();
        match state.decided.get_mut(key) {
            Some(Decision::Chosen(_) | Decision::Busy) => None,
            Some(open @ Decision::Open(_)) => match std::mem::replace(open, Decision::Busy) {
                Decision::Open(search) => Some(*search),
                Decision::Busy | Decision::Chosen(_) => None,
            },
            None => {
                state.decided.insert(key.clone(), Decision::Busy);
                Some(Search::default())
            }
        }
    }

    /// Whether the search of a key has ended.
    pub(crate) fn is_decided(&self, key: &Key) -> bool {
        matches!(self.state().decided.get(key), Some(Decision::Chosen(_)))
    }

    /// A later launch goes on.
    pub(crate) fn pause(&self, key: &Key, search: Search) {
        self.state().decided.insert(key.clone(), Decision::Open(Box::new(search)));
    }

    /// This is the choice from now on.
    pub(crate) fn end(&self, key: Key, choice: Choice) {
        self.state().decided.insert(key, Decision::Chosen(choice));
    }

    /// Keeps what a search has found.
    pub(crate) fn keep(&self, entry: &Entry) {
        let (path, ours) = match (&self.file, &self.cached) {
            (Some(path), _) => (path, false),
            (None, Some(path)) => (path, true),
            (None, None) => return,
        };
        if let Err(e) = store::add(path, entry, ours) {
            observe::not_kept(path, &e, self.at_once());
        }
    }

    /// Says something of a region once.
    pub(crate) fn say_once(&self, place: &Place, what: &str) {
        if self.is_new(place, what) {
            observe::tuned(place, &what);
        }
    }

    /// Says once why a region is not tuned.
    pub(crate) fn not_tuned(&self, place: &Place, why: &str) {
        if self.is_new(place, why) {
            observe::not_tuned(place, why);
        }
    }

    fn is_new(&self, place: &Place, what: &str) -> bool {
        let key = format!("{}:{}:{} {what}", place.file, place.line, place.column);
        self.state().said.insert(key)
    }
}
