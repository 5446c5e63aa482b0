//! Tests: typed instances of a site.
use crate::launch::{Site, SiteInfo, TypedSite};
use crate::typing::{Describe, Device};

static EMPTY: &[u8] = b"no template";

fn info() -> SiteInfo {
    SiteInfo { template: EMPTY, file: "user.rs", line: 1, column: 1, overflow_checks: false }
}

fn instance<T: Device, const N: usize>(
    site: &'static Site,
    described: &mut usize,
    local: &[T; N],
) -> &'static TypedSite {
    // Captures what does not live for ever, as generated code does.
    let describe = |cx: &mut Describe| {
        *described += local.len();
        cx.konst(&N);
        cx.slot(Some(<T as Device>::DESC));
    };
    // SAFETY: there is no template.
    unsafe { site.typed(describe) }
}

#[test]
fn instances_differ_by_types_and_const_generics() {
    // SAFETY: there is no template.
    static SITE: Site = unsafe {
        Site::new(SiteInfo { template: EMPTY, file: "user.rs", line: 1, column: 1, overflow_checks: false })
    };
    let mut described = 0;
    let all: [&TypedSite; 4] = [
        instance::<f32, 1>(&SITE, &mut described, &[0.0]),
        instance::<f32, 2>(&SITE, &mut described, &[0.0; 2]),
        instance::<u32, 2>(&SITE, &mut described, &[0; 2]),
        instance::<u32, 4>(&SITE, &mut described, &[0; 4]),
    ];
    assert_eq!(described, 1 + 2 + 2 + 4);
    for (i, a) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|b| !std::ptr::eq(*a, *b)), "instance {i}");
    }
    let again = instance::<f32, 2>(&SITE, &mut described, &[0.0; 2]);
    assert!(std::ptr::eq(again, all[1]));
    assert_eq!(described, 9, "each is described once");
}

#[test]
fn threads_agree_on_the_instance() {
    // SAFETY: there is no template.
    let site: &'static Site = Box::leak(Box::new(unsafe { Site::new(info()) }));
    let all: Vec<usize> = std::thread::scope(|s| {
        let threads: Vec<_> = (0..8)
            .map(|_| s.spawn(|| std::ptr::from_ref(instance::<f64, 3>(site, &mut 0, &[0.0; 3])).addr()))
            .collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect()
    });
    assert!(all.iter().all(|a| *a == all[0]));
}

#[test]
fn a_template_that_cannot_be_read_goes_to_the_host() {
    // SAFETY: there is no template.
    let site: &'static Site = Box::leak(Box::new(unsafe { Site::new(info()) }));
    let typed = instance::<f32, 1>(site, &mut 0, &[0.0]);
    let reason = typed.body.as_ref().expect_err("no template");
    assert!(reason.contains("can't be read"), "{reason}");
}
