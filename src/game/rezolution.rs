//! reZolution on a screen: what can be set and painted, and what is said of a run. It ends by itself
//! only when a target is populated; see [`Census::settle`](crate::board::Counts::settle).
//!
//! Everything else a person can do is that of every [`Session`](super::session::Session).

mod session;

pub use session::{DEMO_DENSITY, Reached, Session, Settings, Tool};

use std::fmt;

use serde::Serialize;

use crate::board::RezolutionCensus;

/// How a battle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// A target is populated.
    pub target_reached: bool,
    /// Red has no cell left.
    pub red_gone: bool,
    /// Blue has no cell left.
    pub blue_gone: bool,
    /// The last generation equals the one before; `None` if that is not known.
    pub unchanged: Option<bool>,
}

impl Status {
    /// The status by counts, and by whether the last generation changed nothing.
    pub const fn of(census: RezolutionCensus, unchanged: Option<bool>) -> Self {
        Self {
            target_reached: census.reached > 0,
            red_gone: census.red == 0,
            blue_gone: census.blue == 0,
            unchanged,
        }
    }
}

/// In a few words, the most important first.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = match (self.red_gone, self.blue_gone) {
            (true, true) => "all is empty",
            (true, false) => "red is gone",
            (false, true) => "blue is gone",
            (false, false) => "both are left",
        };
        if self.target_reached {
            f.write_str("target reached, ")?;
        }
        f.write_str(left)?;
        if self.unchanged == Some(true) {
            f.write_str(", nothing changed")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_is_said() {
        let said = |red, blue, reached, unchanged| {
            let census = RezolutionCensus {
                red,
                blue,
                reached,
                ..RezolutionCensus::default()
            };
            Status::of(census, unchanged).to_string()
        };
        assert_eq!(said(3, 2, 0, None), "both are left");
        assert_eq!(said(3, 2, 0, Some(false)), "both are left");
        assert_eq!(said(3, 0, 0, Some(false)), "blue is gone");
        assert_eq!(said(0, 2, 0, Some(true)), "red is gone, nothing changed");
        assert_eq!(said(0, 0, 0, Some(true)), "all is empty, nothing changed");
        assert_eq!(said(3, 2, 1, Some(false)), "target reached, both are left");
    }
}
