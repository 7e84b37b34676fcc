//! Options that several commands share, and how their values are read.

use std::path::Path;

use clap::{Args, ValueEnum};
use glam::{UVec2, uvec2};

use crate::board::transform::{Flip, Turn};
use crate::board::{Edges, LifelikeCell, Size};
use crate::engine::select::{EngineName, EngineSelector};
use crate::format::Format;
use crate::render::PictureSize;
use crate::rules::{FAMILIES, FamilyName, Rule, Ties, notation};

/// Which engine computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineKind {
    /// A hardware GPU if there is one, else the CPU
    Auto,
    /// WGSL compute shaders on a GPU or a software adapter
    Gpu,
    /// Bit planes on all cores
    Cpu,
    /// The rule's definition, cell by cell
    Reference,
}

/// What lies beyond the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EdgesArg {
    /// Opposite sides are joined
    Torus,
    /// Everything outside is dead
    Dead,
}

impl From<EdgesArg> for Edges {
    fn from(edges: EdgesArg) -> Self {
        match edges {
            EdgesArg::Torus => Self::Torus,
            EdgesArg::Dead => Self::Dead,
        }
    }
}

/// Who owns a birth with equal numbers of red and blue parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TiesArg {
    /// A fixed order of the neighbours of each cell, drawn from the seed
    Seeded,
    /// Always red
    Red,
    /// Always blue
    Blue,
    /// Red where x + y is even
    Checkerboard,
}

impl TiesArg {
    pub(super) const fn with_seed(self, seed: u64) -> Ties {
        match self {
            Self::Seeded => Ties::Seeded(seed),
            Self::Red => Ties::Red,
            Self::Blue => Ties::Blue,
            Self::Checkerboard => Ties::Checkerboard,
        }
    }
}

/// A colour of live cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColourArg {
    /// Player 1
    Red,
    /// Player 2
    Blue,
}

impl From<ColourArg> for LifelikeCell {
    fn from(colour: ColourArg) -> Self {
        match colour {
            ColourArg::Red => Self::Red,
            ColourArg::Blue => Self::Blue,
        }
    }
}

/// A turn, clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TurnArg {
    /// Not at all
    #[value(name = "0")]
    None,
    /// A quarter turn
    #[value(name = "90")]
    Quarter,
    /// Upside down
    #[value(name = "180")]
    Half,
    /// Three quarter turns
    #[value(name = "270")]
    ThreeQuarters,
}

impl From<TurnArg> for Turn {
    fn from(turn: TurnArg) -> Self {
        match turn {
            TurnArg::None => Self::None,
            TurnArg::Quarter => Self::Quarter,
            TurnArg::Half => Self::Half,
            TurnArg::ThreeQuarters => Self::ThreeQuarters,
        }
    }
}

/// A mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FlipArg {
    /// Left and right exchanged
    Horizontal,
    /// Top and bottom exchanged
    Vertical,
}

impl From<FlipArg> for Flip {
    fn from(flip: FlipArg) -> Self {
        match flip {
            FlipArg::Horizontal => Self::Horizontal,
            FlipArg::Vertical => Self::Vertical,
        }
    }
}

/// Which engine, on which adapter.
#[derive(Args, Clone)]
pub(super) struct EngineArgs {
    /// Which engine computes
    #[arg(long, value_enum, default_value = "auto", value_name = "ENGINE")]
    pub(super) engine: EngineKind,
    /// GPU adapter: its number, a part of its name or its backend (see duolife devices)
    #[arg(long, value_name = "NAME")]
    pub(super) adapter: Option<String>,
}

impl EngineArgs {
    /// What these options select.
    ///
    /// # Errors
    /// If an adapter is named for an engine that has none.
    pub(super) fn selector(&self) -> anyhow::Result<EngineSelector> {
        if self.adapter.is_some() && !matches!(self.engine, EngineKind::Auto | EngineKind::Gpu) {
            anyhow::bail!("--adapter names a GPU; use it with --engine gpu");
        }
        Ok(self.unchecked_selector())
    }

    /// The same where an adapter has a use beside the engine.
    pub(super) fn unchecked_selector(&self) -> EngineSelector {
        EngineSelector {
            engine: match self.engine {
                EngineKind::Auto => None,
                EngineKind::Gpu => Some(EngineName::Gpu),
                EngineKind::Cpu => Some(EngineName::Cpu),
                EngineKind::Reference => Some(EngineName::Reference),
            },
            adapter: self.adapter.clone(),
        }
    }
}

/// How a board becomes a picture.
#[derive(Args)]
pub(super) struct PictureArgs {
    /// Pixels per cell, in pictures
    #[arg(long, value_name = "S", conflicts_with = "image_size")]
    scale: Option<u32>,
    /// Pictures of this size: the board as large as it fits, larger ones area-averaged
    #[arg(long, value_name = "WxH", value_parser = parse_image_size)]
    image_size: Option<UVec2>,
}

impl PictureArgs {
    pub(super) fn size(&self) -> PictureSize {
        match self.image_size {
            Some(UVec2 {
                x: width,
                y: height,
            }) => PictureSize::Fit { width, height },
            None => PictureSize::Scale(self.scale.unwrap_or(1)),
        }
    }
}

