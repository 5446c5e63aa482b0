//! What generated code promises to the runtime takes the word `unsafe`.
#![allow(unused)]
use omp::__private as p;

static SITE: p::Site =
    p::Site::new(p::SiteInfo { template: b"", file: "a.rs", line: 1, column: 1, overflow_checks: false });

fn main() {
    let typed = SITE.typed(|_: &mut p::Describe| {});
    let mut region = p::Region::new(typed);

    let (mut x, y) = ([1.0f32], [2.0f32]);
    let mut array = p::HostArray::write(&mut x);
    let elements = array.all();
    let elements = array.task_elements();
    let view = p::view(&array);
    let array = p::HostArray::read(&y);
    let elements = array.slice();
    let view = p::read_view(&array);
    let kept = array.kept();

    let mut own = p::SerialReductions::new(&y, (0, 1), |_| false, |_| 0.0);
    let view = own.view();
    let mut value = 1.0f32;
    let read = p::atomic_read(&raw mut value);
    let bits = p::enum_bits(true);
}
