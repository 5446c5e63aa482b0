//! Source files. Each file is read and searched once, however many of its items are expanded. Its tokens are not kept,
//! because tokens live only as long as the expansion that makes them.
use proc_macro2::Span;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::SystemTime;

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, (SystemTime, Rc<SourceFile>)>> = RefCell::default();
}

/// A source file.
pub struct SourceFile {
    pub text: String,
    /// By the function that finds it.
    shown: RefCell<HashMap<TypeId, Rc<dyn Any>>>,
}

impl SourceFile {
    /// The file of a token, as it is now.
    pub fn of(span: Span) -> Option<Rc<Self>> {
        let path = span.local_file()?;
        let changed = std::fs::metadata(&path).and_then(|data| data.modified()).ok()?;
        FILES.with_borrow_mut(|files| {
            if let Some((at, file)) = files.get(&path)
                && *at == changed
            {
                return Some(file.clone());
            }
            let text = std::fs::read_to_string(&path).ok()?;
            let file = Rc::new(Self { text, shown: RefCell::default() });
            files.insert(path, (changed, file.clone()));
            Some(file)
        })
    }

    /// The result of a function on the text, cached by the function's type: it captures nothing.
    pub fn shows<T: 'static, F: Fn(&str) -> T + 'static>(&self, find: F) -> Rc<T> {
        const { assert!(size_of::<F>() == 0) };
        let known = self.shown.borrow().get(&TypeId::of::<F>()).cloned();
        let found = known.unwrap_or_else(|| {
            let found: Rc<dyn Any> = Rc::new(find(&self.text));
            self.shown.borrow_mut().insert(TypeId::of::<F>(), found.clone());
            found
        });
        found.downcast().expect("a function has one type of result")
    }
}
