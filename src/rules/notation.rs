//! Rule strings: `B3/S23` and the other ways in which people write it.

use thiserror::Error;

use super::Rule;
use crate::board::Edges;

/// Rules with a name of their own, as LifeWiki lists them. The first name of a rule is the one in
/// messages; names are compared without case, blanks and punctuation.
pub const NAMED_RULES: &[(&str, &str)] = &[
    ("Life", "B3/S23"),
    ("Conway's Life", "B3/S23"),
    ("Game of Life", "B3/S23"),
    ("Immigration", "B3/S23"),
    ("HighLife", "B36/S23"),
    ("2x2", "B36/S125"),
    ("34 Life", "B34/S34"),
    ("Amoeba", "B357/S1358"),
    ("Anneal", "B4678/S35678"),
    ("Assimilation", "B345/S4567"),
    ("Coagulations", "B378/S235678"),
    ("Coral", "B3/S45678"),
    ("Day & Night", "B3678/S34678"),
    ("Diamoeba", "B35678/S5678"),
    ("DotLife", "B3/S023"),
    ("DryLife", "B37/S23"),
    ("EightLife", "B3/S238"),
    ("Flock", "B3/S12"),
    ("Fredkin", "B1357/S02468"),
    ("Gnarl", "B1/S1"),
    ("Holstein", "B35678/S4678"),
    ("HoneyLife", "B38/S238"),
    ("Life without Death", "B3/S012345678"),
    ("Live Free or Die", "B2/S0"),
    ("Long Life", "B345/S5"),
    ("LowDeath", "B368/S238"),
    ("Maze", "B3/S12345"),
    ("Mazectric", "B3/S1234"),
    ("Morley", "B368/S245"),
    ("Move", "B368/S245"),
    ("Pedestrian Life", "B38/S23"),
    ("Pseudo Life", "B357/S238"),
    ("Replicator", "B1357/S1357"),
    ("Seeds", "B2/S"),
    ("Serviettes", "B234/S"),
    ("Stains", "B3678/S235678"),
    ("Vote", "B5678/S45678"),
    ("Walled Cities", "B45678/S2345"),
];

/// Names of well-known rules outside the family, so that they are refused by name.
const FOREIGN_RULES: &[(&str, &str)] = &[
    ("Brian's Brain", "a Generations rule"),
    ("Star Wars", "a Generations rule"),
    ("WireWorld", "a table rule with 4 states"),
    ("LifeHistory", "a table rule with 7 states"),
    ("LifeSuper", "a table rule with 26 states"),
    ("LifeStandard", "a table rule with marked cells"),
    ("QuadLife", "a four-colour rule"),
    ("Rainbow Life", "a rule with averaged colours"),
];

/// Why a rule string was refused. Every message names the string.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NotationError {
    /// Nothing but blanks.
    #[error("the rule is empty; write one like B3/S23")]
    Empty,
    /// `B0`.
    #[error("rule {0}: B0 is not supported, a birth without parents would have no colour")]
    BirthWithoutParents(String),
    /// `23/3/3`, `B3/S23/C3`.
    #[error(
        "Generations rule {0} is not supported: cells here are dead, red or blue and do not age"
    )]
    Generations(String),
    /// `B2ce3/S23`.
    #[error("rule {0} is not supported: it uses Hensel letters (isotropic non-totalistic rules)")]
    Hensel(String),
    /// `B2/S34H`, `B1/S12V`, `B3/S12L`.
    #[error(
        "rule {0} is not supported: the suffix {1} asks for the {2} neighbourhood, cells here have eight neighbours"
    )]
    Neighbourhood(String, char, &'static str),
    /// Larger than Life, MAP, elementary and named rules of other families.
    #[error("rule {0} is not supported: it is {1}")]
    OtherFamily(String, &'static str),
    /// A digit outside 0..=8.
    #[error("rule {0}: a cell has at most 8 neighbours, not {1}")]
    DigitTooLarge(String, char),
    /// A digit twice on one side.
    #[error("rule {0}: the digit {1} stands twice on one side")]
    DigitTwice(String, char),
    /// None of the known forms.
    #[error("rule {0} is not known; write it like B3/S23, 23/3 or HighLife")]
    Unknown(String),
    /// A bounded grid that is no plain torus or plane.
    #[error("the bounded grid {0} is not supported: {1}; :T and :P with a width and a height are")]
    Topology(String, String),
}

/// A bounded grid given with a rule, as in `B3/S23:T64,40`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topology {
    /// Torus for `:T`, dead for `:P`.
    pub edges: Edges,
    /// Columns, at least 1.
    pub width: u64,
    /// Rows, at least 1.
    pub height: u64,
}

/// The rule meant by a string such as `B3/S23`, `s23/b3`, `b3s23`, `23/3` (survival first) or
/// `HighLife`.
///
/// # Errors
/// [`NotationError`] for a string of another family or of none.
pub fn parse(text: &str) -> Result<Rule, NotationError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(NotationError::Empty);
    }
    if let Some((_, rule)) = NAMED_RULES.iter().find(|(name, _)| same_name(name, text)) {
        return parse_digits(rule, rule);
    }
    if let Some((_, what)) = FOREIGN_RULES.iter().find(|(name, _)| same_name(name, text)) {
        return Err(NotationError::OtherFamily(text.into(), what));
    }
    let compact: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '_')
        .map(|c| c.to_ascii_lowercase())
        .collect();
    if let Some(foreign) = other_family(&compact, text) {
        return Err(foreign);
    }
    parse_digits(&compact, text)
}

