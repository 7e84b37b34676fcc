//! What happens to a cell in one generation.
//!
//! A rule knows no GPU, no file and no clock. There is one module per family; its shader has the
//! same stem (`src/rules/lifelike.rs`, `shaders/lifelike.wgsl`) and the same functions in the same
//! order. [`notation`] reads and writes rule strings, [`ties`] decides the colour of a birth whose
//! parents are evenly split.

pub mod lifelike;
pub mod notation;
pub mod rezolution;
pub mod ties;

pub use lifelike::{LifelikeRuleset, Rule};
pub use rezolution::RezolutionRuleset;
pub use ties::Ties;

use std::fmt;

use crate::board::{Board, Edges};

/// Declares [`FamilyName`] and all that follows from the list of families, so that none can be left out.
macro_rules! families {
    ($($(#[$doc:meta])* $family:ident = $stem:literal, $summary:literal, $board:literal, $ruleset:ident;)*) => {
        /// A family of rules: boards of one kind, one definition, one shader, one corpus of cases.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum FamilyName {
            $($(#[$doc])* $family,)*
        }

        /// All families.
        pub const FAMILIES: [FamilyName; [$($stem),*].len()] = [$(FamilyName::$family),*];

        impl FamilyName {
            /// The stem of all files about the family, and its name in messages.
            pub const fn stem(self) -> &'static str {
                match self {
                    $(Self::$family => $stem,)*
                }
            }

            /// The family in a few words.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$family => $summary,)*
                }
            }

            /// What a message calls a board of the family.
            pub const fn board(self) -> &'static str {
                match self {
                    $(Self::$family => $board,)*
                }
            }
        }

        /// What a function says of the rulesets of a family: `of_family!(name, f())` is
        /// `f::<LifelikeRuleset>()` for [`FamilyName::Lifelike`].
        macro_rules! of_family {
            ($name:expr, $function:ident $arguments:tt) => {
                match $name {
                    $($crate::rules::FamilyName::$family => {
                        $function::<$crate::rules::$ruleset> $arguments
                    })*
                }
            };
        }
    };
}

families! {
    /// Two-colour Life-like rules on dead, red and blue cells.
    Lifelike = "lifelike", "Two-colour Life-like rules", "a board of dead, red and blue cells", LifelikeRuleset;
    /// Signed populations, barriers and targets.
    Rezolution = "rezolution", "Signed populations, barriers and targets", "a board of reZolution, which has populations", RezolutionRuleset;
}

pub(crate) use of_family;

impl fmt::Display for FamilyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.stem())
    }
}

/// Everything but the cells that decides the future of a board of one family.
pub trait Ruleset: Copy + Eq + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The boards of the family.
    type Board: Board;

    /// The family.
    const FAMILY: FamilyName;

    /// What lies beyond the border.
    fn edges(self) -> Edges;
}
