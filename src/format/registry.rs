//! Every format in one table: [`FormatInfo`] says what a format is called, which files are its own,
//! and how they are read and written. A new format is a file beside this one and a row here.

use std::fmt;
use std::io;
use std::path::Path;

use thiserror::Error;

use super::rezolution::{self, RezolutionDocument, RezolutionPattern};
use super::{
    DetectError, Fault, FormatError, LifelikeDocument, LifelikePattern, Limits, cells, detect,
    grid, life, macrocell, png, rle, share_code,
};
use crate::rules::FamilyName;

/// What the program knows about a format.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// The name by which a person asks for the format.
    pub name: &'static str,
    /// What messages call its files.
    pub title: &'static str,
    /// The extensions of its files, the usual one first. Where two formats share an extension, it
    /// is the first one's in the table, unless boards of the other one's family are asked for.
    pub extensions: &'static [&'static str],
    /// Whether a text begins like a file of the format and of no other one. Formats without such a
    /// beginning are distinguished by [`Format::detect`].
    begins: fn(&[u8]) -> bool,
    codec: Codec,
}

impl FormatInfo {
    /// The usual extension with its dot.
    fn usual_extension(&self) -> String {
        format!(".{}", self.extensions[0])
    }
}

/// Words separated by commas, the last two by `conjunction`.
fn list(words: impl Iterator<Item = String>, conjunction: &str) -> String {
    let mut words: Vec<_> = words.collect();
    match (words.pop(), words.as_slice()) {
        (Some(last), []) => last,
        (Some(last), others) => format!("{} {conjunction} {last}", others.join(", ")),
        (None, _) => String::new(),
    }
}

/// How files of a format are read and written, and thereby the family of its boards.
#[derive(Clone, Copy, Debug)]
enum Codec {
    /// Boards of dead, red and blue cells.
    Lifelike {
        read: fn(&[u8], &Limits) -> Result<LifelikePattern, FormatError>,
        write: Option<LifelikeWriter>,
    },
    /// Boards of reZolution.
    Rezolution {
        read: fn(&[u8], &Limits) -> Result<RezolutionPattern, FormatError>,
        write: RezolutionWriter,
    },
}

/// How a format is written that holds Life-like boards.
#[derive(Clone, Copy, Debug)]
struct LifelikeWriter {
    check: fn(&LifelikeDocument<'_>) -> Result<(), CannotHold>,
    encode: fn(&LifelikeDocument<'_>, &mut dyn io::Write) -> io::Result<()>,
}

/// Writes a board of reZolution.
type RezolutionWriter = fn(&RezolutionDocument<'_>, &mut dyn io::Write) -> io::Result<()>;

/// Declares [`Format`] and the row of each format together, so that none can lack one.
macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident = $info:expr;)*) => {
        /// A kind of file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$doc])* $format,)*
        }

        impl Format {
            /// Every format.
            pub const ALL: &[Self] = &[$(Self::$format),*];

            /// The format's row in the table.
            pub const fn info(self) -> &'static FormatInfo {
                match self {
                    $(Self::$format => const { &$info },)*
                }
            }
        }
    };
}

formats! {
    /// `rows columns`, then the rows in `.12`.
    Grid = FormatInfo {
        name: "grid",
        title: "grid text",
        extensions: &["txt", "grid"],
        begins: |_| false,
        codec: Codec::Lifelike {
            read: grid::parse,
            write: Some(LifelikeWriter {
                check: |_| Ok(()),
                encode: |document, out| grid::encode(document.board, out),
            }),
        },
    };
    /// Run length encoded, as Golly and LifeViewer use it.
    Rle = FormatInfo {
        name: "rle",
        title: "RLE",
        extensions: &["rle"],
        begins: |_| false,
        codec: Codec::Lifelike {
            read: rle::parse,
            write: Some(LifelikeWriter {
                check: |_| Ok(()),
                encode: rle::encode,
            }),
        },
    };
    /// Plaintext: rows of `.` and `O`, one colour.
    Cells = FormatInfo {
        name: "cells",
        title: "plaintext",
        extensions: &["cells"],
        begins: cells::begins,
        codec: Codec::Lifelike {
            read: cells::parse,
            write: Some(LifelikeWriter {
                check: |document| one_colour(document, Format::Cells),
                encode: |document, out| cells::encode(document.board, out),
            }),
        },
    };
    /// Life 1.06, one colour: a list of cells. Life 1.05 is read, too.
    Life106 = FormatInfo {
        name: "life",
        title: "Life 1.06",
        extensions: &["lif", "life"],
        begins: life::begins,
        codec: Codec::Lifelike {
            read: life::parse,
            write: Some(LifelikeWriter {
                check: |document| one_colour(document, Format::Life106),
                encode: |document, out| life::encode(document.board, out),
            }),
        },
    };
    /// Golly's tree of squares; it is read only.
    Macrocell = FormatInfo {
        name: "macrocell",
        title: "macrocell",
        extensions: &["mc"],
        begins: macrocell::begins,
        codec: Codec::Lifelike {
            read: macrocell::parse,
            write: None,
        },
    };
    /// A picture, one pixel per cell.
    Png = FormatInfo {
        name: "png",
        title: "PNG",
        extensions: &["png"],
        begins: |bytes| bytes.starts_with(png::SIGNATURE),
        codec: Codec::Lifelike {
            read: |bytes, limits| png::parse(bytes, 1, limits),
            write: Some(LifelikeWriter {
                check: |_| Ok(()),
                encode: |document, out| png::encode(document.board, out),
            }),
        },
    };
    /// A short text to copy and paste.
    ShareCode = FormatInfo {
        name: "code",
        title: "share code",
        extensions: &["duolife"],
        begins: share_code::begins,
        codec: Codec::Lifelike {
            read: share_code::parse,
            write: Some(LifelikeWriter {
                check: |document| match share_code::of(document) {
                    Ok(_) => Ok(()),
                    Err(_) => Err(CannotHold::TooMuch),
                },
                encode: share_code::write,
            }),
        },
    };
    /// A board of populations, barriers and targets; the only format of its family.
    Rezolution = FormatInfo {
        name: "populations",
        title: "populations",
        extensions: &["rez", "txt"],
        begins: rezolution::begins,
        codec: Codec::Rezolution {
            read: rezolution::parse,
            write: rezolution::encode,
        },
    };
}