/// A kind of file that a board can be written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputFormat {
    /// A file that is read back to the same board.
    Board(Format),
    /// A picture.
    Png,
}

impl OutputFormat {
    /// The requested format, else that of the file's extension; text grids on standard output.
    pub(super) fn select(requested: Option<Self>, path: &Path) -> anyhow::Result<Self> {
        Self::select_for(FamilyName::Lifelike, requested, path)
    }

    /// The same for boards of any family; on standard output the family's text. Formats of another
    /// family are refused.
    pub(super) fn select_for(
        family: FamilyName,
        requested: Option<Self>,
        path: &Path,
    ) -> anyhow::Result<Self> {
        let format = match requested {
            Some(format) => format,
            None => Self::of_name(path, family)?,
        };
        match format {
            Self::Board(board) if board.family() != family => Err(anyhow::anyhow!(
                "{}: {}",
                path.display(),
                board.refusal(family)
            )),
            // Before anything is computed.
            Self::Board(board) if !board.is_written() => Err(anyhow::anyhow!(
                "{}: {board} files are read only; use {}, or name a format with --to",
                path.display(),
                Format::written_extensions(family)
            )),
            Self::Board(_) | Self::Png => Ok(format),
        }
    }

    fn of_name(path: &Path, family: FamilyName) -> anyhow::Result<Self> {
        if path.as_os_str() == "-" {
            let text = Format::text_of(family).unwrap_or(Format::Grid);
            return Ok(Self::Board(text));
        }
        let is_png = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("png");
        if path.extension().is_some_and(is_png) {
            return Ok(Self::Png);
        }
        Format::of_name_for(path, family)
            .map(Self::Board)
            .ok_or_else(|| {
                anyhow::anyhow!(
                    "{}: no format has this extension; use {}, or name one with --to",
                    path.display(),
                    Format::written_extensions(family)
                )
            })
    }
}

pub(super) fn parse_format(text: &str) -> Result<Format, String> {
    let names = || format!("the formats are {}", Format::names(|_| true));
    Format::parse(text).ok_or_else(names)
}

pub(super) fn parse_output_format(text: &str) -> Result<OutputFormat, String> {
    if text.eq_ignore_ascii_case("png") {
        return Ok(OutputFormat::Png);
    }
    match Format::parse(text) {
        Some(format) if format.is_written() => Ok(OutputFormat::Board(format)),
        Some(format) => Err(format!("{format} files are read only; {}", written())),
        None => Err(written()),
    }
}

/// What `--to` takes.
fn written() -> String {
    format!("the formats are {}", Format::names(Format::is_written))
}

/// A rule of any family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleArg {
    /// A B/S rule.
    Lifelike(Rule),
    /// The one rule of another family.
    OnlyRule(FamilyName),
}

impl RuleArg {
    pub(super) const fn family(self) -> FamilyName {
        match self {
            Self::Lifelike(_) => FamilyName::Lifelike,
            Self::OnlyRule(family) => family,
        }
    }
}

pub(super) fn parse_any_rule(text: &str) -> Result<RuleArg, notation::NotationError> {
    match only_rule(text) {
        Some(family) => Ok(RuleArg::OnlyRule(family)),
        None => notation::parse(text).map(RuleArg::Lifelike),
    }
}

pub(super) fn parse_rule(text: &str) -> Result<Rule, String> {
    match only_rule(text) {
        Some(FamilyName::Rezolution) => return Err("reZolution is no B/S rule: its cells have populations; duolife run and duolife conform know it".into()),
        Some(family) => return Err(format!("{family} is no B/S rule of two colours; duolife run and duolife conform know it")),
        None => {}
    }
    notation::parse(text).map_err(|error| error.to_string())
}

/// The family whose only rule has that name.
fn only_rule(text: &str) -> Option<FamilyName> {
    let mut others = FAMILIES
        .into_iter()
        .filter(|&family| family != FamilyName::Lifelike);
    others.find(|family| text.trim().eq_ignore_ascii_case(family.stem()))
}

pub(super) fn parse_size(text: &str) -> Result<Size, String> {
    let (width, height) = sides::<u64>(text)?;
    Size::new(width, height).map_err(|error| error.to_string())
}

fn parse_image_size(text: &str) -> Result<UVec2, String> {
    let (width, height) = sides(text)?;
    Ok(uvec2(width, height))
}

pub(super) fn parse_position(text: &str) -> Result<UVec2, String> {
    let position = text
        .split_once(',')
        .and_then(|(x, y)| Some(uvec2(x.trim().parse().ok()?, y.trim().parse().ok()?)));
    position.ok_or_else(|| "write it as X,Y, counted from 0, for example 10,4".into())
}

fn sides<T: std::str::FromStr>(text: &str) -> Result<(T, T), String> {
    let sides = text
        .split_once(['x', 'X'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.ok_or_else(|| "write it as WIDTHxHEIGHT, for example 640x480".into())
}

pub(super) fn parse_density(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(density) if (0.0..=1.0).contains(&density) => Ok(density),
        _ => Err("a density is a number from 0 to 1".into()),
    }
}
