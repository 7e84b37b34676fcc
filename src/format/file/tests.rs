use std::fs;

use super::*;
use crate::board::{LifelikeBoard, Size, start};

fn board() -> LifelikeBoard {
    start::random(Size::new(50, 20).unwrap(), 0.4, 2).unwrap()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_saved_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let board = board();
    for format in [Format::Grid, Format::Rle, Format::Png] {
        let path = folder
            .path()
            .join("board")
            .with_extension(format.info().name);
        save(&LifelikeDocument::new(&board), format, &path).unwrap();
        assert_eq!(read(&path, None, &Limits::default()).unwrap().board, board);
    }
    assert_eq!(
        names(folder.path()),
        ["board.grid", "board.png", "board.rle"]
    );
}

#[test]
fn a_board_that_a_format_cannot_hold_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    for (name, format) in [("a.cells", Format::Cells), ("a.lif", Format::Life106)] {
        let path = folder.path().join(name);
        fs::write(&path, "old").unwrap();
        let error = save(&LifelikeDocument::new(&board()), format, &path).unwrap_err();
        let message = error.to_string();
        assert!(matches!(error, WriteError::CannotHold { .. }), "{message}");
        assert!(
            message.contains(name) && message.contains("(.rle)"),
            "{message}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
    let none = folder.path().join("none.mc");
    let error = save(&LifelikeDocument::new(&board()), Format::Macrocell, &none).unwrap_err();
    assert!(error.to_string().contains("read only"), "{error}");
    assert_eq!(names(folder.path()), ["a.cells", "a.lif"]);
    // In one colour the very same board goes through both.
    let red = LifelikeBoard::from_planes(
        board().size(),
        board().alive().to_vec(),
        vec![0; board().size().plane_words()],
    )
    .unwrap();
    for (name, format) in [("a.cells", Format::Cells), ("a.lif", Format::Life106)] {
        let path = folder.path().join(name);
        save(&LifelikeDocument::new(&red), format, &path).unwrap();
        let again = read(&path, None, &Limits::default()).unwrap().board;
        assert_eq!(again.census(), red.census());
    }
}

#[test]
fn a_write_that_fails_leaves_the_old_file_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    let error = atomic_write(&path, |out| {
        out.write_all(&vec![b'.'; 1 << 20])?;
        Err(io::Error::other("stop"))
    });
    let message = error.unwrap_err().to_string();
    assert!(
        message.ends_with("a.txt: cannot be written: stop"),
        "{message}"
    );
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["a.txt"]);
    atomic_write(&path, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_those_of_an_ordinary_write() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
    let put = |name: &str| atomic_write(&at(name), |out| out.write_all(b"new")).unwrap();
    fs::write(at("plain"), "").unwrap();
    put("fresh");
    assert_eq!(mode("fresh"), mode("plain"));
    fs::set_permissions(at("plain"), fs::Permissions::from_mode(0o640)).unwrap();
    put("plain");
    assert_eq!(mode("plain"), 0o640);
    symlink("plain", at("link")).unwrap();
    fs::write(at("plain"), "").unwrap();
    put("link");
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    assert_eq!(fs::read(at("plain")).unwrap(), b"new");
    atomic_write(Path::new("/dev/null"), |out| out.write_all(b"new")).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn where_nothing_can_be_written_the_message_helps() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &Path| atomic_write(path, |_| Ok(())).unwrap_err().to_string();
    let message = refused(&folder.path().join("no/such/a.txt"));
    assert!(message.ends_with("create the folder first"), "{message}");
    let message = refused(folder.path());
    assert!(message.ends_with("name a file in it"), "{message}");
    let broken = WriteError::Io {
        name: "standard output".into(),
        cause: io::ErrorKind::BrokenPipe.into(),
    };
    assert!(broken.is_broken_pipe());
}

#[test]
fn a_file_longer_than_allowed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.rle");
    fs::write(&path, "x = 1, y = 1\no!\n").unwrap();
    assert_eq!(read_bytes(&path, 16).unwrap().len(), 16);
    let error = read_bytes(&path, 15).unwrap_err();
    assert!(
        matches!(error, ReadError::TooLong { most: 15, .. }),
        "{error}"
    );
    // A stream has no known length and may never end.
    assert_eq!(read_bounded(io::repeat(b'o'), 0, 1000).unwrap(), None);
    assert_eq!(read_bounded(io::empty(), 0, 0).unwrap(), Some(vec![]));
}

#[test]
fn an_unreadable_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let message = |name: &str| {
        read(&at(name), None, &Limits::default())
            .unwrap_err()
            .to_string()
    };
    assert!(message("none.rle").contains("none.rle: cannot be read: "));
    assert!(message("").contains("cannot be read: "));
    fs::write(at("a.txt"), "1 1\n?\n").unwrap();
    assert!(message("a.txt").contains("a.txt: line 2, column 1: expected a cell"));
    fs::write(at("b.rle"), b"GIF89a").unwrap();
    assert!(message("b.rle").contains("b.rle: this is a GIF"));
    fs::write(at("c.rle"), "!Name: c\n.Q\n").unwrap();
    assert!(message("c.rle").contains("c.rle: line 2, column 2: expected a cell"));
}
