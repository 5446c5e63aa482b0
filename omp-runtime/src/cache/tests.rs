//! Tests: keys distinguish sources and devices; damaged, missing and forbidden entries are misses.
use super::*;
use crate::backend::api::Device;
use crate::backend::mock::Mock;
use omp_kernels::schedule::DeviceKind;
use proptest::prelude::*;

fn source(text: &str, options: &[&str]) -> Source {
    Source {
        text: text.to_owned(),
        entry: "k".to_owned(),
        args: Vec::new(),
        sites: Vec::new(),
        inner: Vec::new(),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        phases: 1,
        constants: Vec::new(),
    }
}

fn key(text: &str) -> Key {
    Key::of(&source(text, &[]), Mock::of_kind(DeviceKind::Cuda).facts())
}

#[test]
fn keys_differ_where_binaries_may() {
    let mock = Mock::of_kind(DeviceKind::Cuda);
    let facts = mock.facts().clone();
    let base = Key::of(&source("a", &["-x", "-y"]), &facts);
    let mut others = vec![
        Key::of(&source("b", &["-x", "-y"]), &facts),
        Key::of(&source("a", &["-x-y"]), &facts),
        Key::of(&source("a", &["-x"]), &facts),
        Key::of(&Source { entry: "l".into(), ..source("a", &["-x", "-y"]) }, &facts),
    ];
    let change: [fn(&mut DeviceFacts); 5] = [
        |f| f.name.push('2'),
        |f| f.versions.push('2'),
        |f| f.class.arch = 80,
        |f| f.backend = "cuda",
        |f| f.dialect = Dialect::OpenCl,
    ];
    for c in change {
        let mut f = facts.clone();
        c(&mut f);
        others.push(Key::of(&source("a", &["-x", "-y"]), &f));
    }
    for (i, k) in others.iter().enumerate() {
        assert_ne!(*k, base, "variant {i}");
        assert!(!others[..i].contains(k), "variant {i} repeats");
    }
    assert_eq!(Key::of(&source("a", &["-x", "-y"]), &facts), base);
}

#[test]
fn stored_is_found_and_private() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let cache = DiskCache::new(dir.path().join("c"));
    let k = key("a");
    assert_eq!(cache.load(k), None);
    cache.store(k, b"binary");
    assert_eq!(cache.load(k).as_deref(), Some(&b"binary"[..]));
    cache.store(k, b"");
    assert_eq!(cache.load(k).as_deref(), Some(&b""[..]));
    assert_eq!(cache.load(key("b")), None);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |p: &Path| fs::metadata(p).expect("exists").permissions().mode() & 0o777;
        assert_eq!(mode(&dir.path().join("c")), 0o700);
        assert_eq!(mode(&cache.path(k)), 0o600);
    }
    let folder = cache.path(k);
    let left = fs::read_dir(folder.parent().expect("a folder")).expect("readable").count();
    assert_eq!(left, 1, "no temporary file is left");
}

/// A reader of a pipe waits for a writer, and a device may have no end.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_a_miss() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let cache = DiskCache::new(dir.path());
    let k = key("a");
    let place = || {
        cache.store(k, b"binary");
        fs::remove_file(cache.path(k)).expect("stored");
        cache.path(k)
    };
    let pipe = std::process::Command::new("mkfifo").arg(place()).status();
    assert!(pipe.expect("mkfifo runs").success());
    assert_eq!(cache.load(k), None);
    std::os::unix::fs::symlink("/dev/zero", place()).expect("linked");
    assert_eq!(cache.load(k), None);
    fs::create_dir(place()).expect("made");
    assert_eq!(cache.load(k), None);
    fs::remove_dir(cache.path(k)).expect("made");
    let large = fs::File::create(place()).expect("made");
    large.set_len(MOST_BYTES + 1).expect("no bytes are written");
    assert_eq!(cache.load(k), None);
    cache.store(k, b"binary");
    assert_eq!(cache.load(k).as_deref(), Some(&b"binary"[..]));
}

#[test]
fn an_entry_under_another_key_is_damaged() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let cache = DiskCache::new(dir.path());
    cache.store(key("a"), b"binary");
    let (from, to) = (cache.path(key("a")), cache.path(key("b")));
    fs::create_dir_all(to.parent().expect("a folder")).expect("made");
    fs::copy(from, &to).expect("copied");
    assert_eq!(cache.load(key("b")), None);
    assert!(!to.exists(), "the damaged entry is removed");
}

#[test]
fn impossible_directories_never_fail() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("file");
    fs::write(&file, "x").expect("written");
    let cache = DiskCache::new(file.join("below"));
    cache.store(key("a"), b"binary");
    assert_eq!(cache.load(key("a")), None);
    cache.remove(key("a"));
}

#[cfg(unix)]
#[test]
fn a_directory_that_others_write_to_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).expect("set");
    let cache = DiskCache::new(dir.path());
    cache.store(key("a"), b"binary");
    assert_eq!(cache.load(key("a")), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_damage_is_a_miss(kernel in prop::collection::vec(any::<u8>(), 0..64), at in any::<prop::sample::Index>(), bit in 0u8..8, cut in any::<bool>()) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let cache = DiskCache::new(dir.path());
        let k = key("a");
        cache.store(k, &kernel);
        let path = cache.path(k);
        let mut bytes = fs::read(&path).expect("stored");
        let i = at.index(bytes.len());
        if cut { bytes.truncate(i) } else { bytes[i] ^= 1 << bit }
        fs::write(&path, &bytes).expect("written");
        prop_assert_eq!(cache.load(k), None);
        cache.store(k, &kernel);
        prop_assert_eq!(cache.load(k), Some(kernel));
    }
}