impl Format {
    /// The family whose boards the format holds.
    pub const fn family(self) -> FamilyName {
        match self.info().codec {
            Codec::Lifelike { .. } => FamilyName::Lifelike,
            Codec::Rezolution { .. } => FamilyName::Rezolution,
        }
    }

    /// Whether the format can be written, at least for some boards.
    pub const fn is_written(self) -> bool {
        match self.info().codec {
            Codec::Lifelike { write, .. } => write.is_some(),
            Codec::Rezolution { .. } => true,
        }
    }

    /// The format that a file name's extension stands for, in upper or lower case.
    pub fn of_name(path: &Path) -> Option<Self> {
        Self::with_extension(path).next()
    }

    /// The same for a file that is to hold a board of a family: the family's own format, if one has
    /// this extension.
    pub fn of_name_for(path: &Path, family: FamilyName) -> Option<Self> {
        Self::with_extension(path)
            .find(|format| format.family() == family)
            .or_else(|| Self::of_name(path))
    }

    fn with_extension(path: &Path) -> impl Iterator<Item = Self> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let all = Self::ALL.iter().copied();
        all.filter(move |format| extension.is_some_and(|extension| format.has_extension(extension)))
    }

    fn has_extension(self, extension: &str) -> bool {
        let mut known = self.info().extensions.iter();
        known.any(|known| known.eq_ignore_ascii_case(extension))
    }

    /// The format with this name or extension.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| {
            format.info().name.eq_ignore_ascii_case(name) || format.has_extension(name)
        })
    }

    /// The names of the formats that pass a test, as a message lists them.
    pub fn names(include: impl Fn(Self) -> bool) -> String {
        let included = Self::ALL.iter().filter(|&&format| include(format));
        list(included.map(|format| format.info().name.into()), "and")
    }

    /// The usual extensions of the formats that can be written for boards of a family, as a message
    /// lists them.
    pub fn written_extensions(family: FamilyName) -> String {
        let is_written = |format: &&Self| format.is_written() && format.family() == family;
        let written = Self::ALL.iter().filter(is_written);
        list(written.map(|format| format.info().usual_extension()), "or")
    }

    /// The format that boards of a family are printed in: the first one of the table.
    pub fn text_of(family: FamilyName) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|format| format.family() == family)
    }

    /// Why the format has no place for boards of another family.
    pub const fn refusal(self, family: FamilyName) -> CannotHold {
        match family {
            FamilyName::Lifelike => CannotHold::OtherFamily(self),
            FamilyName::Rezolution => CannotHold::Populations(self),
        }
    }

    /// What can be read, as a message lists it.
    pub(super) fn readable() -> String {
        let all = Self::ALL.iter().map(|format| {
            let info = format.info();
            format!("{} ({})", info.title, info.usual_extension())
        });
        list(all, "and")
    }

    /// The format of a file with these bytes: by what they say, else by the extension of `path`.
    ///
    /// # Errors
    /// [`DetectError`] if the bytes belong to a known format that is not read, or to none.
    pub fn detect(bytes: &[u8], path: Option<&Path>) -> Result<Self, DetectError> {
        detect::detect(bytes, path)
    }

    /// The format of a text that begins as those of one format only.
    pub(super) fn of_beginning(text: &[u8]) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| (format.info().begins)(text))
    }

    /// Whether the format has a place for this board. Asked before a file is touched.
    ///
    /// # Errors
    /// [`CannotHold`] with a format that has.
    pub fn check(self, document: &LifelikeDocument) -> Result<(), CannotHold> {
        let writer = self.lifelike_writer()?;
        (writer.check)(document)
    }

    /// Whether the format has a place for boards of reZolution.
    ///
    /// # Errors
    /// [`CannotHold::Populations`] if not.
    pub fn check_rezolution(self) -> Result<(), CannotHold> {
        self.rezolution_writer().map(drop)
    }

    fn lifelike_writer(self) -> Result<LifelikeWriter, CannotHold> {
        match self.info().codec {
            Codec::Lifelike { write, .. } => write.ok_or(CannotHold::ReadOnly(self)),
            Codec::Rezolution { .. } => Err(CannotHold::OtherFamily(self)),
        }
    }

    fn rezolution_writer(self) -> Result<RezolutionWriter, CannotHold> {
        match self.info().codec {
            Codec::Lifelike { .. } => Err(CannotHold::Populations(self)),
            Codec::Rezolution { write, .. } => Ok(write),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().title)
    }
}

