//! Tests: which bytes are copied, by map type, footprint and section.
use super::*;
use crate::data::HostArray;

const WHOLE: Option<(u64, u64)> = Some((0, 8));

fn footprint(all: &[(u64, u64)], written: &[(u64, u64)]) -> Footprint {
    Footprint { all: all.to_vec(), written: written.to_vec() }
}

#[test]
fn movements_by_map_type() {
    use MapType::{Alloc, From, To, ToFrom};
    let all = WHOLE;
    for (map, written, read, overwritten, upload, download) in [
        (Some(To), false, true, false, all, None),
        (Some(ToFrom), true, true, false, all, all),
        (Some(ToFrom), true, false, true, all, all),
        (Some(ToFrom), false, true, false, all, None),
        (Some(From), true, false, true, None, all),
        (Some(From), true, false, false, all, all),
        (Some(From), false, true, false, all, None),
        (Some(Alloc), true, true, true, None, None),
        (Some(Alloc), true, true, false, all, None),
        (None, false, true, false, all, None),
        (None, true, false, true, None, all),
        (None, true, false, false, all, all),
        (None, false, false, false, None, None),
    ] {
        let param = ArrayParam { name: "x".into(), section: false, map, written, read };
        let mapped = Mapped::whole(HostArray::read(&[0u32; 8]).raw());
        let wish = Wish { param: &param, mapped: &mapped, sections: &[], footprint: None, overwritten };
        let got = wish.own();
        let of = |range: Option<(u64, u64)>| range.into_iter().collect::<Vec<_>>();
        assert_eq!((got.upload, got.download), (of(upload), of(download)), "{param:?} {overwritten}");
    }
}

#[test]
fn implicit_maps_follow_the_footprint() {
    let array = vec![0u32; 1 << 20];
    let mapped = Mapped::whole(HostArray::read(&array).raw());
    let whole = (0, 1 << 20);
    let mut param = ArrayParam { name: "x".into(), section: false, map: None, written: true, read: true };
    let own = |param: &ArrayParam, footprint: Option<&Footprint>| {
        Wish { param, mapped: &mapped, sections: &[], footprint, overwritten: false }.own()
    };
    let movement = |room, touched: &[(u64, u64)], download: &[(u64, u64)]| Movement {
        room,
        touched: touched.to_vec(),
        upload: touched.to_vec(),
        download: download.to_vec(),
    };
    let part = footprint(&[(2, 5)], &[(3, 4)]);
    assert_eq!(own(&param, Some(&part)), movement((0, 5), &[(2, 5)], &[(3, 4)]));
    assert_eq!(own(&param, Some(&Footprint::default())), movement((0, 0), &[], &[]));
    assert_eq!(own(&param, None), movement(whole, &[whole], &[whole]));
    // Near ranges are one copy; memory begins where it saves enough.
    let (near, far) = ([(0, 10), (1000, 1010)], [(600_001, 600_002), (900_000, 900_010)]);
    assert_eq!(own(&param, Some(&footprint(&near, &near))), movement((0, 1010), &[(0, 1010)], &[(0, 1010)]));
    let start = 600_001 / 256 * 256;
    assert_eq!(own(&param, Some(&footprint(&far, &far[..1]))), movement((start, 900_010), &far, &far[..1]));
    param.map = Some(MapType::ToFrom);
    assert_eq!(own(&param, Some(&part)), movement(whole, &[whole], &[whole]));
}

#[test]
fn sections_are_copied_alone_if_subscripts_stay_in_them() {
    let array = vec![0u8; 100_000];
    let mapped = Mapped { section: (10, 90_000), ..Mapped::whole(HostArray::read(&array).raw()) };
    let sections = [(10, 20), (80_000, 90_000)];
    let param =
        ArrayParam { name: "x".into(), section: true, map: Some(MapType::ToFrom), written: true, read: true };
    let own = |footprint: Option<&Footprint>| {
        let wish =
            Wish { param: &param, mapped: &mapped, sections: &sections, footprint, overwritten: false };
        let movement = wish.own();
        (movement.room, movement.upload, movement.download)
    };
    let within = footprint(&[(12, 20), (80_001, 80_002)], &[(12, 20)]);
    assert_eq!(own(Some(&within)), ((10, 90_000), sections.to_vec(), sections.to_vec()));
    let hull = ((10, 90_000), vec![(10, 90_000)], vec![(10, 90_000)]);
    assert_eq!(own(Some(&footprint(&[(12, 21)], &[]))), hull);
    assert_eq!(own(None), hull);
}
