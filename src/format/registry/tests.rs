use std::collections::HashSet;

use glam::{UVec2, uvec2};

use super::*;
use crate::board::{LifelikeBoard, LifelikeCell, Size};

#[test]
fn formats_are_known_by_name_and_extension() {
    let of = |name: &str| Format::of_name(Path::new(name));
    assert_eq!(of("a/b.TXT"), Some(Format::Grid));
    assert_eq!(of("b.grid"), Some(Format::Grid));
    assert_eq!(of("x.y.Rle"), Some(Format::Rle));
    assert_eq!(of("rle"), None);
    assert_eq!(of("-"), None);
    assert_eq!(of("x.MC"), Some(Format::Macrocell));
    assert_eq!(of("x.cells"), Some(Format::Cells));
    assert_eq!(of("x.lif"), Some(Format::Life106));
    assert_eq!(of("x.life"), Some(Format::Life106));
    assert_eq!(of("x.mcl"), None);
    let mut usual = HashSet::new();
    for &format in Format::ALL {
        let info = format.info();
        assert_eq!(Format::parse(info.name), Some(format));
        assert_eq!(Format::parse(info.extensions[0]), Some(format));
        assert!(usual.insert(info.extensions[0]), "{format}");
        for extension in info.extensions {
            let name = format!("x.{extension}");
            let found = Format::of_name_for(Path::new(&name), format.family());
            assert_eq!(found, Some(format));
        }
    }
    assert_eq!(Format::parse("RLE"), Some(Format::Rle));
    assert_eq!(Format::parse("PNG"), Some(Format::Png));
    assert_eq!(Format::parse("gif"), None);
}

#[test]
fn an_extension_stands_for_the_format_of_the_family() {
    let of = |name: &str, family| Format::of_name_for(Path::new(name), family);
    assert_eq!(of("x.txt", FamilyName::Lifelike), Some(Format::Grid));
    assert_eq!(
        of("x.txt", FamilyName::Rezolution),
        Some(Format::Rezolution)
    );
    assert_eq!(of("x.rle", FamilyName::Rezolution), Some(Format::Rle));
    assert_eq!(of("x.doc", FamilyName::Rezolution), None);
}

#[test]
fn the_names_are_listed_in_the_order_of_the_table() {
    let of = |names: &[Format]| Format::names(|format| names.contains(&format));
    assert_eq!(of(&[]), "");
    assert_eq!(of(&[Format::Png]), "png");
    assert_eq!(
        of(&[Format::Png, Format::Rle, Format::Grid]),
        "grid, rle and png"
    );
}

#[test]
fn what_a_format_cannot_hold_is_refused_before_anything_is_written() {
    let mut board = LifelikeBoard::new(Size::new(3, 1).unwrap()).unwrap();
    board.set(UVec2::ZERO, LifelikeCell::Red);
    let written = |board: &LifelikeBoard, format| {
        let mut bytes = Vec::new();
        let ended = encode(&LifelikeDocument::new(board), format, &mut bytes);
        match ended {
            Ok(()) => Ok(String::from_utf8(bytes).unwrap()),
            Err(error) => {
                assert!(bytes.is_empty());
                assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
                Err(error.to_string())
            }
        }
    };
    assert_eq!(written(&board, Format::Cells).as_deref(), Ok("O..\n"));
    let life = written(&board, Format::Life106);
    assert_eq!(life.as_deref(), Ok("#Life 1.06\n0 0\n"));
    assert!(written(&board, Format::Macrocell).is_err());
    board.set(uvec2(2, 0), LifelikeCell::Blue);
    for &format in Format::ALL {
        let check = format.check(&LifelikeDocument::new(&board));
        let one_coloured = matches!(format, Format::Cells | Format::Life106);
        let is_lifelike = format.family() == FamilyName::Lifelike;
        let holds = format.is_written() && !one_coloured && is_lifelike;
        assert_eq!(check.is_ok(), holds, "{format}");
        assert_eq!(format.check_rezolution().is_ok(), !is_lifelike, "{format}");
        if let Err(error) = check {
            let message = written(&board, format).unwrap_err();
            assert_eq!(message, error.to_string());
            assert!(message.starts_with(&format.to_string()), "{message}");
            assert!(
                message.contains(".rle") && message.contains(".txt"),
                "{message}"
            );
        }
    }
    let is_read_only = |format: &&Format| !format.is_written();
    let read_only: Vec<_> = Format::ALL.iter().filter(is_read_only).collect();
    assert_eq!(read_only, [&Format::Macrocell]);
}