/// Why a board cannot be written in a format.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum CannotHold {
    /// The format has one colour.
    #[error(
        "{0} has no colours and the board has blue cells; write RLE (.rle) or grid text (.txt)"
    )]
    Blue(Format),
    /// The format holds small boards only.
    #[error(
        "a share code has at most {} characters, too few for this board; write RLE (.rle) or grid text (.txt)",
        share_code::MAX_LENGTH
    )]
    TooMuch,
    /// The format is for boards of another family.
    #[error(
        "{0} files are boards of reZolution and this one has no populations; write RLE (.rle) or grid text (.txt)"
    )]
    OtherFamily(Format),
    /// The format has dead, red and blue cells only, and the board is one of reZolution.
    #[error("{0} files have no place for populations; use .rez, .txt or .png")]
    Populations(Format),
    /// The format is never written.
    #[error("{0} files are read only; write RLE (.rle) or grid text (.txt)")]
    ReadOnly(Format),
}

/// The check of formats that have a single colour.
fn one_colour(document: &LifelikeDocument<'_>, format: Format) -> Result<(), CannotHold> {
    if document.board.blue().iter().any(|&word| word != 0) {
        return Err(CannotHold::Blue(format));
    }
    Ok(())
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Dead, red and blue cells.
    Lifelike(LifelikePattern),
    /// Populations, barriers and targets.
    Rezolution(RezolutionPattern),
}

impl Content {
    /// The pattern of dead, red and blue cells.
    pub fn into_lifelike(self) -> Option<LifelikePattern> {
        match self {
            Self::Lifelike(pattern) => Some(pattern),
            Self::Rezolution(_) => None,
        }
    }

    /// The board of reZolution.
    pub fn into_rezolution(self) -> Option<RezolutionPattern> {
        match self {
            Self::Rezolution(pattern) => Some(pattern),
            Self::Lifelike(_) => None,
        }
    }

    /// The family whose board it is.
    pub const fn family(&self) -> FamilyName {
        match self {
            Self::Lifelike(_) => FamilyName::Lifelike,
            Self::Rezolution(_) => FamilyName::Rezolution,
        }
    }
}

/// The board of any family in the bytes of a file.
///
/// # Errors
/// [`FormatError`] with the place of the first fault.
pub fn parse_content(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
) -> Result<Content, FormatError> {
    match format.info().codec {
        Codec::Lifelike { read, .. } => read(bytes, limits).map(Content::Lifelike),
        Codec::Rezolution { read, .. } => read(bytes, limits).map(Content::Rezolution),
    }
}

/// The pattern of dead, red and blue cells in the bytes of a file.
///
/// # Errors
/// [`FormatError`] with the place of the first fault.
pub fn parse(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
) -> Result<LifelikePattern, FormatError> {
    match format.info().codec {
        Codec::Lifelike { read, .. } => read(bytes, limits),
        Codec::Rezolution { .. } => Err(FormatError::at(bytes, 0, Fault::OtherFamily)),
    }
}

/// Writes the bytes of a file; `out` should be buffered.
///
/// # Errors
/// Those of `out`, and [`CannotHold`] as an [`io::ErrorKind::InvalidInput`] before anything is
/// written.
pub fn encode(
    document: &LifelikeDocument,
    format: Format,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let writer = format.lifelike_writer().map_err(invalid)?;
    (writer.check)(document).map_err(invalid)?;
    (writer.encode)(document, out)
}

/// Writes the bytes of a file that holds a board of reZolution; `out` should be buffered.
///
/// # Errors
/// As [`encode`].
pub fn encode_rezolution(
    document: &RezolutionDocument<'_>,
    format: Format,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let write = format.rezolution_writer().map_err(invalid)?;
    write(document, out)
}

fn invalid(error: CannotHold) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

#[cfg(test)]
mod tests;