/// A rule string as Golly writes it in a pattern file: a rule and perhaps a bounded grid.
///
/// # Errors
/// [`NotationError`] for a rule of another family, and for grids other than `:T` and `:P` with
/// two finite sides and no shift.
pub fn parse_with_topology(text: &str) -> Result<(Rule, Option<Topology>), NotationError> {
    match text.split_once(':') {
        None => Ok((parse(text)?, None)),
        Some((rule, grid)) => Ok((parse(rule)?, Some(parse_topology(grid.trim())?))),
    }
}

fn parse_topology(grid: &str) -> Result<Topology, NotationError> {
    let refuse = |why: &str| NotationError::Topology(format!(":{grid}"), why.into());
    let mut chars = grid.chars();
    let edges = match chars.next().map(|c| c.to_ascii_uppercase()) {
        Some('T') => Edges::Torus,
        Some('P') => Edges::Dead,
        Some('K') => return Err(refuse("it is a Klein bottle")),
        Some('C') => return Err(refuse("it is a cross-surface")),
        Some('S') => return Err(refuse("it is a sphere")),
        _ => return Err(refuse("its kind is not known")),
    };
    let sides = chars.as_str();
    if sides.contains(['+', '-', '*']) {
        return Err(refuse("its sides are joined with a shift or a twist"));
    }
    let side = |text: &str| -> Result<u64, NotationError> {
        match text.trim().parse() {
            Ok(0) => Err(refuse("a side of 0 means an unbounded one")),
            Ok(side) => Ok(side),
            Err(_) => Err(refuse("its sides are not two whole numbers")),
        }
    };
    let (width, height) = sides.split_once(',').unwrap_or((sides, sides));
    Ok(Topology {
        edges,
        width: side(width)?,
        height: side(height)?,
    })
}

/// Whether two names differ only in case, blanks and punctuation.
fn same_name(a: &str, b: &str) -> bool {
    let letters = |s: &str| -> Vec<char> {
        s.chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect()
    };
    // A string with a slash is never a name, or "/2x2" would be one.
    !b.contains('/') && letters(a) == letters(b)
}

/// The refusal of a rule string that belongs to another family, if it does.
fn other_family(compact: &str, text: &str) -> Option<NotationError> {
    let digits = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_digit());
    let refuse = |what| Some(NotationError::OtherFamily(text.into(), what));
    if compact.starts_with("map") {
        return refuse("a non-isotropic MAP rule");
    }
    if compact.strip_prefix('w').is_some_and(digits) {
        return refuse("a one-dimensional elementary rule");
    }
    if compact.starts_with('r') && compact.contains(',') {
        return refuse("a Larger than Life rule");
    }
    // Only the letters of a rule string may stand before these tests, or an unknown name would be
    // called a Hensel rule.
    let starts_like_a_rule = |c: char| c.is_ascii_digit() || "bs/".contains(c);
    let has_digit = compact.contains(|c: char| c.is_ascii_digit());
    if !compact.starts_with(starts_like_a_rule) || !has_digit {
        return None;
    }
    if compact.matches('/').count() >= 2 {
        return Some(NotationError::Generations(text.into()));
    }
    for (suffix, name) in [
        ('h', "hexagonal"),
        ('v', "von Neumann"),
        ('l', "triangular"),
    ] {
        if compact.ends_with(suffix) {
            let suffix = suffix.to_ascii_uppercase();
            return Some(NotationError::Neighbourhood(text.into(), suffix, name));
        }
    }
    if compact.contains(|c: char| "ceaiknjqrytwz-".contains(c)) {
        return Some(NotationError::Hensel(text.into()));
    }
    if compact.contains('g') {
        return Some(NotationError::Generations(text.into()));
    }
    None
}

/// Reads the birth and survival digits of a lower-case rule string without blanks.
fn parse_digits(rule: &str, text: &str) -> Result<Rule, NotationError> {
    let rule = rule.to_ascii_lowercase();
    let unknown = || NotationError::Unknown(text.into());
    let sides = match rule.split_once('/') {
        Some(sides) => sides,
        // b3s23: the second letter ends the first side.
        None => {
            let second = rule.get(1..).and_then(|rest| rest.find(['b', 's']));
            rule.split_at(second.ok_or_else(unknown)? + 1)
        }
    };
    let (birth, survival) = match sides {
        (b, s) if b.starts_with('b') && s.starts_with('s') => (&b[1..], &s[1..]),
        (s, b) if s.starts_with('s') && b.starts_with('b') => (&b[1..], &s[1..]),
        // Without letters survival comes first.
        (s, b) => (b, s),
    };
    let counts = |digits: &str| {
        let mut counts = 0u16;
        for digit in digits.chars() {
            let count = match digit.to_digit(10) {
                None => return Err(unknown()),
                Some(9) => return Err(NotationError::DigitTooLarge(text.into(), digit)),
                Some(count) => count,
            };
            if counts >> count & 1 != 0 {
                return Err(NotationError::DigitTwice(text.into(), digit));
            }
            counts |= 1 << count;
        }
        Ok(counts)
    };
    Rule::new(counts(birth)?, counts(survival)?)
        .ok_or_else(|| NotationError::BirthWithoutParents(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        parse(text).unwrap_or_else(|e| panic!("{e}")).to_string()
    }

    #[test]
    fn every_spelling_of_a_rule_has_one_canonical_form() {
        for text in [
            "B3/S23",
            "b3/s23",
            "S23/B3",
            "s23/b3",
            "b3s23",
            "s23b3",
            "B3/S32",
            "23/3",
            "32/3",
            " B3 / S23 ",
            "Life",
            "LIFE",
            "conways life",
            "Immigration",
        ] {
            assert_eq!(canonical(text), "B3/S23", "{text}");
        }
        assert_eq!(canonical("23/36"), "B36/S23", "survival comes first");
        assert_eq!(canonical("/2"), "B2/S");
        assert_eq!(canonical("B2/S"), "B2/S");
        assert_eq!(canonical("b2s"), "B2/S");
        assert_eq!(canonical("B/S"), "B/S");
        assert_eq!(canonical("23/"), "B/S23");
        assert_eq!(canonical("B876/S012345678"), "B678/S012345678");
        assert_eq!(
            canonical("Day and Night".replace("and", "&").as_str()),
            "B3678/S34678"
        );
        assert_eq!(canonical("2x2"), "B36/S125");
    }

    #[test]
    fn named_rules_are_canonical_and_unique() {
        for (i, (name, rule)) in NAMED_RULES.iter().enumerate() {
            assert_eq!(&canonical(name), rule, "{name}");
            assert!(
                NAMED_RULES[..i]
                    .iter()
                    .all(|(other, _)| !same_name(other, name)),
                "{name} twice"
            );
        }
    }

    #[test]
    fn other_families_are_refused_by_name() {
        let refusal = |text| parse(text).unwrap_err().to_string();
        assert!(refusal("23/3/3").starts_with("Generations rule 23/3/3 is not supported"));
        assert!(refusal("B3/S23/C4").starts_with("Generations rule"));
        assert!(refusal("B2/S/G3").starts_with("Generations rule"));
        assert!(refusal("345/2/4").starts_with("Generations rule"));
        assert!(refusal("B2ce3/S23").contains("Hensel"));
        assert!(refusal("B3/S2-i34q").contains("Hensel"));
        assert!(refusal("B2/S34H").contains("hexagonal"));
        assert!(refusal("B1/S12V").contains("von Neumann"));
        assert!(refusal("B3/S12L").contains("triangular"));
        assert!(refusal("R5,C0,M1,S34..58,B34..45,NM").contains("Larger than Life"));
        assert!(refusal("W30").contains("one-dimensional"));
        assert!(refusal("MAPAAD//w").contains("MAP"));
        assert!(refusal("LifeHistory").contains("7 states"));
        assert!(refusal("B0/S1").contains("B0 is not supported"));
        assert!(refusal("23/30").contains("B0 is not supported"));
        assert!(refusal("B39/S23").contains("at most 8"));
        assert!(refusal("B33/S23").contains("twice"));
        assert!(refusal("nonsense").contains("not known"));
        assert!(refusal("B3").contains("not known"));
        assert!(refusal("3").contains("not known"));
        assert!(refusal("B3/B3").contains("not known"));
        assert!(refusal("é3/S23").contains("not known"));
        assert!(refusal("  ").contains("empty"));
    }

    #[test]
    fn bounded_grids() {
        let grid = |text: &str| parse_with_topology(text).map(|(_, topology)| topology);
        let torus = Topology {
            edges: Edges::Torus,
            width: 64,
            height: 40,
        };
        assert_eq!(grid("B3/S23:T64,40"), Ok(Some(torus)));
        assert_eq!(grid("Immigration:t64,40"), Ok(Some(torus)));
        assert_eq!(grid("B3/S23"), Ok(None));
        let square = grid("23/3:P100").unwrap().unwrap();
        assert_eq!(
            (square.edges, square.width, square.height),
            (Edges::Dead, 100, 100)
        );
        for refused in [
            "T0,7",
            "T12,20+4",
            "K100,100*",
            "C100,100",
            "S100",
            "T",
            "Q5,5",
            "T5,x",
            "",
        ] {
            let error = grid(&format!("B3/S23:{refused}")).unwrap_err();
            assert!(
                matches!(error, NotationError::Topology(..)),
                "{refused}: {error}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn the_canonical_form_reads_back(birth in 0u16..256, survival in 0u16..512) {
            let rule = Rule::new(birth << 1, survival).unwrap();
            proptest::prop_assert_eq!(parse(&rule.to_string()), Ok(rule));
        }

        #[test]
        fn no_string_makes_the_parser_panic(text in "\\PC*") {
            let _ = parse_with_topology(&text);
        }
    }
}
